import type { Row, Sql, SqlValue, Transaction } from './database.ts';
import { plain, RecordTable, wordColumn } from './record-table.ts';
import { databaseClock, forChange, forShare } from './sql-text.ts';

/** Kinds of jobs that one process does at a time; a key says which of them. */
export type ClaimKind = 'partition' | 'breach-action' | 'profile' | 'webhook' | 'import' | 'mail';

/** A process that does a job. No two claims ever have the same fence: see src/claims/claims.ts. */
export type Claim = { kind: ClaimKind; key: string; fence: number };

/** The beat of the server of an embedded database, which needs none: it holds the folder. */
export const ALONE = -1;

/** A process as others see it; `beat` moves while it lives. */
export type ProcessRow = {
  id: string;
  beat: number;
  /** Kinds of jobs that it takes a share of. */
  shares: ClaimKind[];
  startedAtMs: number;
  /** The machine, when it was last heard of by its own clock, and JSON: for operators. */
  host: string;
  seenAtMs: number;
  report: string | null;
  /** Identifies it to others on its machine; null if that is not possible. */
  mark: string | null;
  /** The newest schema it knows, and the ids of the keys in its settings. */
  schemaVersion: number;
  keyIds: string[];
};

const PROCESS = new RecordTable<ProcessRow>('process', {
  id: plain('id'),
  beat: plain('beat'),
  shares: wordColumn('shares'),
  startedAtMs: plain('started_at_ms'),
  host: plain('host'),
  seenAtMs: plain('seen_at_ms'),
  report: plain('report'),
  mark: plain('mark'),
  schemaVersion: plain('schema_version'),
  keyIds: wordColumn('key_ids'),
});

/** Held while a process changes the schema, or joins those at work. */
export const SCHEMA_LOCK = 'plimsoll:migrate';

/**
 * Kinds that a silent process keeps until it is gone: taking them over would do or undo work twice.
 */
const LASTING = "('mail', 'import')";

/** A condition: no process has claimed the job whose key is in a column or expression. */
export const isUnclaimed = (kind: ClaimKind, key: string): string =>
  `not exists (select 1 from claim where claim.kind = '${kind}'
     and claim.key = cast(${key} as text))`;

/** Claims those of the jobs that are free. */
export async function insertClaims(
  tx: Transaction,
  kind: ClaimKind,
  keys: readonly string[],
  holder: string,
): Promise<Claim[]> {
  if (keys.length === 0) return [];
  const params: SqlValue[] = [kind, holder];
  // In order, so that two processes that want the same jobs never deadlock.
  const rows = keys.toSorted().map((key) => `($1, $${params.push(key)}, $2)`);
  return tx.all<Row & Claim>(
    `insert into claim (kind, key, holder) values ${rows.join(', ')}
     on conflict (kind, key) do nothing returning kind, key, fence`,
    params,
  );
}

/** Whether a claim still holds. If so, it holds until the end of the transaction. */
export async function isClaimed(tx: Transaction, fence: number): Promise<boolean> {
  const row = await tx.get(`select 1 as held from claim where fence = $1 ${forShare(tx.kind)}`, [
    fence,
  ]);
  return row !== undefined;
}

/** False if it was lost before. */
export async function deleteClaim(sql: Sql, fence: number): Promise<boolean> {
  return (await sql.run('delete from claim where fence = $1', [fence])) > 0;
}

export async function listFencesOf(sql: Sql, holder: string): Promise<number[]> {
  const rows = await sql.all<{ fence: number }>('select fence from claim where holder = $1', [
    holder,
  ]);
  return rows.map(({ fence }) => fence);
}

/** Ends the claims of unknown processes. */
export async function deleteUnknownClaims(sql: Sql): Promise<void> {
  await sql.run(
    'delete from claim where not exists (select 1 from process where process.id = claim.holder)',
  );
}

/**
 * A sign of life of a process that has joined. Returns the time by the database's clock; undefined
 * if the process is no longer listed. On SQLite only within a transaction.
 */
export async function showProcess(sql: Sql, process: ProcessRow): Promise<number | undefined> {
  const { id, beat, shares, seenAtMs, report } = process;
  const row = await sql.get<{ at: number }>(
    `update process set beat = $2, shares = $3, seen_at_ms = $4, report = $5 where id = $1
     returning ${databaseClock(sql.kind)} as at`,
    [id, beat, shares.join(' '), seenAtMs, report],
  );
  return row?.at;
}

/**
 * Joins the processes of the database, whose schema then stays one that this process knows. False
 * if a newer version has changed it already.
 */
export async function joinProcesses(tx: Transaction, process: ProcessRow): Promise<boolean> {
  await tx.lock(SCHEMA_LOCK);
  const newer = await tx.get('select 1 as newer from schema_migration where oldest_version > $1', [
    process.schemaVersion,
  ]);
  if (newer) return false;
  await tx.run(`${PROCESS.insert()} on conflict (id) ${PROCESS.replace('id')}`, [
    ...PROCESS.values(process),
  ]);
  return true;
}

/** In the order of their starts. */
export const listProcesses = (sql: Sql): Promise<ProcessRow[]> =>
  PROCESS.all(sql, 'order by started_at_ms, id');

/**
 * Ends the claims of a process that has given no sign of life since then: all of them if it is
 * gone, otherwise only the urgent ones. Returns how many.
 */
export async function buryProcess(
  tx: Transaction,
  { id, beat }: Pick<ProcessRow, 'id' | 'beat'>,
  isGone: boolean,
): Promise<number> {
  const still = await tx.get(
    `select 1 as still from process where id = $1 and beat = $2 ${forChange(tx.kind)}`,
    [id, beat],
  );
  if (!still) return 0;
  const which = isGone ? '' : `and kind not in ${LASTING}`;
  const ended = await tx.run(`delete from claim where holder = $1 ${which}`, [id]);
  if (isGone) await tx.run('delete from process where id = $1', [id]);
  return ended;
}

/** Forgets the previous server of the embedded database. */
export async function removeAlone(tx: Transaction): Promise<void> {
  await tx.run('delete from process where beat = $1', [ALONE]);
}

/** Ends all claims of a process that stops. */
export async function removeProcess(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from claim where holder = $1', [id]);
  await tx.run('delete from process where id = $1', [id]);
}
