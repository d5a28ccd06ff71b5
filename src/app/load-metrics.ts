import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { statementThreads } from '../statements/thread/reading-threads.ts';
import { readMostHeldBytes } from '../storage/holding-store.ts';
import type { Live } from './live.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** Resources held by this process for unanswered requests. Without requests all are 0. */
export function registerLoadMetrics(
  registry: Registry,
  { reader, snapshots }: Pick<Live, 'reader' | 'snapshots'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'plimsoll_statement_threads',
    help: 'Threads that read a statement, or hold one that is being stored',
    registers,
    collect() {
      this.set(statementThreads());
    },
  });
  new Gauge({
    name: 'plimsoll_waiting_snapshot_bytes',
    help: 'Bytes of snapshot bodies that are waiting to be read or stored',
    labelNames: ['stage'],
    registers,
    collect() {
      this.labels('reading').set(reader.waitingBytes);
      this.labels('storing').set(snapshots.waitingBytes);
    },
  });
}

/** Sizes of caches of bytes, counted as for their bounds. */
export function registerCacheMetrics(
  registry: Registry,
  caches: Readonly<Record<string, { readonly bytes: number }>>,
): void {
  new Gauge({
    name: 'plimsoll_cache_bytes',
    help: 'Bytes of answers that are kept for repeated requests',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, { bytes }] of Object.entries(caches)) this.labels(cache).set(bytes);
    },
  });
}

/** All users are looked at for it, so not at every scrape. */
const MOST_HELD_MS = 60_000;

/** What the user has stored who has most: one who fills the disk is seen before it is full. */
export function registerStoredMetrics(
  registry: Registry,
  { database, changes, now }: Pick<Context, 'database' | 'changes' | 'now'>,
): void {
  const share = new Gauge({
    name: 'plimsoll_most_stored_share',
    help: 'The same as a share of the limit; 0 without a limit',
    registers: [registry],
  });
  let readAtMs = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'plimsoll_most_stored_bytes',
    help: 'Bytes stored by the user who has most',
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      if (now() - readAtMs < MOST_HELD_MS) return;
      readAtMs = now();
      const bytes = await readMostHeldBytes(database);
      this.set(bytes);
      share.set(bytes / changes.mostBytes);
    }),
  });
}
