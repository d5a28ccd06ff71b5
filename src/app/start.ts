import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Claims } from '../claims/claims.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { atMost } from '../domain/timekeeper.ts';
import { TradeComputer } from '../histories/trade-computer.ts';
import { createServer } from '../http/server.ts';
import type { BeginTrace } from '../http/traces.ts';
import { Changes } from '../services/changes.ts';
import type { Context, Logger } from '../services/context.ts';
import { MissingKey, missingKeys } from '../services/keys/check-keys.ts';
import { PageCache } from '../services/page-cache.ts';
import { authenticate, hashToken } from '../services/users/authenticate.ts';
import { STORE_USES_EVERY_MS, TokenUses } from '../services/users/token-uses.ts';
import { Catalogue } from '../storage/catalogue.ts';
import type { Database } from '../storage/database.ts';
import { lockFolder } from '../storage/drivers/sqlite.ts';
import { KeyRing } from '../storage/key-ring.ts';
import { recordReadings } from '../workers/platform-reader/record-readings.ts';
import { Repeater } from '../workers/repeater.ts';
import { StandingWork } from '../workers/standing-work.ts';
import { registerAccountMetrics } from './account-metrics.ts';
import { FrontDoor } from './front-door.ts';
import { HistoryFolder } from './history-folder.ts';
import { linuxProcesses } from './linux-processes.ts';
import { listen } from './listen.ts';
import { type Live, startLive } from './live.ts';
import { registerLoadMetrics, registerStoredMetrics } from './load-metrics.ts';
import { createLogger } from './logger.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { registerMailMetrics } from './mail.ts';
import { type Opening, openDatabase, openForEngine } from './open-database.ts';
import { openJournal } from './open-journal.ts';
import { invitationsOf, providerRules, registerSessionMetrics } from './people-settings.ts';
import { createPlatforms, type Platforms } from './platforms.ts';
import { quotaSettings } from './quota-settings.ts';
import { referenceSettings } from './reference-settings.ts';
import { requestIds } from './request-ids.ts';
import { type RouteParts, registerRoutes } from './routes.ts';
import type { Settings } from './settings.ts';
import { registerStandingWork, registerUnsealedUsers } from './standing-work-metrics.ts';
import { registerSyncMetrics } from './sync-metrics.ts';
import { systemTime } from './system-time.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { VERSION } from './version.ts';
import { createWorkers } from './workers.ts';

/** A cluster started together with this process takes some moments. */
const JOURNAL_WITHIN_MS = 60_000;
/**
 * Of the ten seconds of a stop: running requests and work have so long to end. Then connections to
 * clients and platforms are cut, and what does not even end with them is left behind: nobody
 * outside keeps a process from its last checkpoint, and from handing over.
 */
const LAST_WORK_MS = 4000;
const CUT_WORK_MS = 1000;
/** How often Node's own measurement of the loop wakes the process. */
const LAG_EVERY_MS = 100;
const MEGABYTE = 1024 * 1024;

const QUIET =
  'PLIMSOLL_QUIET_JOBS is on: e-mails, webhooks, actions at breaches and readings of platforms wait ' +
  'until a process starts without it';

export type Plimsoll = {
  /** The address where it accepts requests. */
  address: string;
  context: Context;
  platforms: Platforms;
  /** Stops accepting, finishes running work, closes. */
  stop(): Promise<void>;
};

/**
 * Wires and starts everything in the settings. After a failure, parts already started are stopped
 * again, so that a taken port or a lost database leaves nothing behind. `stopping` ends a waiting
 * start, and is aborted when the server has to stop on its own.
 */
export async function startPlimsoll(
  settings: Settings,
  stopping = new AbortController(),
): Promise<Plimsoll> {
  const started = new Started();
  try {
    return await startAll(settings, started, stopping);
  } catch (error) {
    // Why it could not start matters more than failures to stop.
    await started.stop().catch(() => {});
    throw error;
  }
}

/** Running parts, to be stopped in reverse order. */
class Started {
  readonly #stops: (() => unknown)[] = [];

