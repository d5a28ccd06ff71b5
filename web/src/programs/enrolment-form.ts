import type { NewEnrolment } from '../../../src/contract/operations/enrolments.ts';
import { currencyDigits } from '../lib/currency-digits.ts';
import { formatMoney } from '../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';

/** The enrolment of an account in a phase, as typed. */
export type EnrolmentForm = {
  initialBalance: string;
  /** In the browser's local form; empty: at once. */
  start: string;
};

/** A phase of a version of a program, or the one after a passed phase. */
export type EnrolledIn =
  | { programId: string; version: number; phase: number }
  | { passed: { accountId: string; enrolmentId: string } };

export function balanceRules(currency: string): NumberRules {
  const digits = currencyDigits(currency);
  return { units: [currency], min: 10 ** -digits, max: 900_000_000_000, digits };
}

/** The request; undefined without a readable initial balance. */
export function toEnrolment(
  { initialBalance, start }: EnrolmentForm,
  into: EnrolledIn,
  currency: string,
): NewEnrolment | undefined {
  const balance = numberOf(readNumber(initialBalance, balanceRules(currency)));
  if (balance === undefined) return undefined;
  return {
    ...into,
    initialBalance: balance,
    ...(start === '' ? {} : { startBrokerTime: `${start.replace('T', ' ')}:00.000` }),
  };
}

/** What would count as profit or loss at once, in words: the account has another balance. */
export function countsAtOnce(
  { initialBalance, startBrokerTime }: NewEnrolment,
  balance: number | undefined,
  currency: string,
): string | undefined {
  if (startBrokerTime !== undefined || !balance || balance === initialBalance) return undefined;
  const difference = formatMoney(Math.abs(balance - initialBalance), currency);
  const [place, result] = balance > initialBalance ? ['beyond', 'profit'] : ['missing to', 'loss'];
  return `The account has ${formatMoney(balance, currency)}: the ${difference} ${place} the initial balance would count as ${result}.`;
}
