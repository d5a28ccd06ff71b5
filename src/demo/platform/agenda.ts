import { DAY_MS } from '../../domain/broker-time.ts';
import type { ManualOperation } from './events.ts';
import type { Intention } from './strategy.ts';

/** The source of one day's intentions; none for accounts opened by hand. */
export type Plan = { firstDay: number; intentions: (day: number) => Intention[] };

export type Happening = Intention | ManualOperation;

/** The intended events of an account, planned and by hand, in order of time. */
export class Agenda {
  readonly #plan: Plan | undefined;
  readonly #operations: ManualOperation[] = [];
  #planned: Intention[] = [];
  #plannedDay: number;

  constructor(plan: Plan | undefined) {
    this.#plan = plan;
    this.#plannedDay = plan?.firstDay ?? 0;
  }

  /** Operations must be added in order of time. */
  add(operation: ManualOperation): void {
    this.#operations.push(operation);
  }

  /** The next event, if not after the moment. At the same moment the plan goes first. */
  next(toUtcMs: number): Happening | undefined {
    const plan = this.#plan;
    while (plan && this.#planned.length === 0 && this.#plannedDay * DAY_MS <= toUtcMs) {
      this.#planned = plan.intentions(this.#plannedDay);
      this.#plannedDay += 1;
    }
    const planned = this.#planned[0];
    const manual = this.#operations[0];
    const next = manual && (!planned || manual.utcMs < planned.utcMs) ? manual : planned;
    return next && next.utcMs <= toUtcMs ? next : undefined;
  }

  /** Removes the event returned by `next`. */
  strike(happening: Happening): void {
    if (happening === this.#operations[0]) this.#operations.shift();
    else this.#planned.shift();
  }
}
