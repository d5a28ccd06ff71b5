import type { Registry } from 'prom-client';
import { HOUR_MS } from '../domain/broker-time.ts';
import { Engine } from '../engine/engine.ts';
import { createEngineMetrics } from '../engine/engine-metrics.ts';
import { LiveReader } from '../engine/live-reader.ts';
import { EventFeed } from '../feeds/event-feed.ts';
import { StandingFeed } from '../feeds/standing-feed.ts';
import { IngestAccounts } from '../ingest/ingest-accounts.ts';
import { SnapshotReader } from '../ingest/snapshot-reader.ts';
import { SnapshotWriter } from '../ingest/snapshot-writer.ts';
import type { Journal } from '../journal/journal.ts';
import type { Delivery } from '../network/send-webhook.ts';
import type { Context } from '../services/context.ts';
import { EvidenceKeys } from '../services/evidence/evidence-keys.ts';
import { liveSource } from '../services/overview/live-source.ts';
import type { SnapshotTally } from '../services/snapshots/record-snapshots.ts';
import type { Database } from '../storage/database.ts';
import { createFeedMetrics, registerLiveMetrics } from './live-metrics.ts';
import type { Settings } from './settings.ts';
import { systemTime as time } from './system-time.ts';

/** Inputs of the live side. */
export type LiveWorld = {
  context: Context;
  /** Connections for requests, and separate ones that requests cannot use up. */
  database: Database;
  engineDatabase: Database;
  journal: Journal;
  registry: Registry;
};

/** The live side of this process: it takes snapshots, folds them and delivers events. */
export type Live = {
  /** Absent in a process without the role. */
  engine: Engine | undefined;
  live: LiveReader;
  reader: SnapshotReader;
  snapshots: SnapshotWriter;
  tally: SnapshotTally;
  feed: EventFeed;
  standings: StandingFeed;
  evidenceKeys: EvidenceKeys;
  allowPrivateWebhooks: boolean;
  /** Counts a request to a webhook. */
  delivered(delivery: Delivery): void;
  /** Releases requests that wait for events. */
  endWaiting(): void;
};

/**
 * Starts the live side. `onStop` gets each part's way to stop before the part starts, so that a
 * failed start leaves nothing running.
 */
export async function startLive(
  settings: Settings,
  world: LiveWorld,
  onStop: (stop: () => unknown) => void,
): Promise<Live> {
  const { context, database, engineDatabase, journal, registry } = world;
  const { catalogue, rules, logger } = context;
  const engine = settings.PLIMSOLL_ROLES.has('engine')
    ? new Engine({
        ...{ database: engineDatabase, claims: context.claims, journal, time, rules, logger },
        metrics: createEngineMetrics(registry),
        keepJournalMs: settings.PLIMSOLL_JOURNAL_RETENTION_HOURS * HOUR_MS,
      })
    : undefined;
  onStop(() => engine?.stop());
  await engine?.start();
  const metrics = createFeedMetrics(registry);
  const accounts = new IngestAccounts(database, catalogue, rules.clocks);
  const snapshots = new SnapshotWriter({ database, journal, time, accounts });
  const reader = new SnapshotReader();
  onStop(() => reader.close());
  const feed = new EventFeed({ database, catalogue, time, logger });
  onStop(() => feed.close());
  await feed.start();
  const live = new LiveReader(database, journal, time, rules, engine);
  const standings = new StandingFeed({
    ...{ database, catalogue, time, logger, events: feed, epoch: context.newId().slice(0, 8) },
    source: liveSource({ ...context, live }, engine),
  });
  onStop(() => standings.close());
  registerLiveMetrics(registry, database, { engine, feed, standings });
  return {
    engine,
    live,
    standings,
    reader,
    snapshots,
    tally: metrics.snapshots,
    feed,
    evidenceKeys: new EvidenceKeys(context),
    allowPrivateWebhooks: settings.PLIMSOLL_WEBHOOK_PRIVATE === 'allow',
    delivered: metrics.delivered,
    endWaiting: () => {
      feed.close();
      standings.close();
    },
  };
}
