import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createServer } from '../http/server.ts';
import type { Context } from '../services/context.ts';
import { recordReadings } from '../services/snapshots/record-readings.ts';
import { PageCache } from '../services/trades/page-cache.ts';
import { TradeComputer } from '../services/trades/trade-computer.ts';
import { authenticate, hashToken } from '../services/users/authenticate.ts';
import { lockFolder } from '../storage/sqlite.ts';
import { startLive } from './live.ts';
import { createLogger } from './logger.ts';
import { registerMailMetrics, startMail } from './mail.ts';
import { openDatabase } from './open-database.ts';
import { createPlatforms } from './platforms.ts';
import { quotaSettings } from './quota-settings.ts';
import { registerRoutes } from './routes.ts';
import type { Settings } from './settings.ts';
import { registerSyncMetrics } from './sync-metrics.ts';

const MEGABYTE = 1024 * 1024;

export type Plimsoll = {
  /** Where it accepts requests. */
  address: string;
  context: Context;
  /** Stops accepting, finishes what runs, closes. */
  stop(): Promise<void>;
};

/** Wires everything that the settings ask for and starts it. */
export async function startPlimsoll(settings: Settings): Promise<Plimsoll> {
  const logger = createLogger(settings.LOG_LEVEL);
  const lock = settings.DATABASE_URL ? undefined : lockFolder(settings.PLIMSOLL_DATA);
  const database = await openDatabase(settings, (error) =>
    logger.warn({ err: error }, 'a database connection was lost'),
  );
  const context: Context = { database, now: Date.now, newId: randomUUID, logger };
  const trades = new TradeComputer(context);
  const metrics = new Registry();
  const live = await startLive(settings, context, metrics);
  const platforms = createPlatforms(context, settings.PLIMSOLL_SECRET_KEY, (readings) =>
    recordReadings(live.snapshots, readings),
  );
  collectDefaultMetrics({ register: metrics });
  registerMailMetrics(metrics, context);
  registerSyncMetrics(context, metrics);
  const adminToken = settings.PLIMSOLL_ADMIN_TOKEN;
  const server = await createServer({
    logger,
    metrics,
    newId: randomUUID,
    version: await readVersion(),
    requestsPerMinute: settings.PLIMSOLL_REQUESTS_PER_MINUTE,
    authenticate: (token) =>
      authenticate({ ...context, adminTokenHash: adminToken && hashToken(adminToken) }, token),
    routes: (routes) =>
      registerRoutes(routes, {
        context,
        trades,
        metrics,
        pages: new PageCache(settings.PLIMSOLL_PAGE_CACHE_MB * MEGABYTE),
        quotas: quotaSettings(settings),
        platforms,
        live,
      }),
  });
  const address = await server.listen({ port: settings.PORT, host: settings.HOST });
  const mail = settings.PLIMSOLL_ROLES.has('jobs') ? startMail(settings, context) : undefined;
  if (settings.PLIMSOLL_ROLES.has('jobs')) platforms.syncer.start();
  return {
    address,
    context,
    stop: async () => {
      live.endWaiting();
      // A mail on its way has as long as the requests that are being answered; those that wait for
      // a platform end with its connection.
      await Promise.all([server.close(), mail?.stop(), platforms.stop()]);
      await trades.settle();
      await live.stop();
      await database.close();
      lock?.release();
    },
  };
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
