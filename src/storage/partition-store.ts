import { isClaimed, listProcesses, type ProcessRow } from './claim-store.ts';
import type { Row, Sql, Transaction } from './database.ts';

export type PartitionRow = {
  partition: number;
  /** Entries up to here are folded and stored. */
  position: number;
  /**
   * The fence of its owner's claim: a former owner finds another one if it still tries to write.
   */
  epoch: number | null;
  owner: string | null;
};

/** A partition that somebody folds. */
export type OwnedPartition = Pick<PartitionRow, 'partition' | 'position'> & { epoch: number };

const WITH_OWNER = `select partition_id as partition, position, fence as epoch, holder as owner
  from journal_partition left join claim
    on claim.kind = 'partition' and claim.key = cast(partition_id as text)`;

/** The partitions in order. Their number never changes. */
export async function readPartitions(sql: Sql): Promise<PartitionRow[]> {
  const rows = await sql.all<Row & PartitionRow>(`${WITH_OWNER} order by partition_id`);
  return rows.map((row) => ({ ...row }));
}

/** How far a partition was stored by its former owners, for one that has just claimed it. */
export async function readPosition(tx: Transaction, partition: number): Promise<number> {
  const row = await tx.get<{ position: number }>(
    'select position from journal_partition where partition_id = $1',
    [partition],
  );
  if (!row) throw new Error(`Invariant: there is no partition ${partition}`);
  return row.position;
}

/** Everything that is stored from now on has this position of the journal or a later one. */
export async function readLeastPosition(sql: Sql): Promise<number> {
  const row = await sql.get<{ position: number | null }>(
    'select min(position) as position from journal_partition',
  );
  return row?.position ?? 0;
}

/** Another process has taken the partition over: nothing may be written to it any more. */
export class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
  constructor(partition: number) {
    super(`Another process owns partition ${partition}`);
  }
}

/**
 * Throws PartitionLost unless the epoch still owns the partition. If so, nobody can take it until
 * the end of the transaction.
 */
export async function fence(tx: Transaction, partition: number, epoch: number): Promise<void> {
  if (!(await isClaimed(tx, epoch))) throw new PartitionLost(partition);
}

/** Throws PartitionLost if another owns the partition by now: rows just read may be its own. */
export async function checkOwner(sql: Sql, partition: number, epoch: number): Promise<void> {
  const row = await sql.get('select 1 as owned from claim where fence = $1', [epoch]);
  if (!row) throw new PartitionLost(partition);
}

/** How far a process has come, for operators. */
export type MemberReport = {
  /** The newest position that it knows of. */
  head: number;
  /** What it owns: how far that is folded, and as of when all of it was last stored. */
  partitions: { partition: number; folded: number; storedAtMs: number | undefined }[];
};

/** What a process that folds reports about itself; times are by its own clock. */
export type Member = Omit<ProcessRow, 'report'> & { isLeaving: boolean; report: MemberReport };

/** What each process that folds reported last, in the order they started. */
export async function readMembers(sql: Sql): Promise<Member[]> {
  const processes = await listProcesses(sql);
  return processes.flatMap(({ report, ...process }) => {
    const isLeaving = !process.shares.includes('partition');
    return report === null
      ? []
      : [{ ...process, isLeaving, report: JSON.parse(report) as MemberReport }];
  });
}
