import type { EnrolmentState } from '../../words/programs.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { DayFigures } from './day-results.ts';
import type { Violation } from './judge-deals.ts';
import type { Rule } from './program-definition.ts';

/** The figures of an enrolment at a moment. Profits are absent until the account holds money. */
export type EnrolmentFigures = DayFigures & {
  balance?: Money | undefined;
  equity?: Money | undefined;
  profit?: Money | undefined;
  equityProfit?: Money | undefined;
  /** Only of a phase with payouts. */
  payouts?: number | undefined;
  paidOut?: Money | undefined;
};

/** A change of an enrolment's state, and its cause. */
export type EnrolmentTransition = {
  accountId: string;
  enrolmentId: string;
  /** Counts the changes of this enrolment, from 1. */
  count: number;
  to: EnrolmentState;
  timeMs: BrokerTimeMs;
  utcMs: number;
  /** The phase's rule that was broken, by its place and kind. */
  ruleIndex?: number | undefined;
  rule?: Rule['kind'] | undefined;
  /** The event of the rule's tracker; absent if time broke the rule. */
  breach?: { trackerId: string; startTimeMs: BrokerTimeMs; round: number } | undefined;
  /** By deals that broke a rule over them. */
  violation?: Violation | undefined;
  /** When the phase began; absent if it had not. */
  beganTimeMs?: BrokerTimeMs | undefined;
  /**
   * The day from which a rule of days counted, in days since 1970 by the phase's clock. For a time
   * limit: the first day, itself included; for inactivity: `lastActiveDay`, itself excluded.
   */
  countedFromDay?: number | undefined;
  /** Who requested it; absent if the rules decided. */
  by?: string | undefined;
  figures: EnrolmentFigures;
};
