import { type BrokerTimeMs, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import type { PlatformAccountState } from '../../platforms/gateway.ts';
import type { ChangeTransaction } from '../../services/changes.ts';
import type { Context } from '../../services/context.ts';
import { type Account, lockAccount } from '../../storage/account-store.ts';
import { type AccountSync, findSync, saveSync } from '../../storage/sync-store.ts';
import { type DealRange, reconcileDeals } from './reconcile-deals.ts';

export type BoundAccount = Account & { profileId: string };

/**
 * An account's state on its platform at a moment. The deals it includes are stored and have times
 * up to `timeMs`; others have later times.
 */
export type AccountReading = {
  account: BoundAccount;
  state: PlatformAccountState;
  timeMs: BrokerTimeMs;
};

/** Not before any deal that the state includes: the clock is read just before the state. */
export const momentOf = (clockMs: BrokerTimeMs, deals: readonly Deal[]): BrokerTimeMs =>
  deals.reduce((latest, { timeMs }) => Math.max(latest, timeMs), clockMs);

/** Deals are read again this far back each time, because bookings may come a little late. */
export const OVERLAP_MS = HOUR_MS;
/** A deal may have a time a little ahead of the clock that was read. */
export const AHEAD_MS = DAY_MS;
/** The progress of reading the account; none if it had another profile before. */
export async function syncOf({ database }: Context, account: BoundAccount): Promise<AccountSync> {
  const known = await findSync(database, account.number);
  return known?.profileId === account.profileId ? known : newSync(account, known);
}

/** For an account not read through its profile yet; `before` is of another profile, if any. */
export const newSync = (
  { number, profileId }: BoundAccount,
  before: AccountSync | undefined,
): AccountSync => ({
  ...{ accountNumber: number, profileId, version: before?.version ?? 0 },
  ...{ cursorMs: 0, provenAtMs: null, failures: 0, lastError: null, readAtMs: null },
  ...{ platformCurrency: null, platformLeverage: null },
});

/** Owner of transactions that store readings, so that requests do not wait for them. */
const PLATFORMS = { owner: 'platforms' };

/** Deals read from an account, and its progress before. */
export type StoredRange = {
  range: DealRange;
  deals: readonly Deal[];
  before: AccountSync;
  /** Broker time up to which its deals are read now. */
  cursorMs: BrokerTimeMs;
  /** Whether stored deals that the platform no longer has are removed; by default they are. */
  isWhole?: boolean;
};

/** The outcome of storing a reading: the new deals, or why nothing was stored. */
export type StoredReading = { added: Deal[]; sync: AccountSync } | 'gone' | 'stale';

/**
 * Stores the deals read in a range, and the cursor at its end, in one transaction. Stores nothing
 * if the account was deleted or got another profile (`gone`), or if other deals of it were stored
 * since `before` (`stale`): older readings must not undo newer ones.
 */
export function storeAccountReading(
  context: Context,
  account: BoundAccount,
  found: StoredRange,
): Promise<StoredReading> {
  return context.changes.record((tx) => storeIn(tx, context.now, account, found), PLATFORMS);
}

/** Does so for several accounts in one transaction, in order of number. */
export function storeReadings(
  context: Context,
  readings: readonly { account: BoundAccount; found: StoredRange }[],
): Promise<Map<number, StoredReading>> {
  const inOrder = readings.toSorted((a, b) => a.account.number - b.account.number);
  return context.changes.record(async (tx) => {
    const stored = new Map<number, StoredReading>();
    for (const { account, found } of inOrder)
      stored.set(account.number, await storeIn(tx, context.now, account, found));
    return stored;
  }, PLATFORMS);
}

async function storeIn(
  tx: ChangeTransaction,
  clock: () => number,
  account: BoundAccount,
  { range, deals, before, cursorMs, isWhole = true }: StoredRange,
): Promise<StoredReading> {
  const current = await lockAccount(tx, account.number);
  if (current?.profileId !== account.profileId) return 'gone';
  const now = await findSync(tx, account.number);
  if ((now?.version ?? 0) !== before.version) return 'stale';
  const isSame = now?.profileId === account.profileId;
  const sync = {
    ...before,
    ...{ version: before.version + 1, cursorMs, failures: 0, lastError: null },
    ...{ provenAtMs: isSame ? now.provenAtMs : null, readAtMs: clock() },
    platformCurrency: isSame ? now.platformCurrency : null,
    platformLeverage: isSame ? now.platformLeverage : null,
  };
  await saveSync(tx, sync);
  const { added } = await reconcileDeals(tx, current, range, deals, isWhole);
  return { added, sync };
}

/** Sends states of accounts to the live side. */
export type RecordReadings = (readings: readonly AccountReading[]) => Promise<void>;
