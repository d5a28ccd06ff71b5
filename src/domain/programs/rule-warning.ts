import type { BrokerTimeMs } from '../broker-time.ts';
import type { Violation } from './judge-deals.ts';
import type { DealRule } from './program-definition.ts';

/** The limit of a rule over deals is near: told once in a phase. */
export type RuleWarning = {
  accountId: string;
  enrolmentId: string;
  rule: DealRule['kind'];
  /** When the phase began. */
  startTimeMs: BrokerTimeMs;
  timeMs: BrokerTimeMs;
  warnAt: number;
  near: Violation;
};
