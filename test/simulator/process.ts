import { Registry } from 'prom-client';
import { Claims } from '../../src/claims/claims.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { Engine } from '../../src/engine/engine.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { LiveReader } from '../../src/engine/live-reader.ts';
import { EventFeed } from '../../src/feeds/event-feed.ts';
import { foldSlice } from '../../src/histories/fold-slice.ts';
import { readPositionsAt } from '../../src/histories/positions-at.ts';
import { TradeComputer } from '../../src/histories/trade-computer.ts';
import { IngestAccounts } from '../../src/ingest/ingest-accounts.ts';
import { SnapshotReader } from '../../src/ingest/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/ingest/snapshot-writer.ts';
import { JetStreamJournal } from '../../src/journal/jetstream/jetstream-journal.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import { GatewayRegistry } from '../../src/platforms/gateway-registry.ts';
import { Changes } from '../../src/services/changes.ts';
import type { Context } from '../../src/services/context.ts';
import { LastingMetrics } from '../../src/services/metrics/lasting-metrics.ts';
import { PageCache } from '../../src/services/page-cache.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { KeyRing } from '../../src/storage/key-ring.ts';
import { BreachWorker } from '../../src/workers/breach-worker/breach-worker.ts';
import { Sweeper } from '../../src/workers/sweeper.ts';
import { WebhookSender } from '../../src/workers/webhook-sender/webhook-sender.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { PlatformGateway } from './simulated-platform.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { SimulatedStream } from './simulated-stream.ts';
import type { Machine } from './world.ts';

const CHECKPOINT_MS = 300;
const BEAT_MS = 250;
/** Events that a feed remembers; with few of them it must read again and again. */
const RECENT = [0, 1, 5, 5000];
export const PATIENCE_MS = 1000;

/**
 * Deals after which a history is long, and of a slice of a long one: few, so that slices are many.
 */
const LONG_FROM = 20;
const DEALS_PER_SLICE = 7;
const PAGE_CACHE_BYTES = 1_000_000;

/** Targets of webhooks. */
export type Targets = (machine: Machine, url: URL, body: string) => Promise<boolean>;

/** One Plimsoll on a machine: the parts of src/app/live.ts, on the world's time and database. */
export class SimulatedProcess {
  readonly machine: Machine;
  readonly context: Context;
  readonly engine: Engine;
  readonly live: LiveReader;
  readonly reader = new SnapshotReader();
  readonly snapshots: SnapshotWriter;
  readonly feed: EventFeed;
  readonly trades: TradeComputer;
  readonly pages = new PageCache(PAGE_CACHE_BYTES);
  readonly lasting = new LastingMetrics();
  readonly #sender: WebhookSender;
  readonly #sweeper: Sweeper;
  readonly #breaches: BreachWorker | undefined;
  readonly #journal: Journal;
  isStopping = false;

  private constructor(
    machine: Machine,
    parts: {
      context: Context;
      engine: Engine;
      live: LiveReader;
      snapshots: SnapshotWriter;
      feed: EventFeed;
      trades: TradeComputer;
      sender: WebhookSender;
      sweeper: Sweeper;
      breaches: BreachWorker | undefined;
      journal: Journal;
    },
  ) {
    this.machine = machine;
    this.context = parts.context;
    this.engine = parts.engine;
    this.live = parts.live;
    this.snapshots = parts.snapshots;
    this.feed = parts.feed;
    this.trades = parts.trades;
    this.#sender = parts.sender;
    this.#sweeper = parts.sweeper;
    this.#breaches = parts.breaches;
    this.#journal = parts.journal;
  }

