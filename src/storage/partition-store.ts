import type { Database, Row, Sql, Transaction } from './database.ts';

export type PartitionRow = {
  partition: number;
  /** Entries up to here are folded and stored. */
  position: number;
  epoch: number;
  owner: string | null;
  beat: number;
};

type Stored = Row & {
  partition_id: number;
  position: number;
  epoch: number;
  owner: string | null;
  beat: number;
};

/** The partitions in order; those that were never there before are made. */
export async function readPartitions(database: Database, count: number): Promise<PartitionRow[]> {
  const read = () => database.all<Stored>('select * from journal_partition order by partition_id');
  let rows = await read();
  if (rows.length < count) {
    await database.transaction(async (tx) => {
      for (let partition = 0; partition < count; partition += 1) {
        await tx.run(
          `insert into journal_partition (partition_id, position, epoch, owner, beat)
           values ($1, 0, 0, null, 0) on conflict (partition_id) do nothing`,
          [partition],
        );
      }
    });
    rows = await read();
  }
  return rows.map(partitionOfRow);
}

/**
 * Takes a partition over from the owner that was seen, unless it has moved since: every owner has an
 * epoch of its own, and what a former one still wants to write meets another epoch.
 */
export async function claimPartition(
  sql: Sql,
  seen: PartitionRow,
  owner: string,
): Promise<PartitionRow | undefined> {
  const row = await sql.get<Stored>(
    `update journal_partition set epoch = epoch + 1, owner = $2, beat = beat + 1
     where partition_id = $1 and epoch = $3 and beat = $4 returning *`,
    [seen.partition, owner, seen.epoch, seen.beat],
  );
  return row && partitionOfRow(row);
}

/** A sign of life for everything that the owner holds. */
export async function beatPartitions(sql: Sql, owner: string): Promise<void> {
  await sql.run('update journal_partition set beat = beat + 1 where owner = $1', [owner]);
}

/** Lets go, so that another may take it at once. */
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
 * Lets a transaction go on only if the epoch still owns the partition, and keeps others from taking
 * it until the end of the transaction. Moves the position where one is given.
 */
export async function fence(
  tx: Transaction,
  partition: number,
  epoch: number,
  position?: number,
): Promise<void> {
  const changed = await tx.run(
    `update journal_partition set beat = beat + 1, position = coalesce($3, position)
     where partition_id = $1 and epoch = $2`,
    [partition, epoch, position ?? null],
  );
  if (changed !== 1) throw new PartitionLost(partition);
}

const partitionOfRow = (row: Stored): PartitionRow => ({
  partition: row.partition_id,
  position: row.position,
  epoch: row.epoch,
  owner: row.owner,
  beat: row.beat,
});
