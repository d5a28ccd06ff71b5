import { Counter, type Registry } from 'prom-client';
import { WebhookClient } from '../network/send-webhook.ts';
import { askForStamp, NoStamp } from '../network/time-stamp-authority.ts';
import type { Context } from '../services/context.ts';
import { type AskForStamp, STAMP_EVERY_MS, stampHeads } from '../services/evidence/stamp-heads.ts';
import { REMOVE_USERS_EVERY_MS, removeUsers } from '../services/users/remove-users.ts';
import type { Database } from '../storage/database.ts';
import { EventMailer } from '../workers/event-mailer/event-mailer.ts';
import { Repeater } from '../workers/repeater.ts';
import { type KeptDays, Retention } from '../workers/retention.ts';
import { Sealer } from '../workers/sealer/sealer.ts';
import { LOOK_EVERY_MS, SilenceWatch } from '../workers/silence-watch.ts';
import { Sweeper } from '../workers/sweeper.ts';
import { WebhookSender } from '../workers/webhook-sender/webhook-sender.ts';
import type { Worker } from '../workers/worker.ts';
import { createBreachWorker } from './breach-actions.ts';
import type { Live } from './live.ts';
import { createMailWorker } from './mail.ts';
import type { Platforms } from './platforms.ts';
import { quotaSettings } from './quota-settings.ts';
import type { Settings } from './settings.ts';
import { systemTime as time } from './system-time.ts';

const STAMP_LOOK_MS = 60_000;

type WorkerWorld = {
  context: Context;
  database: Database;
  live: Live;
  platforms: Platforms;
  registry: Registry;
};

/** All continuous work of this process, by its roles, started and stopped together. */
export function createWorkers(settings: Settings, world: WorkerWorld): Worker {
  const hasJobs = settings.PLIMSOLL_ROLES.has('jobs');
  // Made in every process, whatever runs there: their metrics cover all processes.
  const noticed = createNoticed(settings, world);
  const workers = [
    ...(hasJobs ? createUnnoticed(settings, world) : []),
    ...(hasJobs && !settings.PLIMSOLL_QUIET_JOBS ? noticed : []),
  ];
  return {
    start() {
      for (const worker of workers) worker.start();
    },
    async stop() {
      await Promise.all([...workers, world.platforms.syncer].map((worker) => worker.stop()));
    },
  };
}

/** Work without effects outside. */
function createUnnoticed(settings: Settings, { context, database, live }: WorkerWorld): Worker[] {
  const { claims, logger } = context;
  const silence = new SilenceWatch();
  return [
    new Repeater(time, logger, {
      everyMs: LOOK_EVERY_MS,
      failure: 'silent feeds cannot be reported yet',
      work: (signal) => silence.look(context, time, signal),
    }),
    new Repeater(time, logger, {
      everyMs: REMOVE_USERS_EVERY_MS,
      failure: 'deleted users cannot be removed yet',
      work: (signal) => removeUsers({ ...context, database }, signal),
    }),
    new Sealer(context, database, live.evidenceKeys, time),
    new Sweeper(database, claims.databaseTime, logger),
    new Retention(database, claims.databaseTime, logger, keptDays(settings)),
  ];
}

/** Work with effects outside: it waits if PLIMSOLL_QUIET_JOBS is on. */
function createNoticed(settings: Settings, world: WorkerWorld): Worker[] {
  const { context, database, platforms, registry } = world;
  return [
    platforms.syncer,
    createBreachWorker({ ...context, ...platforms }, database, registry),
    createWebhookSender(world),
    ...createStamper(settings, world),
    createMailWorker(settings, database, context),
    new EventMailer(context, quotaSettings(settings).mailDomain, time),
  ];
}

function createWebhookSender({ context, database, live }: WorkerWorld): Worker {
  const { claims, logger, secrets } = context;
  const client = new WebhookClient({ allowPrivate: live.allowPrivateWebhooks });
  const sender = new WebhookSender(
    { database, claims, time, logger },
    {
      secrets,
      send: async (url, headers, body, signal) => {
        const delivery = await client.send(url, headers, body, { signal });
        live.delivered(delivery);
        return delivery;
      },
      random: Math.random,
    },
  );
  return {
    start: () => sender.start(),
    async stop() {
      await sender.stop();
      client.close();
    },
  };
}

/** Each head once an hour if it grew, and after a failure again in a minute. */
function createStamper(
  { PLIMSOLL_TSA_URL: url }: Settings,
  { context, registry }: WorkerWorld,
): Worker[] {
  const stamps = new Counter({
    name: 'plimsoll_stamps_total',
    help: 'Rounds of stamping the heads of trees, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  if (url === '') return [];
  const failure = 'heads cannot be stamped yet by PLIMSOLL_TSA_URL';
  return [
    new Repeater(time, context.logger, {
      everyMs: STAMP_LOOK_MS,
      failure,
      work: async (signal) => {
        try {
          const ask: AskForStamp = (...of) => askForStamp(url, ...of);
          const count = await stampHeads(context, ask, STAMP_EVERY_MS, signal);
          if (count > 0) stamps.labels('stamped').inc();
        } catch (error) {
          if (signal.aborted) return;
          stamps.labels('failed').inc();
          if (!(error instanceof NoStamp)) throw error;
          context.logger.error({ reason: error.message }, failure);
        }
      },
    }),
  ];
}

/** By broker's clocks, which may be half a day behind; 48 hours are shown. */
const MINUTES_KEPT_DAYS = 3;

const keptDays = ({ PLIMSOLL_KEEP_DAYS: days }: Settings): KeptDays => ({
  ...days,
  actions: days.events,
  minutes: MINUTES_KEPT_DAYS,
});
