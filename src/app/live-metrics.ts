import { Counter, Gauge, type Registry } from 'prom-client';
import type { Engine } from '../engine/engine.ts';
import type { EventFeed } from '../feeds/event-feed.ts';
import type { StandingFeed } from '../feeds/standing-feed.ts';
import { REJECTIONS } from '../ingest/rejection.ts';
import type { Delivery } from '../network/send-webhook.ts';
import type { SnapshotTally } from '../services/snapshots/record-snapshots.ts';
import type { Database } from '../storage/database.ts';
import { countDeadLetters } from '../storage/dead-letter-store.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

const RESULTS = ['taken', 'refused', 'unanswered'] as const;

/** Data coming in from clients, and the outcomes of sending to webhooks. */
export function createFeedMetrics(registry: Registry): {
  snapshots: SnapshotTally;
  delivered(delivery: Delivery): void;
} {
  const registers = [registry];
  const accepted = new Counter({
    name: 'plimsoll_snapshots_accepted_total',
    help: 'Snapshots from clients that were acknowledged',
    registers,
  });
  const late = new Counter({
    name: 'plimsoll_snapshots_late_total',
    help: 'Acknowledged snapshots that were older than an earlier one of their account',
    registers,
  });
  const refused = new Counter({
    name: 'plimsoll_snapshot_bodies_refused_total',
    help: 'Snapshot bodies that were refused as a whole, by reason',
    labelNames: ['reason'],
    registers,
  });
  const deliveries = new Counter({
    name: 'plimsoll_webhook_deliveries_total',
    help: 'Requests to webhooks: taken (2xx), refused (any other answer) or unanswered',
    labelNames: ['result'],
    registers,
  });
  // A rate needs the value before the first time.
  for (const reason of REJECTIONS) refused.labels(reason).inc(0);
  for (const result of RESULTS) deliveries.labels(result).inc(0);
  return {
    snapshots: {
      taken(answer) {
        accepted.inc(answer.accepted);
        late.inc(answer.late);
      },
      refused: (reason) => refused.labels(reason).inc(),
    },
    delivered: ({ isTaken, status }) =>
      deliveries.labels(isTaken ? 'taken' : status === undefined ? 'unanswered' : 'refused').inc(),
  };
}

/** Gauges of the live side, read on demand. */
export function registerLiveMetrics(
  registry: Registry,
  database: Database,
  {
    engine,
    feed,
    standings,
  }: { engine: Engine | undefined; feed: EventFeed; standings: StandingFeed },
): void {
  const registers = [registry];
  if (engine) {
    new Gauge({
      name: 'plimsoll_stalled_partitions',
      help: 'Partitions here that cannot be folded any further; the log says why',
      registers,
      collect() {
        this.set(engine.partitions.filter(({ failing }) => failing.length > 0).length);
      },
    });
    new Gauge({
      name: 'plimsoll_quarantined_accounts',
      help: 'Accounts here with an entry that could not be folded: see plimsoll journal list',
      registers,
      collect() {
        this.set(engine.partitions.reduce((sum, { quarantined }) => sum + quarantined, 0));
      },
    });
  }
  new Gauge({
    name: 'plimsoll_waiting_pollers',
    help: 'Requests and streams that wait for the next event',
    registers,
    collect() {
      this.set(feed.waiting);
    },
  });
  new Gauge({
    name: 'plimsoll_followed_accounts',
    help: 'Accounts whose standing is kept for streams',
    registers,
    collect() {
      this.set(standings.followedAccounts);
    },
  });
  new Gauge({
    name: 'plimsoll_webhook_dead_letters',
    help: 'Events that webhooks did not accept',
    registers,
    collect: whileDatabaseAnswers(async function () {
      this.set(await countDeadLetters(database));
    }),
  });
}
