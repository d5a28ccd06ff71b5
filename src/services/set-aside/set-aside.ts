import { StoredCommit } from '../../journal/commit-codec.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { findNumbered } from '../../storage/account-store.ts';
import {
  type DamagedEntry,
  findDamagedEntry,
  listDamagedEntries,
} from '../../storage/damaged-entry-store.ts';
import {
  findParkedAccount,
  listParkedAccounts,
  readParkedEntries,
} from '../../storage/live-store.ts';
import type { Context } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { isoTime } from '../present-time.ts';

/**
 * Data that the journal set aside: an account in quarantine, from the entry on that could not be
 * folded, or an entry that could not be read at all.
 */
export type Target =
  | { kind: 'account'; accountNumber: number }
  | { kind: 'entry'; partition: number; position: number };

export type SetAside = {
  /** Its name for the other commands: `account:12` or `entry:3:9051`. */
  target: string;
  reason: string;
  /** The journal's entry that could not be folded or read. */
  position: number;
  userId: string | undefined;
  accountId: string | undefined;
};

/** A waiting entry. */
export type WaitingEntry = {
  position: number;
  receivedTime: string;
  snapshots: number;
  deals: number;
  command: string | undefined;
};

const MAX_LISTED = 1000;
const MAX_SHOWN = 1000;

/** Everything set aside, accounts first; at most MAX_LISTED of each kind. */
export async function listSetAside({ database }: Context): Promise<SetAside[]> {
  const parked = await listParkedAccounts(database, MAX_LISTED);
  const numbers = parked.map(({ accountNumber }) => accountNumber);
  const accounts = await findNumbered(database, numbers);
  const known = new Map(accounts.map((account) => [account.number, account]));
  const damaged = await listDamagedEntries(database, MAX_LISTED);
  return [
    ...parked.map(({ accountNumber, park }) => {
      const { reason, position } = JSON.parse(park) as { reason: string; position: number };
      const account = known.get(accountNumber);
      const target = `account:${accountNumber}`;
      return { target, reason, position, userId: account?.userId, accountId: account?.id };
    }),
    ...damaged.map(({ partition, position, reason }) => ({
      ...{ target: `entry:${partition}:${position}`, reason, position },
      ...{ userId: undefined, accountId: undefined },
    })),
  ];
}

/** The entries of a target, oldest first, at most MAX_SHOWN. Throws ServiceError if it is gone. */
export async function showSetAside(context: Context, target: Target): Promise<WaitingEntry[]> {
  const { database } = context;
  if (target.kind === 'entry') {
    const { position } = target;
    const entry = readDamaged(target, await findDamaged(context, target));
    return entry ? [describe(position, entry)] : [];
  }
  const { accountNumber } = target;
  const parked = await findParkedAccount(database, accountNumber);
  if (!parked) throw notFound('Quarantined account');
  const rows = await readParkedEntries(database, accountNumber, 0, MAX_SHOWN);
  return rows.flatMap(({ position, body }) => {
    const entry = new StoredCommit(position, body).entryOf(0);
    return entry ? [describe(position, entry)] : [];
  });
}

/** Reads `account:12` and `entry:3:9051`. Throws ServiceError. */
export function readTarget(text: string): Target {
  const [, account, partition, position] =
    /^(?:account:(\d{1,15})|entry:(\d{1,4}):(\d{1,15}))$/.exec(text) ?? [];
  if (account !== undefined) return { kind: 'account', accountNumber: Number(account) };
  if (partition !== undefined && position !== undefined) {
    return { kind: 'entry', partition: Number(partition), position: Number(position) };
  }
  throw invalidParameter('target', 'must be account:NUMBER or entry:PARTITION:POSITION');
}

/** Throws ServiceError if no such entry is set aside. */
export async function findDamaged(
  { database }: Pick<Context, 'database'>,
  { partition, position }: Extract<Target, { kind: 'entry' }>,
): Promise<DamagedEntry['body']> {
  const body = await findDamagedEntry(database, partition, position);
  if (!body) throw notFound('Entry set aside');
  return body;
}

/** Undefined if it has nothing to fold. Throws ServiceError if it still cannot be read. */
export function readDamaged(
  { partition, position }: Extract<Target, { kind: 'entry' }>,
  body: Uint8Array,
): JournalEntry | undefined {
  try {
    return new StoredCommit(position, body).entryOf(partition);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidParameter('target', `still cannot be read: ${reason}`);
  }
}

const describe = (position: number, entry: JournalEntry): WaitingEntry => ({
  position,
  receivedTime: isoTime(entry.receivedUtcMs),
  snapshots: entry.rowCount,
  deals: entry.deals.length,
  command: entry.command?.kind,
});
