import type { AccountRecord } from '../../contract/operations/accounts.ts';
import type { Account } from '../../storage/account-store.ts';
import { countUnknownDeals } from '../../storage/deal-store.ts';
import { findReadingStates, type ReadingState } from '../../storage/profile-reading-store.ts';
import { type AccountSync, findSyncs, OLD_STATE_MS } from '../../storage/sync-store.ts';
import type { Context } from '../context.ts';
import { isoTime } from '../present-time.ts';

type SyncRecord = NonNullable<AccountRecord['sync']>;

/** Accounts in the form of the API, in order; with a profile, also the state of reading them. */
export async function presentAccounts(
  { database, now }: Pick<Context, 'database' | 'now'>,
  accounts: readonly Account[],
): Promise<AccountRecord[]> {
  const bound = accounts.filter(({ profileId }) => profileId !== null);
  const syncs = new Map(
    (
      await findSyncs(
        database,
        bound.map(({ number }) => number),
      )
    ).map((sync) => [sync.accountNumber, sync]),
  );
  const profileIds = new Set(bound.flatMap(({ profileId }) => profileId ?? []));
  const states = new Map(
    (await findReadingStates(database, [...profileIds])).map((state) => [state.profileId, state]),
  );
  const numbers = accounts.map(({ number }) => number);
  const unknown = await countUnknownDeals(database, numbers);
  return accounts.map((account) => {
    const unknownDeals = unknown.get(account.number);
    const record = { ...recordOf(account), ...(unknownDeals ? { unknownDeals } : {}) };
    if (account.profileId === null) return record;
    const sync = syncs.get(account.number);
    // Readings through an earlier profile do not count.
    const own = sync?.profileId === account.profileId ? sync : undefined;
    return { ...record, sync: syncRecord(account, own, states.get(account.profileId), now()) };
  });
}

export async function presentAccount(
  context: Pick<Context, 'database' | 'now'>,
  account: Account,
): Promise<AccountRecord> {
  const [record] = await presentAccounts(context, [account]);
  return record ?? recordOf(account);
}

function recordOf(stored: Account): AccountRecord {
  const { number: _, userId: __, createdAtMs, profileId, silentAfterSeconds, ...account } = stored;
  return {
    ...account,
    ...(profileId === null ? {} : { profileId }),
    ...(silentAfterSeconds === undefined ? {} : { silentAfterSeconds }),
    marginMode: account.marginMode as AccountRecord['marginMode'],
    createdAt: isoTime(createdAtMs),
  };
}

function syncRecord(
  account: Account,
  sync: AccountSync | undefined,
  reading: ReadingState | undefined,
  nowMs: number,
): SyncRecord {
  const isFailing = (sync?.failures ?? 0) > 0;
  const why = isFailing ? sync?.lastError : reading?.lastError;
  const roundMs = reading?.readAtMs ?? account.createdAtMs;
  // Whatever the cause: perhaps no process reads accounts, or a clock is wrong.
  const lastError = why ?? (nowMs - roundMs > OLD_STATE_MS ? NOBODY_READS : undefined);
  const isRead = sync !== undefined && sync.cursorMs > 0;
  // A round reads all accounts without failures.
  const readAtMs = isRead && !isFailing ? (reading?.readAtMs ?? sync.readAtMs) : sync?.readAtMs;
  const differences = differencesOf(account, sync);
  return {
    state: stateOf(account, isRead, lastError),
    ...(readAtMs ? { lastReadAt: isoTime(readAtMs) } : {}),
    ...(lastError ? { lastError } : {}),
    ...(sync?.provenAtMs ? { provenAt: isoTime(sync.provenAtMs) } : {}),
    ...(Object.keys(differences).length > 0 ? { differences } : {}),
  };
}

const NOBODY_READS =
  'No process has read the accounts of this profile for a minute. Does one with the role jobs run?';

function stateOf(
  { deployed }: Account,
  isRead: boolean,
  lastError: string | null | undefined,
): SyncRecord['state'] {
  if (!deployed) return 'paused';
  if (lastError) return 'failing';
  return isRead ? 'working' : 'waiting';
}

function differencesOf(
  { currency, leverage }: Account,
  sync: AccountSync | undefined,
): NonNullable<SyncRecord['differences']> {
  const { platformCurrency, platformLeverage } = sync ?? {};
  return {
    ...(platformCurrency && platformCurrency !== currency ? { currency: platformCurrency } : {}),
    ...(platformLeverage && platformLeverage !== leverage ? { leverage: platformLeverage } : {}),
  };
}
