import type { Database } from '../src/storage/database.ts';
import type { Bench, BenchRow, Result } from './row.ts';

type Kind = Database['kind'];

/** Runs a row on each database that the bench is for, one after the other. */
export const onDatabases =
  (runOn: (bench: Bench, kind: Kind) => Promise<Result | Result[]>): BenchRow['run'] =>
  async (bench) => {
    const results: Result[] = [];
    for (const kind of bench.databases) results.push(...[await runOn(bench, kind)].flat());
    return results;
  };

/** As people write it. */
export const labelOf = (kind: Kind): string => (kind === 'sqlite' ? 'SQLite' : 'PostgreSQL');
