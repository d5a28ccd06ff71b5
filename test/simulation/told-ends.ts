import type { OracleEnrolment } from './oracle-enrolment.ts';

/** An enrolment's state, and its published ends, with the rules behind them. */
export type ToldEnrolment = {
  ends: readonly { to: string; rule?: string | undefined }[];
  /** It continues: it has not ended, or would not have by the facts known now. */
  isOpen: boolean;
  isDisputed: boolean;
};

/**
 * Whether ends published on incomplete facts have led to the true state. A failed phase passes only
 * once a person has reinstated it.
 */
export function isReached(told: ToldEnrolment, oracle: OracleEnrolment): boolean {
  const { ends, isOpen, isDisputed } = told;
  const mayPass = ends.every(({ to }) => to !== 'failed');
  const end = mayPass ? oracle.end : oracle.endWithoutPassing;
  if (isOpen) return end === undefined && isDisputed === ends.length > 0;
  const last = ends.at(-1);
  return last?.to === end?.to && last?.rule === oracle.ruleOf(end);
}
