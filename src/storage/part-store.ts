import type { Row, Sql, Transaction } from './database.ts';
import { inSlices, places, tuples } from './sql-text.ts';

/** Contributions of a stretch of an account's trades to the statistics of some parts, as texts. */
export type StoredSegment = { number: number; parts: { part: string; state: string }[] };

/** Stores a segment, replacing an existing one. */
export async function replaceSegment(
  tx: Transaction,
  accountNumber: number,
  { number, parts }: StoredSegment,
): Promise<void> {
  await tx.run('delete from trade_part where account_number = $1 and segment_number = $2', [
    accountNumber,
    number,
  ]);
  await inSlices(parts, async (slice) => {
    await tx.run(
      `insert into trade_part (account_number, part, segment_number, state)
       values ${tuples(slice.length, 4)}`,
      slice.flatMap(({ part, state }) => [accountNumber, part, number, state]),
    );
  });
}

/** Contributions of the segments in a range of numbers to some parts, by part and number. */
export async function readParts(
  sql: Sql,
  accountNumber: number,
  parts: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<{ part: string; segmentNumber: number; state: string }[]> {
  const rows = await sql.all<Row & { part: string; segment_number: number; state: string }>(
    `select part, segment_number, state from trade_part
     where account_number = $1 and segment_number >= $2 and segment_number < $3
       and part in (${places(4, parts.length)})`,
    [accountNumber, from, to, ...parts],
  );
  return rows.map(({ part, segment_number: segmentNumber, state }) => ({
    ...{ part, segmentNumber, state },
  }));
}
