import { isClaimed, listProcesses, type ProcessRow } from './claim-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { numberOf } from './sql-text.ts';

export type PartitionRow = {
  partition: number;
  /** Entries up to here are folded and stored. */
  position: number;
  /** The fence of its owner's claim: a former owner that still tries to write finds another. */
  epoch: number | null;
  owner: string | null;
};

/** A partition that some process folds. */
export type OwnedPartition = Pick<PartitionRow, 'partition' | 'position'> & { epoch: number };

const WITH_OWNER = `select partition_id as partition, position, fence as epoch, holder as owner
  from journal_partition left join claim
    on claim.kind = 'partition' and claim.key = cast(partition_id as text)`;

/** The partitions in order. Their number never changes. */
export async function readPartitions(sql: Sql): Promise<PartitionRow[]> {
  const rows = await sql.all<Row & PartitionRow>(`${WITH_OWNER} order by partition_id`);
  return rows.map((row) => ({ ...row }));
}

/** The stored position of a partition that was just claimed. */
export async function readPosition(tx: Transaction, partition: number): Promise<number> {
  const row = await tx.get<{ position: number }>(
    'select position from journal_partition where partition_id = $1',
    [partition],
  );
  if (!row) throw new Error(`Invariant: there is no partition ${partition}`);
  return row.position;
}

/** Everything stored from now on has this position of the journal or a later one. */
export const readLeastPosition = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select min(position) as position from journal_partition');

/** Another process has taken the partition over: this one must no longer write to it. */
export class PartitionLost extends Error {
  override readonly name = 'PartitionLost';
  constructor(partition: number) {
    super(`Another process owns partition ${partition}`);
  }
}

/**
 * Throws PartitionLost unless the epoch still owns the partition. If so, no other can take it until
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

/** The progress of a process, for operators. */
export type MemberReport = {
  /** The newest position known to it. */
  head: number;
  /** Its partitions: the folded position, and the time of the last complete storing. */
  partitions: { partition: number; folded: number; storedAtMs: number | undefined }[];
};

/** The report of a process that folds; times are by its own clock. */
export type Member = Omit<ProcessRow, 'report'> & { isLeaving: boolean; report: MemberReport };

/** The last report of each process that folds, in the order they started. */
export async function readMembers(sql: Sql): Promise<Member[]> {
  const processes = await listProcesses(sql);
  return processes.flatMap(({ report, ...process }) => {
    const isLeaving = !process.shares.includes('partition');
    return report === null
      ? []
      : [{ ...process, isLeaving, report: JSON.parse(report) as MemberReport }];
  });
}
