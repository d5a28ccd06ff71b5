import { leastPortionOf, partsOf } from '../../domain/live/portion.ts';
import { fromUnits } from '../../domain/money.ts';
import {
  type PlatformContext,
  usePlatform,
} from '../../services/platform-accounts/use-platform.ts';
import { type BreachAction, readBrokenLimit } from '../../storage/breach-action-store.ts';
import type { Profile } from '../../storage/profile-store.ts';

/** The account as the platform shows it, in currency, and how low its equity may be. */
export type BreachSeen = {
  balance: number;
  equity: number;
  atMs: number;
  /** The equity at which the limit is broken, or near; undefined where there is none. */
  floor: number | undefined;
  isConfirmed: boolean;
};

/**
 * Asks the platform for the account of an action that still waits for a confirmation; undefined for
 * another. The event's own figures tell the equity at which its limit is broken, so that a snapshot
 * that only a feeder has seen closes nothing.
 */
export async function seeAccount(
  context: PlatformContext,
  action: BreachAction,
  { profile, login }: { profile: Profile; login: number },
): Promise<BreachSeen | undefined> {
  if (action.confirm === 'none') return undefined;
  const broken = await readBrokenLimit(context.database, action);
  const shown = await usePlatform(context, profile, (gateway) => gateway.accountInformation(login));
  if (!shown) return undefined;
  const { balance, equity } = shown;
  const seen = { balance, equity, atMs: context.now() };
  if (!broken) return { ...seen, floor: undefined, isConfirmed: action.confirm === 'platform' };
  const { event, moneyDigits } = broken;
  const { warnAt } = event;
  // The least loss that warns, or the limit.
  const limit =
    warnAt === undefined ? event.allowed : leastPortionOf(event.allowed, partsOf(warnAt));
  const floor = fromUnits(event.equity + event.absoluteDrawdown - limit, moneyDigits);
  const isReached = event.inclusive || warnAt !== undefined;
  const isBroken = isReached ? equity <= floor : equity < floor;
  return { ...seen, floor, isConfirmed: action.confirm === 'platform' && isBroken };
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
      : `The platform shows an equity of ${seen.equity}` +
        (seen.floor === undefined
          ? ''
          : `; ${moment === 'warning' ? 'the warning' : 'the limit'} is at ${seen.floor}`);
  return confirm === 'person'
    ? `${shown}. It waits for a person: retry it to have it done`
    : `${shown}. Look at the account, and retry it to have it done all the same`;
}
