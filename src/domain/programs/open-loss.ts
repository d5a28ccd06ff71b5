import { leastPortionOf, partsOf, portionOf } from '../live/portion.ts';
import { fromUnits, type Money } from '../money.ts';
import type { OpenLoss } from './program-definition.ts';

/*
 * What a close realised by profit and swap was the open loss of what it closed just before. Nothing
 * else is known of it: no deal tells what a position loses while it is open.
 */

/** The most that may be lost or, with `inclusive`, the least that must not. */
export type AllowedLoss = { allowed: Money; inclusive: boolean };
/** A position lost more than it may. */
export type SufferedLoss = AllowedLoss & { loss: Money };

export function allowedLoss(rule: OpenLoss, initialBalance: Money): AllowedLoss {
  const { share, amount, inclusive = false } = rule;
  if (amount !== undefined) return { allowed: amount, inclusive };
  const parts = partsOf(share);
  const most = portionOf(initialBalance, parts);
  return { allowed: inclusive ? leastPortionOf(initialBalance, parts) : most, inclusive };
}

export const isTooLarge = (loss: Money, { allowed, inclusive }: AllowedLoss): boolean =>
  loss > allowed || (inclusive && loss === allowed);

/** The equation of a violation, with its amounts. */
export function equationOf(
  { equation, suffered }: { equation: string; suffered?: SufferedLoss | undefined },
  digits: number,
): string {
  if (!suffered) return equation;
  const { loss, allowed, inclusive } = suffered;
  return `${equation}: ${fromUnits(loss, digits)} ${inclusive ? '≥' : '>'} ${fromUnits(allowed, digits)}`;
}
