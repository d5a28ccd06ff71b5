import { Gauge, type Registry } from 'prom-client';
import { HOUR_MS } from '../domain/broker-time.ts';
import { Engine } from '../engine/engine.ts';
import { createEngineMetrics } from '../engine/engine-metrics.ts';
import type { Context } from '../services/context.ts';
import { AccountDirectory } from '../services/snapshots/account-directory.ts';
import { SnapshotReader } from '../services/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../services/snapshots/snapshot-writer.ts';
import { EventFeed } from '../services/tracker-events/event-feed.ts';
import { WebhookSecrets } from '../services/webhooks/webhook-secrets.ts';
import { WebhookSender } from '../services/webhooks/webhook-sender.ts';
import { countDeadLetters } from '../storage/webhook-store.ts';
import type { Settings } from './settings.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** The live side of this process: what takes snapshots in, folds them and tells of events. */
export type Live = {
  /** Absent in a process without the role. */
  engine: Engine | undefined;
  reader: SnapshotReader;
  snapshots: SnapshotWriter;
  feed: EventFeed;
  webhookSecrets: WebhookSecrets;
  /** Lets go of requests that wait for events. */
  endWaiting(): void;
  stop(): Promise<void>;
};

export async function startLive(
  settings: Settings,
  context: Context,
  registry: Registry,
): Promise<Live> {
  const { database, now, newId, logger } = context;
  const engine = settings.PLIMSOLL_ROLES.has('engine')
    ? new Engine({
        database,
        now,
        logger,
        ownerId: newId(),
        metrics: createEngineMetrics(registry),
        keepJournalMs: settings.PLIMSOLL_JOURNAL_RETENTION_HOURS * HOUR_MS,
      })
    : undefined;
  await engine?.start();
  if (engine) {
    new Gauge({
      name: 'plimsoll_stalled_partitions',
      help: 'Stalled partitions of the journal; the log tells why',
      registers: [registry],
      collect() {
        this.set(engine.stalledPartitions.length);
      },
    });
  }
  const directory = new AccountDirectory(database);
  const snapshots = new SnapshotWriter({ database, now, directory, engine });
  const reader = new SnapshotReader(directory);
  const feed = new EventFeed(database, logger);
  await feed.start();
  new Gauge({
    name: 'plimsoll_waiting_pollers',
    help: 'Requests and streams that wait for the next event',
    registers: [registry],
    collect() {
      this.set(feed.waiting);
    },
  });
  const webhookSecrets = new WebhookSecrets(database, settings.PLIMSOLL_SECRET_KEY);
  const sender = settings.PLIMSOLL_ROLES.has('jobs')
    ? new WebhookSender(context, {
        secrets: webhookSecrets,
        allowPrivate: settings.PLIMSOLL_WEBHOOK_PRIVATE === 'allow',
        random: Math.random,
      })
    : undefined;
  sender?.start();
  new Gauge({
    name: 'plimsoll_webhook_dead_letters',
    help: 'Events that webhooks did not take',
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      this.set(await countDeadLetters(database));
    }),
  });
  return {
    engine,
    reader,
    snapshots,
    feed,
    webhookSecrets,
    endWaiting: () => feed.close(),
    async stop() {
      await reader.close();
      await sender?.stop();
      await engine?.stop();
    },
  };
}
