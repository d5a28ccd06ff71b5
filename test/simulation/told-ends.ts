import type { OracleEnrolment } from './oracle-enrolment.ts';

/** An enrolment as it stands, and the ends that were told of it, with the rules behind them. */
export type ToldEnrolment = {
  ends: readonly { to: string; rule?: string | undefined }[];
  /** It goes on: it has not ended, or would not have by what is known now. */
  isOpen: boolean;
  isDisputed: boolean;
};

/**
 * Whether what was told before all was known has led to what is true. What has failed passes only
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