  /** Parts to be stopped together are given in one function. */
  onStop(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  /** Throws the first failure, after stopping the others. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.#stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

async function startAll(
  settings: Settings,
  started: Started,
  stopping: AbortController,
): Promise<Plimsoll> {
  const logger = createLogger(settings.LOG_LEVEL);
  if (!settings.DATABASE_URL) {
    const lock = lockFolder(settings.PLIMSOLL_DATA);
    started.onStop(() => lock.release());
  }
  const tracing = await startTracing(settings, logger);
  if (tracing) started.onStop(() => tracing.stop());
  const traced = (plain: Database): Database => tracing?.trace(plain) ?? plain;
  const door = new FrontDoor(settings, logger);
  started.onStop(() => door.close());
  const { database, engineDatabase, opened, version } = await openStores(settings, logger, {
    started,
    traced,
    onWaiting: (why) => door.say(why),
    signal: stopping.signal,
  });
  const { journal } = opened;
  const secrets = await openSecrets(settings, database, logger);
  const claims = new Claims({
    ...{ database: engineDatabase, time: systemTime, id: randomUUID(), logger },
    schemaVersion: version,
    onNewerSchema: () => {
      logger.error({}, 'a newer version has changed the schema: this process stops');
      stopping.abort();
    },
    ...{ host: hostname(), localProcesses: linuxProcesses(), keyIds: secrets.settingIds },
  });
  started.onStop(() => claims.stop());
  await claims.start();
  const storedBytes = settings.PLIMSOLL_STORED_MB_PER_USER * MEGABYTE || Number.POSITIVE_INFINITY;
  const context: Context = {
    ...{ database, now: systemTime.now, newId: randomUUID, random: Math.random, logger },
    ...{ claims, secrets, invitations: invitationsOf(settings) },
    catalogue: new Catalogue(database),
    rules: new TrackerRules(new ClockViews()),
    changes: new Changes(database, journal, systemTime.now, storedBytes),
  };
  const metrics = new Registry();
  const world = { context, database, engineDatabase, journal, registry: metrics };
  const live = await startLive(settings, world, (stop) => started.onStop(stop));
  const histories = new HistoryFolder(settings);
  const trades = new TradeComputer(context, { thread: histories });
  // Together: what waits for its turn in the thread ends at once.
  started.onStop(() => Promise.all([trades.stop(), histories.stop()]));
  const platforms = createPlatforms(database, context, settings, (readings) =>
    recordReadings(context, live.snapshots, readings),
  );
  const workers = createWorkers(settings, {
    ...{ context, database, live, platforms, registry: metrics },
  });
  started.onStop(measureLoopDelay(metrics));
  const standingWork = new StandingWork(database, () => journal.look(), systemTime);
  registerMetrics(metrics, settings, context, live, standingWork);
  const server = await createApi(settings, logger, {
    ...{ context, database, trades, metrics, platforms, live, standingWork },
    ...{ beginTrace: tracing?.begin, uses: startTokenUses(context, database, started) },
    journalFailure: () => opened.failure(),
  });
  started.onStop(async () => {
    live.endWaiting();
    const ended = Promise.all([server.close(), workers.stop()]);
    try {
      if (!(await atMost(systemTime, LAST_WORK_MS, ended))) server.server.closeAllConnections();
    } finally {
      await atMost(systemTime, CUT_WORK_MS, Promise.all([ended, platforms.gateways.closeAll()]));
    }
  });
  const { port = settings.PORT } = door;
  await door.close();
  const address = await listen(server, { ...settings, PORT: port });
  if (settings.PLIMSOLL_QUIET_JOBS) logger.warn({}, QUIET);
  workers.start();
  return {
    address,
    context,
    platforms,
    stop: () => started.stop(),
  };
}

/** In every process: each knows what it was asked. */
function startTokenUses(context: Context, database: Database, started: Started): TokenUses {
  const uses = new TokenUses();
  const storing = new Repeater(systemTime, context.logger, {
    everyMs: STORE_USES_EVERY_MS,
    failure: 'the last uses of tokens cannot be stored yet',
    work: () => uses.store(database),
  });
  started.onStop(async () => {
    await storing.stop();
    // Good to know, and not worth an error at the end.
    await uses.store(database).catch(() => {});
  });
  storing.start();
  return uses;
}

/** Data shared by the server's routes, other than settings. */
type ApiParts = Pick<
  RouteParts,
  | 'context'
  | 'database'
  | 'trades'
  | 'metrics'
  | 'platforms'
  | 'live'
  | 'journalFailure'
  | 'standingWork'
> & { beginTrace: BeginTrace | undefined; uses: TokenUses };

function createApi(
  settings: Settings,
  logger: ReturnType<typeof createLogger>,
  { beginTrace, uses, ...parts }: ApiParts,
): ReturnType<typeof createServer> {
  const { context, metrics } = parts;
  const adminToken = settings.PLIMSOLL_ADMIN_TOKEN;
  const authentication = { uses, adminTokenHash: adminToken && hashToken(adminToken) };
  return createServer({
    logger,
    metrics,
    newId: requestIds(),
    beginTrace,
    trustedProxies: settings.PLIMSOLL_TRUSTED_PROXIES,
    corsOrigins: settings.PLIMSOLL_CORS_ORIGINS,
    compatibility: settings.PLIMSOLL_COMPATIBILITY,
    refusalsPerMinute: settings.PLIMSOLL_REFUSALS_PER_MINUTE,
    requestsPerMinute: settings.PLIMSOLL_REQUESTS_PER_MINUTE,
    authenticate: (presented) => authenticate({ ...context, ...authentication }, presented),
    routes: (routes) =>
      registerRoutes(routes, {
        ...parts,
        authentication,
        pages: new PageCache(settings.PLIMSOLL_PAGE_CACHE_MB * MEGABYTE),
        quotas: quotaSettings(settings),
        reference: referenceSettings(settings),
        providerRules: providerRules(settings, context.now),
        isApi: settings.PLIMSOLL_ROLES.has('api'),
        quietJobs: settings.PLIMSOLL_QUIET_JOBS,
      }),
  });
}

/**
 * The keys of the settings. Throws MissingKey if the database needs others, unless that is allowed.
 */
async function openSecrets(
  settings: Settings,
  database: Database,
  logger: Logger,
): Promise<KeyRing> {
  const secrets = new KeyRing(database, settings.PLIMSOLL_SECRET_KEY, systemTime.now);
  const missing = await missingKeys(database, secrets);
  if (missing === undefined) return secrets;
  if (!settings.PLIMSOLL_ALLOW_MISSING_KEYS) throw new MissingKey(missing);
  logger.warn({ missing }, 'secrets stay locked: their users see which');
  return secrets;
}

type Stores = Pick<Opening, 'onWaiting' | 'signal'> & {
  started: Started;
  traced: (plain: Database) => Database;
};

/** Connections to the database, those of the engine, and the journal. */
async function openStores(
  settings: Settings,
  logger: Logger,
  { started, traced, ...waiting }: Stores,
) {
  // The driver attaches its whole client to the error: only its message is logged.
  const onLost = ({ message }: Error): void =>
    logger.warn({ reason: message }, 'a database connection was lost or not given');
  const opening = { onLost, holdsFolder: true, ...waiting };
  const { database: plain, version } = await openDatabase(settings, opening);
  const database = traced(plain);
  started.onStop(() => database.close());
  const engineDatabase = openForEngine(settings, database, onLost, traced);
  if (engineDatabase !== database) started.onStop(() => engineDatabase.close());
  const opened = await openJournal(
    settings,
    engineDatabase,
    randomUUID(),
    logger,
    JOURNAL_WITHIN_MS,
  );
  started.onStop(() => opened.journal.close());
  return { database, engineDatabase, opened, version };
}

function registerMetrics(
  metrics: Registry,
  settings: Settings,
  context: Context,
  live: Live,
  standingWork: StandingWork,
): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  registerBuildInfo(metrics);
  registerQuietJobs(metrics, settings.PLIMSOLL_QUIET_JOBS);
  registerMailMetrics(metrics, context);
  registerSessionMetrics(metrics, context);
  registerSyncMetrics(context, metrics);
  registerLoadMetrics(metrics, live);
  registerStoredMetrics(metrics, context);
  registerStandingWork(metrics, standingWork);
  registerUnsealedUsers(metrics, context);
  registerAccountMetrics(metrics, context);
  registerClock(metrics, context);
}

/** Always 1; the label has the running version. */
function registerBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'plimsoll_build_info',
    help: 'The running version, as a label',
    labelNames: ['version'],
    registers: [registry],
  })
    .labels(VERSION)
    .set(1);
}

function registerQuietJobs(registry: Registry, isQuiet: boolean): void {
  new Gauge({
    name: 'plimsoll_quiet_jobs',
    help: '1 if PLIMSOLL_QUIET_JOBS holds back e-mails, webhooks and platforms',
    registers: [registry],
  }).set(isQuiet ? 1 : 0);
}

function registerClock(registry: Registry, { claims }: Context): void {
  new Gauge({
    name: 'plimsoll_clock_offset_seconds',
    help: 'By how much the clock of this machine is ahead of the database',
    registers: [registry],
    collect() {
      this.set(claims.clockOffsetMs / 1000);
    },
  });
}
