import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineWorld, type TestProcess } from '../../../test/engine/engine-world.ts';
import { needs } from '../../../test/needs.ts';
import { fc } from '../../../test/properties.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { type EquityChartItem, MAX_CHART_MINUTES } from '../../contract/operations/equity-chart.ts';
import { formatBrokerTime, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { CommitBuilder } from '../../journal/commit-builder.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Principal } from '../context.ts';
import type { ChartQuery } from './read-equity-chart.ts';
import { readMinuteChart } from './read-minute-chart.ts';

needs('postgres');

const NOW_MS = Date.UTC(2026, 2, 3, 12, 0, 30);
const UTC = { zone: 'UTC', shiftHours: 0 };
const RUNS = 8;

type Snapshot = { timeMs: number; balance: number; equity: number };

/** Within three hours, so that several are of one minute, and some come twice. */
const snapshots = fc.array(
  fc
    .record({
      sixth: fc.integer({ min: 0, max: 6 * 180 }),
      balance: fc.constantFrom(1_000_000, 1_000_000, 990_000),
      equity: fc.integer({ min: 900_000, max: 1_100_000 }),
    })
    .map(({ sixth, ...amounts }) => ({ timeMs: NOW_MS - sixth * 10_000, ...amounts })),
  { minLength: 1, maxLength: 80 },
);
const rounds = fc.array(
  fc.record({ sent: snapshots, next: fc.constantFrom('nothing', 'store', 'kill') }),
  { minLength: 2, maxLength: 5 },
);

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a chart of minutes on ${kind}`, () => {
    it('shows all snapshots that were taken, in whatever order, killed in between or not', async (t) => {
      const world = await EngineWorld.open(t, kind);
      let process = await world.start();
      const property = fc.asyncProperty(rounds, async (sequence) => {
        const account = await newAccount(world.database, { brokerClock: UTC });
        const all: Snapshot[] = [];
        for (const { sent, next } of sequence) {
          await send(process, account, [...sent, ...all.slice(0, 5)]);
          all.push(...sent);
          if (next === 'store') await process.store();
          if (next === 'kill') process = await successor(world, process);
          assert.deepEqual(await chartOf(process, account), naiveChart(all));
        }
        await process.store();
        assert.deepEqual(await chartOf(process, account), naiveChart(all));
      });
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    });

    it('is the same in a process that folds nothing', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const other = await world.open();
      const account = await newAccount(world.database, { brokerClock: UTC });
      const sent = [5, 4, 4.5, 1, 3, 0].map((ago) => ago * MINUTE_MS).map(flatAt);
      await send(process, account, sent.slice(0, 3));
      await process.store();
      await send(process, account, sent.slice(3));
      for (const { live } of [process, other]) await live.context.catalogue.refresh();
      assert.deepEqual(await chartOf(other, account), naiveChart(sent));
    });

    it('is of the last 48 hours, and of the running minute only if that is asked for', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database, { brokerClock: UTC });
      const ages = [49 * HOUR_MS, 48 * HOUR_MS, 2 * HOUR_MS, 60_000, 10_000];
      await send(process, account, ages.map(flatAt));
      const shown = async (query: Partial<ChartQuery>) =>
        (await chartOf(process, account, query)).map(({ startBrokerTime }) =>
          startBrokerTime.slice(8, 16),
        );
      const live = { realTime: true };
      assert.deepEqual(await shown(live), ['01 12:00', '03 10:00', '03 11:59', '03 12:00']);
      assert.deepEqual(await shown({}), ['01 12:00', '03 10:00', '03 11:59']);
      const part = { startTime: '2026-03-03 10:00:59', endTime: '2026-03-03 11:59:00' };
      assert.deepEqual(await shown({ ...part, ...live }), ['03 10:00']);
      const ever = { startTime: '1970-01-01 00:00:00', ...live };
      assert.deepEqual(await shown(ever), await shown(live));
    });

    it('has a bound, also for a clock that is ahead', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database, { brokerClock: UTC });
      const minutes = Array.from({ length: MAX_CHART_MINUTES + 60 }, (_, n) => n);
      await send(
        process,
        account,
        minutes.map((n) => flatAt((48 * 60 - n) * MINUTE_MS)),
      );
      const chart = await chartOf(process, account);
      assert.equal(chart.length, MAX_CHART_MINUTES);
      const newest = formatBrokerTime(NOW_MS + 60 * MINUTE_MS);
      assert.equal(chart.at(-1)?.brokerTime, newest);
    });
  });
}

const flatAt = (agoMs: number): Snapshot => ({
  ...{ timeMs: NOW_MS - agoMs, balance: 1_000_000, equity: 1_000_000 - (agoMs % 7) },
});

/** Kills a process; another takes over. */
async function successor(world: EngineWorld, former: TestProcess): Promise<TestProcess> {
  await former.kill();
  const process = await world.start();
  const all = process.live.journal.partitions;
  await process.untilPassed(() => process.live.owned.length === all, 'all partitions taken over');
  return process;
}

async function send(
  { live }: TestProcess,
  { number }: Account,
  sent: readonly Snapshot[],
): Promise<void> {
  const commit = new CommitBuilder(live.journal.partitions);
  const { builder, account: place } = commit.addAccount(number);
  for (const { timeMs, balance, equity } of sent) builder.addRow(place, timeMs, balance, equity);
  await live.append(commit.build(NOW_MS));
}

async function chartOf(
  { live }: TestProcess,
  account: Account,
  query: Partial<ChartQuery> = { realTime: true },
): Promise<EquityChartItem[]> {
  const principal: Principal = {
    ...{ userId: account.userId, tokenId: 't', accountNumbers: undefined },
    scopes: new Set(['read']),
  };
  const parts = { ...live.context, now: () => NOW_MS, live: live.reader };
  const asked = { realTime: false, ...query };
  // Without realTime, as of the newest state that this process has.
  await live.reader.read(account.number, true, () => {});
  const answer = await readMinuteChart(parts, principal, account.id, asked);
  return JSON.parse(Buffer.concat(answer).toString());
}

function naiveChart(all: readonly Snapshot[]): EquityChartItem[] {
  const textOf = ({ timeMs }: Snapshot): string => formatBrokerTime(timeMs).slice(0, 16);
  return [...Map.groupBy(all, textOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([minute, own]) => {
      const [last] = own.toSorted(
        (a, b) => b.timeMs - a.timeMs || a.equity - b.equity || a.balance - b.balance,
      );
      const balances = own.map(({ balance }) => balance / 10_000);
      const equities = own.map(({ equity }) => equity / 10_000);
      return {
        ...{ startBrokerTime: `${minute}:00.000`, endBrokerTime: `${minute}:59.999` },
        brokerTime: formatBrokerTime(last?.timeMs ?? 0),
        ...{ minBalance: Math.min(...balances), maxBalance: Math.max(...balances) },
        ...{ minEquity: Math.min(...equities), maxEquity: Math.max(...equities) },
        lastBalance: (last?.balance ?? 0) / 10_000,
        lastEquity: (last?.equity ?? 0) / 10_000,
      };
    });
}
