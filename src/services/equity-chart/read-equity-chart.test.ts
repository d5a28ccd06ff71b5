import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { DAY_MS, formatBrokerTime, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { BrokerClockView } from '../../domain/live/broker-clock-view.ts';
import { correctBucket, runningBucket } from '../../domain/live/equity-bucket.ts';
import { foldSnapshot } from '../../domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../domain/live/live-account.ts';
import { type EquityBucket, FoldEffects } from '../../domain/live/live-records.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import { createEngineMetrics } from '../../engine/engine-metrics.ts';
import { EntryAccount } from '../../engine/entry-account.ts';
import { EntryBuilder } from '../../engine/entry-builder.ts';
import { type JournalEntry, smallEntry } from '../../engine/journal-entry.ts';
import { ClockViews } from '../../engine/load-cells.ts';
import { Partition } from '../../engine/partition.ts';
import type { Account } from '../../storage/account-store.ts';
import { Catalogue } from '../../storage/catalogue.ts';
import type { Database } from '../../storage/database.ts';
import { readJournalAccounts } from '../../storage/journal-account-store.ts';
import { partitionCount, partitionOf } from '../../storage/journal-store.ts';
import { claimPartition, readPartitions } from '../../storage/partition-store.ts';
import type { Principal } from '../context.ts';
import { PageCache } from '../page-cache.ts';
import type { HourRange } from './closed-hours.ts';
import { jsonOfHours } from './present-hours.ts';
import { readEquityChart } from './read-equity-chart.ts';

const START_MS = Date.UTC(2026, 1, 27);
const DAYS = 14;
const END_MS = START_MS + DAYS * DAY_MS;
const RUNS = 40;
const UTC = { zone: 'UTC', shiftHours: 0 };
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
const rounds = fc.array(
  fc.record({
    sent: snapshots,
    /** Hours that the account's clock is ahead of UTC from then on. */
    shiftHours: fc.constantFrom(0, 0, 0, -5, 3),
    isStored: fc.boolean(),
    asked: ranges,
  }),
  { minLength: 1, maxLength: 4 },
);

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`equity chart on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    it('is the hours of all snapshots so far, however often and in what parts it was asked for', async (context) => {
      const { database } = opened;
      const partitions = await ownPartitions(database);
      context.after(() => Promise.all(partitions.map((partition) => partition.stop())));
      const property = fc.asyncProperty(rounds, async (sequence) => {
        const account = await newAccount(database, { brokerClock: UTC });
        const number = partitionOf(account.id, partitionCount(kind));
        const partition = partitions[number];
        assert.ok(partition);
        const desk = await openDesk(database, partition, account);
        const pages = new PageCache(2 ** 20);
        const asked: [from: number, hours: number][] = [];
        for (const round of sequence) {
          await desk.changeClock({ ...UTC, shiftHours: round.shiftHours });
          await desk.send(round.sent);
          if (round.isStored) await partition.writeCheckpoint();
          // Twice, as what was asked for once is not kept; and those of the rounds before as well.
          asked.push(...round.asked, ...round.asked);
          for (const [from, hours] of asked) {
            const startMs = START_MS + from * HOUR_MS;
            const range = { startMs, endMs: startMs + hours * HOUR_MS };
            assert.equal(
              await chartOf({ database, partition, pages }, account, range),
              desk.expected(range),
            );
          }
        }
      });
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    });
  });
}

/** All partitions of a database, as an engine owns them. */
async function ownPartitions(database: Database): Promise<Partition[]> {
  const count = partitionCount(database.kind);
  const parts = {
    ...{ database, now: () => END_MS, rules: new TrackerRules(), clocks: new ClockViews() },
    ...{ metrics: createEngineMetrics(new Registry()), logger, partitions: count },
    // Checkpoints are written when the test says so.
    ...{ checkpointMs: 2 ** 30, keepJournalMs: 0, numbersWanted: () => {} },
  };
  const partitions: Partition[] = [];
  for (const row of await readPartitions(database, count)) {
    const own = await claimPartition(database, row, 'test');
    assert.ok(own);
    const partition = new Partition(own, parts, () => {});
    await partition.settle();
    partitions[own.partition] = partition;
  }
  return partitions;
}

/** Sends to an account in a partition, and folds the same by itself: what the chart must show. */
async function openDesk(database: Database, partition: Partition, account: Account) {
  const journalAccount = (await readJournalAccounts(database, [account.id])).get(account.id);
  assert.ok(journalAccount);
  const named = new EntryAccount(journalAccount);
  const own = new LiveAccount(account.id, new BrokerClockView(UTC));
  const closed = new Map<number, EquityBucket>();
  const hand = async (entry: JournalEntry): Promise<void> => {
    partition.hand(partition.state.position + 1, entry);
    await partition.settle();
  };
  return {
    async send(sent: { minute: number; equity: number }[]): Promise<void> {
      const builder = new EntryBuilder();
      builder.addAccount(named);
      const effects = new FoldEffects();
      for (const { minute, equity } of sent) {
        const timeMs = START_MS + minute * MINUTE_MS;
        builder.addRow(0, timeMs, 1_000_000, equity);
        foldSnapshot(own, timeMs, 1_000_000, equity, [], END_MS, effects);
        for (const hour of effects.closedBuckets.splice(0)) closed.set(hour.startTimeMs, hour);
        for (const late of effects.lateBucketCorrections.splice(0)) {
          closed.set(late.startTimeMs, correctBucket(closed.get(late.startTimeMs), late));
        }
      }
      await hand(builder.build(END_MS));
    },
    async changeClock(clock: typeof UTC): Promise<void> {
      own.clock = new BrokerClockView(clock);
      own.forgetQuietBand();
      await hand(smallEntry(END_MS, named, { command: { kind: 'clock-changed', clock } }));
    },
    expected({ startMs, endMs }: HourRange): string {
      const isAsked = ({ startTimeMs }: { startTimeMs: number }): boolean =>
        startTimeMs >= startMs && startTimeMs < endMs;
      const hours = [...closed.values()].filter(isAsked);
      hours.sort((a, b) => a.startTimeMs - b.startTimeMs);
      const running = runningBucket(own);
      if (running && isAsked(running) && !closed.has(running.startTimeMs)) hours.push(running);
      return `[${jsonOfHours(hours, 4)}]`;
    },
  };
}

async function chartOf(
  { database, partition, pages }: { database: Database; partition: Partition; pages: PageCache },
  account: Account,
  { startMs, endMs }: HourRange,
): Promise<string> {
  const principal: Principal = {
    ...{ userId: account.userId, tokenId: 't', accountIds: undefined },
    scopes: new Set(['read']),
  };
  const query = {
    startTime: formatBrokerTime(startMs),
    endTime: formatBrokerTime(endMs),
    realTime: false,
  };
  const parts = {
    ...{ database, catalogue: new Catalogue(database), logger, now: () => END_MS },
    ...{ newId: () => '', pages },
    engine: { viewOf: async (id: string, ms: number) => partition.viewOf(id, ms) },
  };
  return Buffer.concat(await readEquityChart(parts, principal, account.id, query)).toString();
}
