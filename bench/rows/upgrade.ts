import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { freePort } from '../../test/servers/free-ports.ts';
import { NatsCluster } from '../../test/servers/nats-cluster.ts';
import { type PlimsollProcess, startPlimsoll } from '../../test/servers/plimsoll-process.ts';
import { until } from '../../test/servers/until.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { GOALS } from '../goals.ts';
import { REPLACEMENT_ACCOUNTS, ReplacementLoad } from '../load/replacement-load.ts';
import { judge } from '../measure.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { store } from '../servers/plimsoll.ts';

const PROCESSES = 3;
const TRACKERS = 3;
const GOAL_MS = 2000;
/** Until all accounts are in memory, and until what a replacement delayed has come. */
const CALM_MS = 10_000;
const AFTER_MS = 3000;

/**
 * Three processes are replaced one after another, each when the one before says that it is ready.
 */
export const upgrade: BenchRow = {
  name: 'upgrade',
  what: 'the longest wait while three processes are replaced one after another',
  async run(bench) {
    if (!bench.databases.includes('postgres')) return [];
    const server = await findNatsServer();
    const onNats = 'path' in server ? await runOn(bench, 'JetStream', server.path) : [];
    return [...(await runOn(bench, 'PostgreSQL')), ...onNats];
  },
};

async function runOn(bench: Bench, journal: string, nats?: string): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const stream = nats ? await NatsCluster.start(nats) : undefined;
  if (stream) stack.defer(() => stream.stop());
  const stored = await store(stack, 'postgres', (database) =>
    storeLiveAccounts(database, REPLACEMENT_ACCOUNTS, TRACKERS),
  );
  const environment = {
    ...stored.environment,
    ...(stream ? { NATS_URL: stream.url, NATS_MONITOR_URL: stream.monitors } : {}),
    LOG_LEVEL: 'warn',
  };
  const servers: Replaced[] = [];
  for (let place = 0; place < PROCESSES; place += 1) {
    const server = await Replaced.start({ ...environment, PORT: String(await freePort()) });
    stack.defer(() => server.kill());
    servers.push(server);
  }
  const load = new ReplacementLoad(servers.map(({ address }) => address));
  await sleep(CALM_MS);
  load.take();
  const [taken, told]: [number[], number[]] = [[], []];
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const server of servers) await server.replace();
    await sleep(AFTER_MS);
    const { takenMs, toldMs } = load.take();
    bench.progress(
      `  round ${round}: taken ${takenMs.toFixed(0)} ms, told ${toldMs.toFixed(0)} ms`,
    );
    taken.push(takenMs);
    told.push(toldMs);
  }
  await load.end();
  const goal = { name: `${GOAL_MS / 1000} s`, samples: taken.map(() => GOAL_MS) };
  const name = (what: string) => `${what} while processes are replaced, journal on ${journal}`;
  return [
    judge(name('longest until a snapshot is taken'), 'ms', taken, goal, GOALS.withinBound),
    judge(name('longest until a breach is told'), 'ms', told, goal, GOALS.withinBound),
  ];
}

/** A process that makes way for the next one at the same address. */
class Replaced {
  readonly #environment: Record<string, string>;
  #process: PlimsollProcess;

  private constructor(environment: Record<string, string>, process: PlimsollProcess) {
    this.#environment = environment;
    this.#process = process;
  }

  static async start(environment: Record<string, string>): Promise<Replaced> {
    const replaced = new Replaced(environment, await startPlimsoll(environment));
    await replaced.#ready();
    return replaced;
  }

  get address(): string {
    return this.#process.address;
  }

  async replace(): Promise<void> {
    const code = await this.#process.stop();
    if (code !== 0) throw new Error(`A process ended with ${code}: ${this.#process.log()}`);
    this.#process = await startPlimsoll(this.#environment);
    await this.#ready();
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  async #ready(): Promise<void> {
    const path = `${this.address}/health/ready`;
    await until(async () => (await fetch(path)).ok, `a process that is ready at ${path}`);
  }
}
