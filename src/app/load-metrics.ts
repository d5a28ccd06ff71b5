import { Gauge, type Registry } from 'prom-client';
import { statementThreads } from '../statements/worker/read-in-worker.ts';
import type { Live } from './live.ts';

/** What this process holds for requests that are not answered yet. Nobody asks: all are 0. */
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

/** What caches of bytes hold, counted as they count it for their bounds. */
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
