import { type BrokerTimeMs, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import type { PlatformAccountState } from '../../platforms/gateway.ts';
import { type Account, lockAccount } from '../../storage/account-store.ts';
import { type AccountSync, findSync, saveSync } from '../../storage/sync-store.ts';
import type { Context } from '../context.ts';
import { type DealRange, reconcileDeals } from '../deals/reconcile-deals.ts';

export type BoundAccount = Account & { profileId: string };

/**
 * An account's state at a moment of its platform, with the deals that are new since the last one.
 * All deals that the balance holds bear times up to `timeMs`, all that it does not hold later ones.
 */
export type AccountReading = {
  account: BoundAccount;
  state: PlatformAccountState;
  timeMs: BrokerTimeMs;
  deals: Deal[];
};

/** Not before any deal that the state holds: clocks are read a moment before it. */
export const momentOf = (clockMs: BrokerTimeMs, deals: readonly Deal[]): BrokerTimeMs =>
  deals.reduce((latest, { timeMs }) => Math.max(latest, timeMs), clockMs);

/** Deals are read again this far back each time: bookings come late by moments. */
export const OVERLAP_MS = HOUR_MS;
/** A deal may bear a time a little ahead of the clock that was read. */
export const AHEAD_MS = DAY_MS;
/** Managers edit and delete deals within days; the longer window is read this often by itself. */
export const RECONCILE_EVERY_MS = 3 * HOUR_MS;

/** How far the account was read; nothing yet when it was bound to another profile before. */
export async function syncOf({ database }: Context, account: BoundAccount): Promise<AccountSync> {
  const known = await findSync(database, account.number);
  if (known && known.profileId === account.profileId) return known;
  return {
    accountNumber: account.number,
    profileId: account.profileId,
    cursorMs: 0,
    reconciledAtMs: 0,
    nextAtMs: known?.nextAtMs ?? 0,
    failures: 0,
    lastSuccessMs: null,
    lastError: null,
  };
}

/**
 * Stores what was read in a range, and the cursor behind it, in one transaction; the deals that
 * were new. Stores nothing when the account was deleted or bound elsewhere (`gone`), or when another
 * process has read it since `before` (`stale`): older findings must not undo newer ones.
 */
export async function storeReading(
  { changes }: Context,
  account: BoundAccount,
  read: { range: DealRange; deals: readonly Deal[]; before: AccountSync; after: AccountSync },
): Promise<Deal[] | 'gone' | 'stale'> {
  return changes.record(async (tx) => {
    const current = await lockAccount(tx, account.number);
    if (current?.profileId !== account.profileId) return 'gone';
    const { before } = read;
    const now = await findSync(tx, account.number);
    const same =
      !now ||
      now.profileId !== account.profileId ||
      (now.cursorMs === before.cursorMs && now.lastSuccessMs === before.lastSuccessMs);
    if (!same) return 'stale';
    await saveSync(tx, { ...read.after, nextAtMs: now?.nextAtMs ?? 0 });
    const { added } = await reconcileDeals(tx, current, read.range, read.deals);
    return added;
  });
}
