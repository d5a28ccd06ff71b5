import type { Database, Row, Sql, Transaction } from './database.ts';
import { forShare } from './sql-text.ts';

export type PartitionRow = {
  partition: number;
  /** Entries up to here are folded and stored. */
  position: number;
  /** Counts the owners: a former one finds another epoch if it still tries to write. */
  epoch: number;
  owner: string | null;
};

const COLUMNS = 'partition_id as partition, position, epoch, owner';

/** The partitions in order. Their number never changes. */
export async function readPartitions(sql: Sql): Promise<PartitionRow[]> {
  const rows = await sql.all<Row & PartitionRow>(
    `select ${COLUMNS} from journal_partition order by partition_id`,
  );
  return rows.map((row) => ({ ...row }));
}

/** Everything that is stored from now on has this position of the journal or a later one. */
export async function readLeastPosition(sql: Sql): Promise<number> {
  const row = await sql.get<{ position: number | null }>(
    'select min(position) as position from journal_partition',
  );
  return row?.position ?? 0;
}

/** Takes over a partition from the owner that was seen, unless somebody else was quicker. */
export async function claimPartition(
  database: Database,
  { partition, epoch }: PartitionRow,
  owner: string,
): Promise<PartitionRow | undefined> {
  return database.transaction(async (tx) => {
    const row = await tx.get<Row & PartitionRow>(
      `update journal_partition set epoch = epoch + 1, owner = $3
       where partition_id = $1 and epoch = $2 returning ${COLUMNS}`,
      [partition, epoch, owner],
    );
    return row && { ...row };
  });
}

/** Gives the partition up, so that another process can take it at once. */
export async function releasePartition(sql: Sql, partition: number, epoch: number): Promise<void> {
  await sql.run(
    'update journal_partition set owner = null where partition_id = $1 and epoch = $2',
    [partition, epoch],
  );
}

/** Another process has taken the partition over: nothing may be written to it any more. */
export class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
  constructor(partition: number) {
    super(`Another process owns partition ${partition}`);
  }
}

/**
 * Whether the epoch still owns the partition. If so, nobody can take it until the end of the
 * transaction.
 */
export async function isOwner(tx: Transaction, partition: number, epoch: number): Promise<boolean> {
  const row = await tx.get(
    `select 1 as owned from journal_partition where partition_id = $1 and epoch = $2
     ${forShare(tx.kind)}`,
    [partition, epoch],
  );
  return row !== undefined;
}

/** Throws PartitionLost unless isOwner. */
export async function fence(tx: Transaction, partition: number, epoch: number): Promise<void> {
  if (!(await isOwner(tx, partition, epoch))) throw new PartitionLost(partition);
}

/** Throws PartitionLost if another owns the partition by now: rows just read may be its own. */
export async function checkOwner(sql: Sql, partition: number, epoch: number): Promise<void> {
  const row = await sql.get(
    'select 1 as owned from journal_partition where partition_id = $1 and epoch = $2',
    [partition, epoch],
  );
  if (!row) throw new PartitionLost(partition);
}

/**
 * A process that folds; `beat` moves while it lives. A leaving one takes no share. `mark` shows
 * others on its machine which process it is; null if that is not possible.
 */
export type Member = { id: string; beat: number; isLeaving: boolean; mark: string | null };

/** How far a process has come, for operators. */
export type MemberReport = {
  /** The newest position that it knows of. */
  head: number;
  /** What it owns: how far that is folded, and as of when all of it was last stored. */
  partitions: { partition: number; folded: number; storedAtMs: number | undefined }[];
};

/** What a process reports about itself; times are by its own clock. */
export type Beat = {
  id: string;
  host: string;
  startedAtMs: number;
  seenAtMs: number;
  isLeaving: boolean;
  report: MemberReport;
};

/** A sign of life; the first one announces the process. */
export async function beat(sql: Sql, member: Beat & Pick<Member, 'mark'>): Promise<void> {
  const { id, host, startedAtMs, seenAtMs, isLeaving, report, mark } = member;
  await sql.run(
    `insert into engine_member
       (id, beat, is_leaving, started_at_ms, host, seen_at_ms, report, mark)
     values ($1, 1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set beat = engine_member.beat + 1, is_leaving = $2,
       seen_at_ms = $5, report = $6`,
    [id, isLeaving ? 1 : 0, startedAtMs, host, seenAtMs, JSON.stringify(report), mark],
  );
}

/** In the order they started. */
export async function readMembers(sql: Sql): Promise<Member[]> {
  type MemberRow = Row & Omit<Member, 'isLeaving'> & { is_leaving: number };
  const rows = await sql.all<MemberRow>(
    'select id, beat, is_leaving, mark from engine_member order by started_at_ms, id',
  );
  return rows.map(({ is_leaving, ...row }) => ({ ...row, isLeaving: is_leaving === 1 }));
}

/** What each process reported last, in the order they started. */
export async function readBeats(sql: Sql): Promise<Beat[]> {
  type BeatRow = Row & Record<'id' | 'host' | 'report', string> & Record<string, number | string>;
  const rows = await sql.all<BeatRow>(
    `select id, host, started_at_ms, seen_at_ms, is_leaving, report from engine_member
     order by started_at_ms, id`,
  );
  return rows.map(({ id, host, report, ...row }) => ({
    id,
    host,
    startedAtMs: Number(row.started_at_ms),
    seenAtMs: Number(row.seen_at_ms),
    isLeaving: row.is_leaving === 1,
    report: JSON.parse(report) as MemberReport,
  }));
}

export async function removeMember(sql: Sql, id: string): Promise<void> {
  await sql.run('delete from engine_member where id = $1', [id]);
}
