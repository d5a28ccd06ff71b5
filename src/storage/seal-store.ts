import { HASH_BYTES, type Hash, type Subtree } from '../domain/evidence/merkle-tree.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import { bytes, optional, plain, RecordTable } from './record-table.ts';
import { allIn, inSlices, numberOf, places, someRows } from './sql-text.ts';

/** An event as a leaf of its user's tree. */
export type StoredSeal = {
  userId: string;
  /** Counts the user's sealed events, from 1. */
  place: number;
  sequenceNumber: number;
  accountNumber: number;
  /** Of the subtrees that the leaf completes, itself first. */
  hashes: Buffer;
  /** The bytes of the leaf; undefined if these, or the account, were deleted. */
  statement: string | undefined;
};

const SEAL = new RecordTable<StoredSeal>('event_seal', {
  userId: plain('user_id'),
  place: plain('place'),
  sequenceNumber: plain('sequence_number'),
  accountNumber: plain('account_number'),
  hashes: bytes('hashes'),
  statement: optional('statement'),
});

/** The signed head of a user's tree. */
export type StoredTree = { userId: string; size: number; head: string };

export const TREE = new RecordTable<StoredTree>('seal_tree', {
  userId: plain('user_id'),
  size: plain('size'),
  head: plain('head'),
});

/** An event to be sealed, with the snapshots up to it. */
export type UnsealedEvent = StoredEvent & { before: Uint8Array };

/** Everything up to this number is sealed. */
export const readSealHead = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select last_number from seal_head where id = 1');

/** An event whose row is read only when it is its turn: one that cannot be read stops no other. */
export type WaitingEvent = Pick<StoredEvent, 'sequenceNumber' | 'userId' | 'accountNumber'> & {
  read(): UnsealedEvent;
};

/** Numbered events after a number, which are not sealed yet, in order: of all, or of one user. */
export async function readUnsealed(
  sql: Sql,
  { after, upTo = Number.MAX_SAFE_INTEGER, userId }: SealPart,
  limit: number,
): Promise<WaitingEvent[]> {
  type Waiting = Row & { sequence_number: number; user_id: string } & {
    account_number: number;
    before_breach: Uint8Array;
  };
  const rows = await sql.all<Waiting>(
    `select ${EVENT_COLUMNS}, before_breach from tracker_event
     where sequence_number > $1 and sequence_number <= $2 ${userId === undefined ? '' : 'and user_id = $4'}
     order by sequence_number limit $3`,
    [after, upTo, limit, ...(userId === undefined ? [] : [userId])],
  );
  return rows.map((row) => ({
    ...{ sequenceNumber: row.sequence_number, userId: row.user_id },
    accountNumber: row.account_number,
    read: () => ({ ...eventOf(row), before: row.before_breach }),
  }));
}

/** Events between two numbers. */
export type SealPart = { after: number; upTo?: number; userId?: string };

/** How many events are not sealed yet, counted up to a limit. */
export const countUnsealed = (sql: Sql, head: number, limit: number): Promise<number> =>
  numberOf(
    sql,
    `select count(*) as count from (
       select 1 from tracker_event where sequence_number > $1 limit $2
     ) as waiting`,
    [head, limit],
  );

/** Notes that everything up to a number is sealed. */
export async function advanceSeals(tx: Transaction, sequenceNumber: number): Promise<void> {
  await tx.run('update seal_head set last_number = $1 where id = 1', [sequenceNumber]);
}

export const insertSeal = (tx: Transaction, seal: StoredSeal): Promise<void> => SEAL.add(tx, seal);

/** Undefined if the user has no sealed events. */
export const findTree = (sql: Sql, userId: string): Promise<StoredTree | undefined> =>
  TREE.get(sql, 'where user_id = $1', [userId]);

export async function saveTree(tx: Transaction, tree: StoredTree): Promise<void> {
  await tx.run(
    `${TREE.insert()} on conflict (user_id) ${TREE.replace('user_id')}`,
    TREE.values(tree),
  );
}

/** The hashes of complete subtrees of a user's tree, each in the row of its last leaf. */
export async function readSubtrees(
  sql: Sql,
  userId: string,
  subtrees: readonly Subtree[],
): Promise<(subtree: Subtree) => Hash> {
  type Hashes = Row & { place: number; hashes: Uint8Array };
  const placeOf = ({ level, index }: Subtree): number => (index + 1) * 2 ** level;
  const rows = await allIn<Hashes>(
    sql,
    [...new Set(subtrees.map(placeOf))],
    (list) => `select place, hashes from event_seal where user_id = $1 and place in (${list})`,
    [userId],
  );
  const found = new Map(rows.map(({ place, hashes }) => [place, Buffer.from(hashes)]));
  return (subtree) => {
    const start = subtree.level * HASH_BYTES;
    const hash = found.get(placeOf(subtree))?.subarray(start, start + HASH_BYTES);
    if (hash?.length !== HASH_BYTES) throw new Error('Invariant: a seal has the hashes it ends');
    return hash;
  };
}

/** Whether a user has seals that the head of a size does not cover. */
export async function hasSealsBeyond(sql: Sql, userId: string, size: number): Promise<boolean> {
  const beyond = 'select 1 as found from event_seal where user_id = $1 and place > $2 limit 1';
  return (await sql.get(beyond, [userId, size])) !== undefined;
}

/** Whose tree has an event. */
export async function ownerOfSeal(sql: Sql, sequenceNumber: number): Promise<string | undefined> {
  const row = await sql.get<{ user_id: string }>(
    'select user_id from event_seal where sequence_number = $1',
    [sequenceNumber],
  );
  return row?.user_id;
}

/** The seal of an event of the user's. */
export const findSeal = (
  sql: Sql,
  userId: string,
  sequenceNumber: number,
): Promise<StoredSeal | undefined> =>
  SEAL.get(sql, 'where sequence_number = $1 and user_id = $2', [sequenceNumber, userId]);

/** A user's seals from a place on, in order. */
export const listSeals = (
  sql: Sql,
  userId: string,
  fromPlace: number,
  limit: number,
): Promise<StoredSeal[]> =>
  SEAL.all(sql, 'where user_id = $1 and place >= $2 order by place limit $3', [
    userId,
    fromPlace,
    limit,
  ]);

/** Removes the statements in the seals of deleted events. */
export async function forgetStatements(
  tx: Transaction,
  sequenceNumbers: readonly number[],
): Promise<void> {
  const which = `sequence_number in (${places(1, sequenceNumbers.length)})`;
  await sealWithoutStatements(tx, which, sequenceNumbers);
}

/** Removes the statements for some events of a deleted account. Returns for how many. */
export function forgetAccountStatements(
  tx: Transaction,
  accountNumber: number,
  limit: number,
): Promise<number> {
  const some = 'account_number = $1 and statement is not null limit $2';
  const which = someRows(tx.kind, 'event_seal', some);
  return sealWithoutStatements(tx, which, [accountNumber, limit]);
}

/**
 * The seals stay in the chain, or it could not be shown that no others were removed. They are
 * inserted again, because SQLite keeps the space of a row that only gets shorter.
 */
async function sealWithoutStatements(
  tx: Transaction,
  which: string,
  parameters: readonly number[],
): Promise<number> {
  const rows = await tx.all(
    `delete from event_seal where ${which} returning ${SEAL.list}`,
    parameters,
  );
  await inSlices(rows.map(SEAL.read), async (slice) => {
    const left = slice.map((seal) => ({ ...seal, statement: undefined }));
    await tx.run(
      SEAL.insert(slice.length),
      left.flatMap((seal) => SEAL.values(seal)),
    );
  });
  return rows.length;
}
