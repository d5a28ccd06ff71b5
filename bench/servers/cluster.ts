import type { Database } from '../../src/storage/database.ts';
import { NatsCluster } from '../../test/servers/nats-cluster.ts';
import { type PlimsollProcess, startPlimsoll } from '../../test/servers/plimsoll-process.ts';
import { foldedBy, metricOf } from '../../test/servers/server-metrics.ts';
import { until } from '../../test/servers/until.ts';
import { forkTask } from '../forked.ts';
import type { Posted, PostSettings } from '../load/post-snapshots.ts';
import { cpuMsOf } from '../process-use.ts';
import { serve } from './plimsoll.ts';

const PARTITIONS = 16;
const FIRST_MS = Date.now() - 3 * 86_400_000;

/** How snapshots come: of accounts, over connections that are dealt out to the processes. */
export type Shape = { accounts: number; connections: number; rowsPerRequest: number };

/** So many processes on a PostgreSQL database, and a stream, of their own. */
export class Cluster {
  readonly size: number;
  readonly #servers: readonly PlimsollProcess[];
  /** Of each load, in µs a snapshot. */
  cpuMicros: number[] = [];
  refused = 0;
  #startMs = FIRST_MS;

  private constructor(servers: readonly PlimsollProcess[]) {
    this.size = servers.length;
    this.#servers = servers;
  }

  /** With `nats`, a nats-server, the journal is a stream of three of them. */
  static async start(
    stack: AsyncDisposableStack,
    size: number,
    seed: (database: Database) => Promise<unknown>,
    nats: string | undefined,
  ): Promise<Cluster> {
    const stream = nats ? await NatsCluster.start(nats) : undefined;
    if (stream) stack.defer(() => stream.stop());
    const settings: Record<string, string> = stream
      ? { NATS_URL: stream.url, NATS_MONITOR_URL: stream.monitors }
      : {};
    const first = await serve(stack, 'postgres', seed, settings);
    const servers = [first.server];
    for (let place = 1; place < size; place += 1) {
      const environment = { ...first.environment, ...settings, LOG_LEVEL: 'warn' };
      const server = await startPlimsoll(environment);
      stack.defer(async () => {
        await server.stop();
      });
      servers.push(server);
    }
    const cluster = new Cluster(servers);
    await until(() => cluster.#hasFairShares(), 'fair shares of the partitions');
    return cluster;
  }

  get addresses(): string[] {
    return this.#servers.map(({ address }) => address);
  }

  get pids(): number[] {
    return this.#servers.map(({ process: { pid = 0 } }) => pid);
  }

  /** Milliseconds of processor that its processes have used so far. */
  get cpuMs(): number {
    return this.pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  }

  /** Each process has all accounts looked up. */
  async meetAccounts(shape: Shape, seconds: number): Promise<void> {
    for (const { address } of this.#servers) {
      await this.load(shape, seconds / this.size, { to: [address] });
    }
  }

  /** The code has run. */
  async warmUp(shape: Shape, seconds: number): Promise<void> {
    await this.load(shape, seconds);
    this.cpuMicros = [];
    this.refused = 0;
  }

  /** Snapshots a second that were answered and folded. */
  async load(
    shape: Shape,
    seconds: number,
    { to = this.addresses, posted: tell = (_: Posted): void => {} } = {},
  ): Promise<number> {
    const [folded, cpuMs] = [await this.#folded(), this.cpuMs];
    const posted = await this.post(shape, seconds, { to });
    tell(posted);
    const ended = performance.now();
    const wanted = folded + posted.snapshots;
    await until(async () => (await this.#folded()) >= wanted, 'the fold of all snapshots');
    this.cpuMicros.push(((this.cpuMs - cpuMs) * 1000) / posted.snapshots);
    return posted.snapshots / (posted.seconds + (performance.now() - ended) / 1000);
  }

  /** At a pace where one is given, in snapshots a second, and without waiting for the fold. */
  async post(
    shape: Shape,
    seconds: number,
    { to = this.addresses, pace }: { to?: readonly string[]; pace?: number } = {},
  ): Promise<Posted> {
    const settings: PostSettings = {
      ports: to.map((address) => Number(new URL(address).port)),
      ...{ path: '/users/current/snapshots', format: 'ndjson', startMs: this.#startMs },
      ...{ seconds, ...shape, ...(pace !== undefined && { pace }) },
    };
    const posted = await forkTask<Posted>('load/post-snapshots.ts', settings);
    this.#startMs = posted.nextMs;
    this.refused += posted.refused;
    return posted;
  }

  async #hasFairShares(): Promise<boolean> {
    const owned = await Promise.all(
      this.addresses.map((address) => metricOf(address, 'plimsoll_owned_partitions')),
    );
    return owned.every((partitions) => partitions === PARTITIONS / this.size);
  }

  async #folded(): Promise<number> {
    const all = await Promise.all(this.addresses.map(foldedBy));
    return all.reduce((sum, snapshots) => sum + snapshots, 0);
  }
}
