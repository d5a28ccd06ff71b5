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

/** What a rule counts, and the most that it allows. */
export type Counted = {
  value: number;
  most: number;
  inclusive?: boolean | undefined;
  dealIds: readonly string[];
  /** @param sign between what is counted and what is allowed */
  words: (sign: string) => string;
  suffered?: SufferedLoss | undefined;
};

/** What was counted if that is too much or, as a part `used` of the limit, near it. */
export type Reached = {
  dealIds: readonly string[];
  equation: string;
  suffered?: SufferedLoss | undefined;
  used?: number | undefined;
};

/** Empty if it is far from the limit. */
export function reachedOf(
  { value, most, inclusive = false, dealIds, words, suffered }: Counted,
  warnAt: number | undefined,
): Reached[] {
  const [beyond, within] = inclusive ? ['≥', '<'] : ['>', '≤'];
  if (isTooLarge(value, { allowed: most, inclusive })) {
    return [{ dealIds, equation: words(beyond), suffered }];
  }
  if (warnAt === undefined || value < leastPortionOf(most, partsOf(warnAt))) return [];
  return [{ dealIds, equation: words(within), suffered, used: value / most }];
}

/** The sign of an equation that waits for its amounts. */
const SIGNED = / [<>≤≥]$/;

/** The equation of a violation, with its amounts. */
export function equationOf(
  { equation, suffered }: { equation: string; suffered?: SufferedLoss | undefined },
  digits: number,
): string {
  if (!suffered) return equation;
  const { loss, allowed } = suffered;
  return equation.replace(
    SIGNED,
    (sign) => `: ${fromUnits(loss, digits)}${sign} ${fromUnits(allowed, digits)}`,
  );
}
