import type { LiveDeal } from '../../src/domain/live/live-records.ts';
import { withWaitingDeals } from '../../src/domain/live/with-waiting-deals.ts';
import {
  addEnrolment,
  pauseEnrolment,
  resumeEnrolment,
} from '../../src/domain/programs/enrolment-changes.ts';
import {
  type EnrolmentProgress,
  enrolmentProgress,
} from '../../src/domain/programs/enrolment-records.ts';
import { passTime } from '../../src/domain/programs/fold-enrolment.ts';
import type { LiveEnrolment } from '../../src/domain/programs/live-enrolment.ts';
import type {
  EnrolmentDefinition,
  Objective,
  Phase,
  Rule,
} from '../../src/domain/programs/program-definition.ts';
import { at, dealOf, FIXED_CLOCK, LiveDesk, usd } from './live-desk.ts';

/** A phase of which a test states only the relevant parts. */
export const phaseOf = (
  rules: readonly Rule[],
  objectives: readonly Objective[] = [],
  more: Partial<Phase> = {},
): Phase => ({ name: 'Phase', rules, objectives, ...more });

/** A deal that opens a position, with what it costs; and one that closes one. */
export const opened = (time: string, cost = 0): LiveDeal => dealOf('DEAL_TYPE_BUY', time, cost);
export const closed = (time: string, profit: number): LiveDeal => ({
  ...dealOf('DEAL_TYPE_SELL', time, profit),
  closes: true,
});

/** One account in a phase, driven by a test. */
export class EnrolmentDesk extends LiveDesk {
  readonly definition: EnrolmentDefinition;

  constructor(phase: Phase, initialBalance = 100_000, clock = FIXED_CLOCK, start?: string) {
    super([], clock);
    this.definition = {
      ...{ id: 'enrolment', phase, initialBalance: usd(initialBalance) },
      startTimeMs: start === undefined ? undefined : at(start),
    };
    addEnrolment(this.account, this.definition, this.rules);
  }

  /** Undefined if it has ended. */
  get enrolment(): LiveEnrolment | undefined {
    return this.account.enrolments[0];
  }

  get progress(): EnrolmentProgress | undefined {
    const shown = withWaitingDeals(this.account);
    const [enrolment] = shown.enrolments;
    return enrolment && enrolmentProgress(shown, enrolment);
  }

  /** Its state or end, in words: the state and its cause. */
  get state(): string {
    const last = this.effects.transitions.at(-1);
    const { enrolment } = this;
    const goesOn = enrolment && (!enrolment.isHeld || enrolment.isDisputed);
    if (!last || goesOn) return this.progress?.state ?? 'unknown';
    const { to, ruleIndex, timeMs } = last;
    const rule = ruleIndex === undefined ? undefined : this.definition.phase.rules[ruleIndex];
    const time = new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');
    return [to, ...(rule ? [rule.kind] : []), time].join(' ');
  }

  /** The clock shows a time, and nothing else happens. */
  wait(time: string): void {
    passTime(this.account, this.#utcOf(time), this.effects);
  }

  pause(time: string): void {
    if (this.enrolment) {
      pauseEnrolment(this.account, this.enrolment, this.#momentOf(time), this.effects);
    }
  }

  resume(time: string): void {
    if (this.enrolment) {
      resumeEnrolment(this.account, this.enrolment, this.#momentOf(time), this.effects);
    }
  }

  #momentOf(time: string) {
    return { timeMs: at(time), utcMs: this.#utcOf(time) };
  }

  #utcOf(time: string): number {
    return this.account.clock.utcOf(at(time), Number.NaN);
  }
}