  /** Throws if it cannot start, like a process that then ends. */
  static async start(
    machine: Machine,
    server: SimulatedServer,
    targets: Targets,
  ): Promise<SimulatedProcess> {
    const { time, world, name } = machine;
    const database = new SimulatedDatabase(server, machine);
    const engineDatabase = new SimulatedDatabase(server, machine);
    let ids = 0;
    const newId = (): string => {
      ids += 1;
      return `${name}-${ids}`;
    };
    const logger = loggerOf(machine);
    const journal = await openJournal(engineDatabase, machine, server, newId());
    const catalogue = new Catalogue(database);
    const changes = new Changes(database, journal, time.now);
    const rules = new TrackerRules(new ClockViews());
    const random = () => world.random.next();
    const claims = new Claims({
      ...{ database: engineDatabase, time, id: newId(), logger },
      localProcesses: machine.localProcesses,
      ...{ beatMs: BEAT_MS, patienceMs: PATIENCE_MS },
    });
    await claims.start();
    const secrets = new KeyRing(database, [], time.now);
    const parts = { database, changes, catalogue, claims, rules, secrets };
    const context = { ...parts, now: time.now, newId, random, logger };
    const engine = new Engine({
      ...{ database: engineDatabase, claims, journal, time, rules, logger },
      metrics: createEngineMetrics(new Registry()),
      checkpointMs: CHECKPOINT_MS,
    });
    await engine.start();
    const accounts = new IngestAccounts(database, catalogue, rules.clocks);
    const snapshots = new SnapshotWriter({ database, journal, time, accounts });
    const maxRecent = world.random.pick(RECENT);
    const feed = new EventFeed({ database, catalogue, time, logger, maxRecent });
    await feed.start();
    const send = async (url: URL, _: Record<string, string>, body: string) => ({
      isTaken: await targets(machine, url, body),
      result: 'simulated',
    });
    const opened = { open: async () => 'secret', settingIds: ['simulated'] };
    const sender = new WebhookSender(
      { database, claims, time, logger },
      { secrets: opened, send, random },
    );
    sender.start();
    const sweeper = new Sweeper(database, time, logger);
    sweeper.start();
    const breaches = startBreachWorker(context, database, machine, server);
    const live = new LiveReader(database, journal, time, rules, engine);
    const trades = new TradeComputer(context, {
      thread: {
        fold: (account) =>
          foldSlice(database, context.rules.clocks, account, { deals: DEALS_PER_SLICE }),
        positionsAt: (...asked) => readPositionsAt(database, context.rules.clocks, ...asked),
      },
      dealsWhileWaiting: LONG_FROM,
    });
    return new SimulatedProcess(machine, {
      ...{ context, engine, live, snapshots, feed, trades, sender, sweeper, journal },
      breaches,
    });
  }

  /** In order, as after a SIGTERM. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.feed.close();
    await this.#breaches?.stop();
    await this.#sweeper.stop();
    await this.#sender.stop();
    await this.trades.stop();
    await this.engine.stop();
    await this.context.claims.stop();
    await this.#journal.close();
  }
}

/** Acts on the platform, where the run has one. */
function startBreachWorker(
  context: Context,
  database: SimulatedDatabase,
  machine: Machine,
  { platform }: SimulatedServer,
): BreachWorker | undefined {
  if (!platform) return undefined;
  const { secrets, logger } = context;
  const gateways = new GatewayRegistry({
    ...{ secrets, time: machine.time, logger },
    open: () => new PlatformGateway(platform, machine),
    noteOutcome: async () => {},
  });
  const worker = new BreachWorker({ ...context, gateways }, database, machine.time, () => {});
  worker.start();
  return worker;
}

/** The tables, or the stream where the run has one. */
async function openJournal(
  database: SimulatedDatabase,
  machine: Machine,
  { cluster, maxMessageBytes }: SimulatedServer,
  origin: string,
): Promise<Journal> {
  const { time } = machine;
  if (!cluster) return SqlJournal.open(database, time, origin);
  const stream = new SimulatedStream(cluster, machine, maxMessageBytes);
  return JetStreamJournal.open({ database, stream, time, origin });
}

/** An operator should know of it, as nobody repeats it; it follows from an outage. */
const EXPECTED = 'the outcome of a platform operation was not recorded';

/** Errors in the log are errors: nothing here goes beyond the plan. */
function loggerOf({ world, name }: Machine): Context['logger'] {
  const tell = (level: string) => (fields: object, message: string) => {
    world.tell(() => `${name} ${level}: ${message} ${detailsOf(fields)}`);
    const isExpected =
      message === EXPECTED && 'err' in fields && fields.err instanceof DatabaseUnavailable;
    if (level === 'error' && !isExpected)
      world.fail(`${name} logged an error: ${message} ${detailsOf(fields)}`);
  };
  return { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };
}

function detailsOf(fields: object): string {
  const { err, ...rest } = fields as { err?: unknown };
  const isOutage = err instanceof DatabaseUnavailable;
  const reason = err instanceof Error ? ` ${isOutage ? err.message : err.stack}` : '';
  return `${JSON.stringify(rest)}${reason}`;
}
