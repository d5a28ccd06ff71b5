import type { Database, Row } from './database.ts';

/**
 * Seconds by which the clock of this process is ahead of the database's, give or take half the way
 * there and back; 0 on SQLite, which has no other clock.
 */
export async function readClockDifference(
  database: Pick<Database, 'kind' | 'get'>,
  now: () => number,
): Promise<number> {
  if (database.kind === 'sqlite') return 0;
  const askedMs = now();
  const row = await database.get<Row & { at_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as at_ms',
  );
  return ((askedMs + now()) / 2 - Number(row?.at_ms)) / 1000;
}
