import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { DAY_MS, formatBrokerTime, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { BrokerClockView } from '../../domain/live/broker-clock-view.ts';
import { runningBucket } from '../../domain/live/equity-bucket.ts';
import { foldSnapshot } from '../../domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../domain/live/live-account.ts';
import { encodeLiveAccount } from '../../domain/live/live-account-codec.ts';
import { FoldEffects } from '../../domain/live/live-records.ts';
import { writeCheckpoint } from '../../engine/checkpoint.ts';
import type { Account } from '../../storage/account-store.ts';
import { readBuckets } from '../../storage/bucket-store.ts';
import { Catalogue } from '../../storage/catalogue.ts';
import type { Database } from '../../storage/database.ts';
import { partitionCount, partitionOf } from '../../storage/journal-store.ts';
import {
  claimPartition,
  type PartitionRow,
  readPartitions,
} from '../../storage/partition-store.ts';
import type { Principal } from '../context.ts';
import { PageCache } from '../page-cache.ts';
import { jsonOfHours } from './present-hours.ts';
import { readEquityChart } from './read-equity-chart.ts';

const START_MS = Date.UTC(2026, 1, 27);
const DAYS = 14;
const END_MS = START_MS + DAYS * DAY_MS;
const RUNS = 40;
const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Minutes since the start at which snapshots come, not all in their order. */
const snapshots = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: DAYS * 24 * 60 - 1 }),
    equity: fc.integer({ min: 1, max: 2_000_000 }),
  }),
  { minLength: 1, maxLength: 60 },
);
const ranges = fc.array(
  fc.tuple(fc.integer({ min: -50, max: 400 }), fc.integer({ min: 0, max: 450 })),
  { minLength: 1, maxLength: 4 },
);

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`equity chart on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    it('is the stored hours, however often and in what parts it was asked for before', async () => {
      const checkpoints = await checkpointWriter(opened.database);
      const property = fc.asyncProperty(
        fc.array(fc.tuple(snapshots, ranges), { minLength: 1, maxLength: 4 }),
        async (rounds) => {
          const account = await newAccount(opened.database, {
            brokerClock: { zone: 'UTC', shiftHours: 0 },
          });
          const pages = new PageCache(2 ** 20);
          const live = new LiveAccount(account.id, new BrokerClockView(account.brokerClock));
          const ranges: [from: number, hours: number][] = [];
          for (const [sent, asked] of rounds) {
            await checkpoints(account, live, sent);
            // Twice, as what was asked for once is not kept; and those of the rounds before as well.
            ranges.push(...asked, ...asked);
            for (const [from, hours] of ranges) {
              const startMs = START_MS + from * HOUR_MS;
              const endMs = startMs + hours * HOUR_MS;
              await assertChart(opened.database, pages, account, live, startMs, endMs);
            }
          }
        },
      );
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    });
  });
}

/** Folds snapshots and writes what that left, as the engine does. */
async function checkpointWriter(database: Database) {
  const claimed = new Map<number, PartitionRow>();
  for (const row of await readPartitions(database, partitionCount(database.kind))) {
    const own = await claimPartition(database, row, 'test');
    if (own) claimed.set(own.partition, own);
  }
  let position = 0;
  return async (
    account: Account,
    live: LiveAccount,
    sent: { minute: number; equity: number }[],
  ) => {
    const effects = new FoldEffects();
    for (const { minute, equity } of sent) {
      foldSnapshot(live, START_MS + minute * MINUTE_MS, 1_000_000, equity, [], END_MS, effects);
    }
    position += 1;
    const { id: accountId, createdAtMs, brokerClock: clock } = account;
    const state = encodeLiveAccount(live);
    const stored = { accountId, createdAtMs, clock, state, recent: undefined };
    const checkpoint = {
      ...{ position, accounts: [stored], buckets: effects.closedBuckets },
      ...{ corrections: effects.lateBucketCorrections, periods: [], watched: [] },
      ...{ removedAccounts: [], removedTrackers: [] },
    };
    const partition = partitionOf(accountId, partitionCount(database.kind));
    const epoch = claimed.get(partition)?.epoch ?? Number.NaN;
    await database.transaction((tx) => writeCheckpoint(tx, partition, epoch, checkpoint, 0));
  };
}

async function assertChart(
  database: Database,
  pages: PageCache,
  account: Account,
  live: LiveAccount,
  startMs: number,
  endMs: number,
): Promise<void> {
  const principal: Principal = {
    ...{ userId: account.userId, tokenId: 't', accountIds: undefined },
    scopes: new Set(['read']),
  };
  const catalogue = new Catalogue(database);
  const context = { database, catalogue, logger, now: () => END_MS, newId: () => '' };
  const query = {
    startTime: formatBrokerTime(startMs),
    endTime: formatBrokerTime(endMs),
    realTime: false,
  };
  const parts = { ...context, engine: undefined, pages };
  const bytes = await readEquityChart(parts, principal, account.id, query);
  const stored = await readBuckets(database, account.id, startMs, endMs, 1e6);
  const running = runningBucket(live);
  const isShown = running && running.startTimeMs >= startMs && running.startTimeMs < endMs;
  assert.equal(
    Buffer.concat(bytes).toString(),
    `[${jsonOfHours(isShown ? [...stored, running] : stored, 4)}]`,
  );
}
