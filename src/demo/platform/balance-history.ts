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
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#steps[middle]?.utcMs ?? 0) <= utcMs) low = middle + 1;
      else high = middle;
    }
    const { balance, credit } = this.#steps[low - 1] ?? { balance: 0, credit: 0 };
    return { balance, credit };
  }
}
