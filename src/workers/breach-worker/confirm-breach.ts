import { isOfTracker, isTransition, type TrackerEvent } from '../../domain/live/live-records.ts';
import { leastPortionOf, partsOf } from '../../domain/live/portion.ts';
import { fromUnits, toUnits } from '../../domain/money.ts';
import type { EnrolmentTransition } from '../../domain/programs/enrolment-transition.ts';
import { profitBy } from '../../domain/programs/phase-objectives.ts';
import { termsOf } from '../../domain/programs/phase-terms.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import {
  type PlatformContext,
  usePlatform,
} from '../../services/platform-accounts/use-platform.ts';
import {
  type BreachAction,
  readActionEvent,
  readOtherBans,
} from '../../storage/breach-action-store.ts';
import type { Sql } from '../../storage/database.ts';
import { findEnrolment } from '../../storage/enrolment-store.ts';
import type { Profile } from '../../storage/profile-store.ts';

/** Figures of an account, in currency. */
type Figures = { balance: number; equity: number };

/** What the platform has to show for an action to be done, in words. */
type Ground = { words: string; isShown: (shown: Figures) => boolean };

/** The account as the platform shows it. */
export type BreachSeen = Figures & {
  atMs: number;
  /** Undefined where the platform has no figure to show. */
  ground: Ground | undefined;
  isConfirmed: boolean;
};

/**
 * Asks the platform for the account of an action that still waits for a confirmation; undefined for
 * another. The event's own figures tell what has to be shown, so that a snapshot that only a feeder
 * has seen closes nothing.
 */
export async function seeAccount(
  context: PlatformContext,
  action: BreachAction,
  { profile, login }: { profile: Profile; login: number },
): Promise<BreachSeen | undefined> {
  if (action.confirm === 'none') return undefined;
  const ground = await groundOf(context.database, action);
  const shown = await usePlatform(context, profile, (gateway) => gateway.accountInformation(login));
  if (!shown) return undefined;
  const { balance, equity } = shown;
  const isConfirmed = action.confirm === 'platform' && (ground?.isShown(shown) ?? true);
  return { balance, equity, atMs: context.now(), ground, isConfirmed };
}

/** Undefined for a revision, a rule of days, and a phase that is passed without a target. */
async function groundOf(sql: Sql, action: BreachAction): Promise<Ground | undefined> {
  if (action.moment === 'reset') return resetGround(sql, action);
  const found = await readActionEvent(sql, action);
  if (!found) return undefined;
  const { event, moneyDigits } = found;
  if (isOfTracker(event)) return limitGround(event, moneyDigits);
  if (!isTransition(event) || event.to !== 'passed') return undefined;
  const enrolment = await findEnrolment(sql, action.accountNumber, event.enrolmentId);
  return enrolment && targetGround(event, enrolment.definition, moneyDigits);
}

/** At a reset nothing else may have disabled trading. */
async function resetGround(sql: Sql, action: BreachAction): Promise<Ground> {
  const { isOlder, isLonger } = await readOtherBans(sql, action);
  const words = isLonger
    ? 'another breach has disabled trading for longer'
    : 'trading was disabled already when the limit was broken';
  return { words, isShown: () => !isOlder && !isLonger };
}

/** The equity at which the limit is broken, or near. */
function limitGround(event: TrackerEvent, digits: number): Ground {
  const { warnAt, allowed } = event;
  // The least loss that warns, or the limit.
  const limit = warnAt === undefined ? allowed : leastPortionOf(allowed, partsOf(warnAt));
  const floor = fromUnits(event.equity + event.absoluteDrawdown - limit, digits);
  const isReached = event.inclusive || warnAt !== undefined;
  return {
    words: `${warnAt === undefined ? 'the limit' : 'the warning'} is at ${floor}`,
    isShown: ({ equity }) => (isReached ? equity <= floor : equity < floor),
  };
}

/** The balance and equity with which the profit targets are met. */
function targetGround(
  { figures }: EnrolmentTransition,
  definition: EnrolmentDefinition,
  digits: number,
): Ground | undefined {
  const { targets } = termsOf(definition);
  const { balance = 0, equity = 0, profit, equityProfit } = figures;
  if (targets.length === 0 || profit === undefined || equityProfit === undefined) return undefined;
  const base = { balance: balance - profit, equity: equity - equityProfit };
  const places = targets.map(({ least, by }) => fromUnits(profitBy(base, by) + least, digits));
  return {
    words: `the profit target is at ${places.join(' and ')}`,
    isShown: (shown) => {
      const profits = {
        balance: toUnits(shown.balance, digits) - base.balance,
        equity: toUnits(shown.equity, digits) - base.equity,
      };
      return targets.every(({ least, by }) => profitBy(profits, by) >= least);
    },
  };
}

/** Why an action may not be done yet, as a sentence without a full stop; undefined if it may. */
export function obstacleOf(
  { confirm, moment }: BreachAction,
  seen: BreachSeen | undefined,
): string | undefined {
  if (confirm === 'none' || seen?.isConfirmed) return undefined;
  const shown =
    seen === undefined
      ? 'The platform does not show the account'
      : `The platform shows ${moment === 'passing' ? `a balance of ${seen.balance} and ` : ''}` +
        `an equity of ${seen.equity}${seen.ground ? `; ${seen.ground.words}` : ''}`;
  return confirm === 'person'
    ? `${shown}. It waits for a person: retry it to have it done`
    : `${shown}. Look at the account, and retry it to have it done all the same`;
}
