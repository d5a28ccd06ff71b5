import { countFirst } from '../../domain/count-first.ts';
import type { Money } from '../../domain/money.ts';

export type Balance = { balance: Money; credit: Money };

/** Balance and credit of an account after each change, findable by time. */
export class BalanceHistory {
  readonly #steps: (Balance & { utcMs: number })[] = [];

  /** Changes must come in order of time. */
  add(utcMs: number, balance: Money, credit: Money = 0): void {
    const last = this.#steps.at(-1) ?? { balance: 0, credit: 0 };
    this.#steps.push({ utcMs, balance: last.balance + balance, credit: last.credit + credit });
  }

  at(utcMs: number): Balance {
    const steps = this.#steps;
    const count = countFirst(steps.length, (place) => (steps[place]?.utcMs ?? 0) <= utcMs);
    const { balance, credit } = steps[count - 1] ?? { balance: 0, credit: 0 };
    return { balance, credit };
  }
}
