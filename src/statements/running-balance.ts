import type { Money } from '../domain/money.ts';

/** A row with its stated balance, and its own movement by one way to read it. */
export type BalanceRow = { timeMs: number; balance: Money | undefined; money: Money };

/** The figures of a column of running balances. */
export type RunningBalance = {
  /** Before the first and after the last row. */
  first: Money;
  last: Money;
  /** Steps from row to row, and how many of them equal the rows' movements. */
  steps: number;
  fitting: number;
};

/** Testers and brokers round each row separately. */
const WITHIN = 0.011;

/**
 * Follows a column of balances in order of time; the file may be newest first. Undefined without
 * two rows with a balance.
 */
export function runningBalance(
  rows: readonly BalanceRow[],
  moneyDigits: number,
): RunningBalance | undefined {
  const stating = rows.filter((row) => row.balance !== undefined);
  const isNewestFirst = (stating[0]?.timeMs ?? 0) > (stating.at(-1)?.timeMs ?? 0);
  const oldestFirst = isNewestFirst ? stating.toReversed() : stating;
  // Rows of one moment keep the order of the file.
  const inOrder = oldestFirst.toSorted((a, b) => a.timeMs - b.timeMs);
  const [begin, end] = [inOrder[0], inOrder.at(-1)];
  if (!begin || !end || begin === end) return undefined;
  const within = WITHIN * 10 ** moneyDigits;
  let fitting = 0;
  for (let at = 1; at < inOrder.length; at++) {
    const [before, row] = [inOrder[at - 1], inOrder[at]];
    const step = (row?.balance ?? 0) - (before?.balance ?? 0);
    if (Math.abs(step - (row?.money ?? 0)) <= within) fitting += 1;
  }
  return {
    first: (begin.balance ?? 0) - begin.money,
    last: end.balance ?? 0,
    steps: inOrder.length - 1,
    fitting,
  };
}

/** Nearly every step equals its row's movement. */
export const isFollowed = ({ steps, fitting }: RunningBalance): boolean => fitting >= 0.9 * steps;
