import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineWorld, type TestProcess } from '../../../test/engine/engine-world.ts';
import { needs } from '../../../test/needs.ts';
import { fc } from '../../../test/properties.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { DAY_MS, formatBrokerTime, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { BrokerClockView } from '../../domain/live/broker-clock-view.ts';
import { correctBucket, runningBucket } from '../../domain/live/equity-bucket.ts';
import { FoldEffects } from '../../domain/live/fold-effects.ts';
import { foldSnapshot } from '../../domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../domain/live/live-account.ts';
import type { EquityBucket } from '../../domain/live/live-records.ts';
import { CommitBuilder } from '../../journal/commit-builder.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Principal } from '../context.ts';
import { PageCache } from '../page-cache.ts';
import type { HourRange } from './chart-range.ts';
import { jsonOfHours } from './present-hours.ts';
import { readEquityChart } from './read-equity-chart.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 1, 27);
const DAYS = 14;
const END_MS = START_MS + DAYS * DAY_MS;
const RUNS = 40;
const UTC = { zone: 'UTC', shiftHours: 0 };

/** Minutes since the start at which snapshots come, not all in order. */
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
    it('shows the hours of all snapshots so far, however often and in what parts it is read', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const property = fc.asyncProperty(rounds, async (sequence) => {
        const account = await newAccount(world.database, { brokerClock: UTC });
        const desk = openDesk(process, account);
        const pages = new PageCache(2 ** 20);
        const asked: [from: number, hours: number][] = [];
        for (const round of sequence) {
          await desk.changeClock({ ...UTC, shiftHours: round.shiftHours });
          await desk.send(round.sent);
          if (round.isStored) await process.store();
          // Twice, because the first answer is not kept; and those of earlier rounds, too.
          asked.push(...round.asked, ...round.asked);
          for (const [from, hours] of asked) {
            const startMs = START_MS + from * HOUR_MS;
            const range = { startMs, endMs: startMs + hours * HOUR_MS };
            const chart = await chartOf(process, pages, account, range);
            assert.equal(chart, desk.expected(range));
          }
        }
      });
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    });
  });
}

/** Sends to an account of a process, and folds the same here: the expected chart. */
function openDesk(process: TestProcess, account: Account) {
  const { live } = process;
  const own = new LiveAccount(account.id, new BrokerClockView(UTC));
  const closed = new Map<number, EquityBucket>();
  return {
    async send(sent: { minute: number; equity: number }[]): Promise<void> {
      const commit = new CommitBuilder(live.journal.partitions);
      const { builder, account: place } = commit.addAccount(account.number);
      const effects = new FoldEffects();
      for (const { minute, equity } of sent) {
        const timeMs = START_MS + minute * MINUTE_MS;
        builder.addRow(place, timeMs, 1_000_000, equity);
        foldSnapshot(own, timeMs, 1_000_000, equity, [], END_MS, effects);
        for (const hour of effects.closedBuckets.splice(0)) closed.set(hour.startTimeMs, hour);
        for (const late of effects.lateBucketCorrections.splice(0)) {
          closed.set(late.startTimeMs, correctBucket(closed.get(late.startTimeMs), late));
        }
      }
      await live.append(commit.build(END_MS));
      await process.settle();
    },
    async changeClock(clock: typeof UTC): Promise<void> {
      own.changeClock(new BrokerClockView(clock));
      await live.tell(account, { kind: 'clock-changed', clock });
      await process.settle();
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
  { live }: TestProcess,
  pages: PageCache,
  account: Account,
  { startMs, endMs }: HourRange,
): Promise<string> {
  const principal: Principal = {
    ...{ userId: account.userId, tokenId: 't', accountNumbers: undefined },
    scopes: new Set(['read']),
  };
  const query = {
    startTime: formatBrokerTime(startMs),
    endTime: formatBrokerTime(endMs),
    realTime: false,
  };
  const parts = { ...live.context, now: () => END_MS, pages, live: live.reader };
  return Buffer.concat(await readEquityChart(parts, principal, account.id, query)).toString();
}
