import { restoreLiveAccount } from '../domain/live/live-account-codec.ts';
import { moneyDigits } from '../domain/money.ts';
import { type AccountFacts, findNumberedFacts } from '../storage/account-store.ts';
import type { Sql } from '../storage/database.ts';
import { readEnrolmentDefinitions } from '../storage/enrolment-store.ts';
import { readWatchedEvents } from '../storage/evidence-store.ts';
import { readLiveAccounts, type StoredLiveAccount } from '../storage/live-store.ts';
import { readDefinitions } from '../storage/tracker-store.ts';
import { numbersOfBytes } from './recent-snapshots.ts';
import { type AccountMemory, TrackedAccount } from './tracked-account.ts';

/** An account as stored, or why its state cannot be read. */
export type LoadedAccount = {
  number: number;
  /** The quarantine noted in its row, if any. */
  park: string | undefined;
  /** Entries up to here are in its state, or wait in the quarantine. */
  position: number;
  account: TrackedAccount | undefined;
  damage: unknown;
};

/**
 * Reads accounts with their live state, each as of its own position. Deleted accounts are left out.
 * Trackers missing in the state come with the journal. The state of an account in quarantine is
 * read only with `alsoParked`.
 */
export async function loadAccounts(
  sql: Sql,
  numbers: readonly number[],
  memory: AccountMemory,
  { alsoParked = false } = {},
): Promise<LoadedAccount[]> {
  // Facts first: a change of an account's clock records the previous one in its live state.
  const accounts = await findNumberedFacts(sql, numbers);
  const [rows, definitions, enrolments, watched] = await Promise.all([
    readLiveAccounts(sql, numbers),
    readDefinitions(sql, numbers),
    readEnrolmentDefinitions(sql, numbers),
    readWatchedEvents(sql, numbers),
  ]);
  const stored = new Map(rows.map((row) => [row.accountNumber, row]));
  const watches = Map.groupBy(watched, ({ accountNumber }) => accountNumber);
  return accounts.map((account) => {
    const row = stored.get(account.number);
    const park = row?.park;
    const found = { number: account.number, park, position: row?.position ?? 0 };
    if (park !== undefined && !alsoParked) {
      return { ...found, account: undefined, damage: undefined };
    }
    try {
      const tracked = makeAccount(account, row, memory);
      if (row?.state) {
        const own = {
          trackers: definitions.get(account.number) ?? [],
          enrolments: enrolments.get(account.number) ?? [],
        };
        restoreLiveAccount(tracked, row.state, own, memory.rules);
      }
      if (row?.settleDueUtcMs !== undefined) tracked.settleDueUtcMs = row.settleDueUtcMs;
      if (row?.recent) memory.recent.restore(tracked, row.recent);
      // An event missing in the state is found again with its entry.
      const known = watches
        .get(account.number)
        ?.filter((event) => event.position <= found.position);
      tracked.watches = known?.map(({ trackerId, kind, startTimeMs, round, after }) => ({
        ...{ trackerId, kind, startTimeMs, round },
        after: [...numbersOfBytes(after)],
        isDirty: false,
      }));
      return { ...found, account: tracked, damage: undefined };
    } catch (damage) {
      return { ...found, account: undefined, damage };
    }
  });
}

const makeAccount = (
  { number, id, brokerClock, currency }: AccountFacts,
  row: StoredLiveAccount | undefined,
  memory: AccountMemory,
): TrackedAccount =>
  new TrackedAccount(
    {
      number,
      id,
      brokerClock: row?.clock ?? brokerClock,
      moneyDigits: moneyDigits(currency),
      position: row?.position ?? 0,
    },
    memory,
  );
