import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  dealOf,
  deposit,
  LiveDesk,
  trackerOf,
  usd,
} from '../../../test/simulation/live-desk.ts';
import { seedTracker } from '../../../test/simulation/seed-tracker.ts';
import type { LiveDeal, PeriodStatistics, TrackerEvent } from './live-records.ts';
import { attachTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { runningPeriod } from './tracker-records.ts';
import { TrackerSeeding } from './tracker-seeding.ts';

type Step = [time: string, balance: number, equity: number, deals?: LiveDeal[]];

/** Seeds a tracker at the end of a feed; `deals` are the stored ones, by default all. */
function seed(steps: readonly Step[], parts: Partial<TrackerDefinition>, deals?: LiveDeal[]) {
  const desk = new LiveDesk();
  for (const [time, balance, equity, own] of steps) desk.see(time, balance, equity, own);
  return seedDesk(desk, parts, deals ?? steps.flatMap(([, , , own]) => own ?? []));
}

function seedDesk(desk: LiveDesk, parts: Partial<TrackerDefinition>, deals: LiveDeal[]) {
  const definition = trackerOf({ period: 'lifetime', ...parts });
  const history = { hours: desk.effects.closedBuckets, deals };
  const effects = seedTracker(desk.account, definition, desk.rules, history);
  const tracker = attachTracker(desk.account, effects.tracker);
  const period = (): PeriodStatistics | undefined => runningPeriod(desk.account, tracker);
  return { desk, effects, period };
}

const START = { startTimeMs: at('2026-03-02 10:00') };

test('periods since the start are completed, the running one continues', () => {
  const { effects, period, desk } = seed(
    [
      ['2026-03-02 09:50', 10_000, 10_000],
      ['2026-03-02 10:10', 10_000, 9900],
      ['2026-03-02 11:00', 10_000, 9700],
      ['2026-03-02 11:30', 10_000, 9400],
      ['2026-03-02 11:59', 10_000, 9800],
      ['2026-03-03 08:00', 10_000, 10_200],
      ['2026-03-04 08:00', 10_000, 10_300],
    ],
    { ...START, period: 'date', absoluteDrawdownThreshold: usd(500) },
  );
  assert.deepEqual(
    effects.completedPeriods.map(({ startTimeMs, maxAbsoluteDrawdown, maxAbsoluteProfit }) => [
      startTimeMs,
      maxAbsoluteDrawdown,
      maxAbsoluteProfit,
    ]),
    [
      [at('2026-03-02 10:00'), usd(600), 0],
      [at('2026-03-03'), 0, usd(200)],
    ],
  );
  assert.equal(effects.events.length, 1);
  assert.equal(effects.events[0]?.absoluteDrawdown, usd(600));
  assert.equal(period()?.maxAbsoluteProfit, usd(300));
  desk.see('2026-03-04 09:00', 10_000, 9000);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(1000));
});

test('the initial balance is the one now less the money of deals since the start', () => {
  const { period } = seed(
    [
      ['2026-03-02 09:00', 10_000, 10_000],
      ['2026-03-02 10:30', 10_250, 10_250, [dealOf('DEAL_TYPE_SELL', '2026-03-02 10:20', 250)]],
      ['2026-03-02 15:30', 10_200, 10_200, [dealOf('DEAL_TYPE_SELL', '2026-03-02 15:20', -50)]],
    ],
    START,
  );
  assert.equal(period()?.initialBalance, usd(10_000));
  assert.equal(period()?.tradeDayCount, 1);
});

test('if deals are missing, the last balance known before counts as usual', () => {
  const steps: Step[] = [
    ['2026-03-02 09:00', 10_000, 10_000],
    ['2026-03-02 10:30', 10_250, 10_250],
    ['2026-03-02 15:30', 9000, 9000],
  ];
  assert.equal(seed(steps, START).period()?.initialBalance, usd(10_000));
  assert.equal(seed(steps, START).period()?.maxAbsoluteDrawdown, usd(1000));
});

test('a deposit between two snapshots of an hour is no profit', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:10', 10_000, 9900],
      ['2026-03-02 11:30', 15_000, 14_900, [deposit('2026-03-02 11:30', 5000)]],
      ['2026-03-02 12:30', 15_000, 15_100],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteProfit, usd(100));
  assert.equal(period()?.maxAbsoluteDrawdown, usd(100));
});

test('a deposit before the first snapshot of its hour is no profit', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:30', 15_000, 14_900, [deposit('2026-03-02 11:30', 5000)]],
      ['2026-03-02 12:30', 15_000, 15_100],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteProfit, usd(100));
  assert.equal(period()?.maxAbsoluteDrawdown, usd(100));
});

test('a deposit after the last snapshot of its hour is no drawdown', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:30', 10_000, 10_000],
      ['2026-03-02 12:30', 15_000, 15_100, [deposit('2026-03-02 11:59', 5000)]],
      ['2026-03-02 13:30', 15_000, 15_000],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteDrawdown, 0);
  assert.equal(period()?.maxAbsoluteProfit, usd(100));
});

test('a deposit held over the edge of an hour is not in the minimum of the next', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:59', 10_000, 10_000],
      ['2026-03-02 12:01', 15_000, 15_000, [deposit('2026-03-02 11:59:30', 5000)]],
      ['2026-03-02 13:30', 15_000, 15_000],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteDrawdown, 0);
});

test('a value held from the period before is no maximum of the next', () => {
  const { effects, period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 23:59', 10_000, 9000],
      ['2026-03-03 00:01', 10_000, 9990],
      ['2026-03-03 01:30', 10_000, 9980],
    ],
    { ...START, period: 'date' },
  );
  assert.equal(effects.completedPeriods[0]?.maxAbsoluteDrawdown, usd(1000));
  assert.equal(period()?.maxAbsoluteDrawdown, usd(20));
});

test('an hour divided by the end of a period proves nothing', () => {
  const { effects, period } = seed(
    [
      ['2026-03-02 10:30', 10_000, 10_000],
      ['2026-03-02 12:30', 10_000, 10_000],
      ['2026-03-03 10:10', 10_000, 9900],
      ['2026-03-03 10:20', 10_000, 5000],
      ['2026-03-03 10:50', 10_000, 9800],
      ['2026-03-03 11:50', 10_000, 9990],
    ],
    { period: 'day', startTimeMs: at('2026-03-02 10:30') },
  );
  assert.equal(effects.completedPeriods[0]?.maxAbsoluteDrawdown, 0);
  assert.equal(period()?.maxAbsoluteDrawdown, usd(10));
});

test('a peak and a drawdown from it within one hour are not invented', () => {
  const steps: Step[] = [
    ['2026-03-02 10:00', 10_000, 10_000],
    ['2026-03-02 11:10', 10_000, 10_000],
    ['2026-03-02 11:20', 10_000, 9500],
    ['2026-03-02 11:30', 10_000, 11_000],
    ['2026-03-02 11:40', 10_000, 10_800],
    ['2026-03-02 12:10', 10_000, 11_000],
  ];
  const { period } = seed(steps, { ...START, baseline: 'peakEquity' });
  assert.equal(period()?.maxAbsoluteDrawdown, usd(500));
});

test('a start within the running hour includes the newest snapshot and the deals since', () => {
  const { period } = seed(
    [
      ['2026-03-02 09:50', 10_000, 10_000],
      ['2026-03-02 10:10', 10_000, 9000],
      ['2026-03-02 10:30', 15_000, 14_800, [deposit('2026-03-02 10:25', 5000)]],
    ],
    { startTimeMs: at('2026-03-02 10:20') },
  );
  assert.equal(period()?.startTimeMs, at('2026-03-02 10:20'));
  assert.equal(period()?.initialBalance, usd(10_000));
  assert.equal(period()?.maxAbsoluteDrawdown, usd(200));
});

test('a deposit known before the snapshot that will include it is taken out of that one', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 10_000, 10_000);
  const money = deposit('2026-03-02 11:05', 5000);
  desk.book(money);
  const { period } = seedDesk(desk, START, [money]);
  assert.equal(period()?.initialBalance, usd(10_000));
  desk.see('2026-03-02 11:10', 15_000, 15_010);
  assert.equal(period()?.maxAbsoluteProfit, usd(10));
});

test('a late snapshot is not measured by a tracker added since', () => {
  const { desk, period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:00', 10_000, 10_000],
    ],
    START,
  );
  desk.see('2026-03-02 10:30', 10_000, 9000);
  assert.equal(period()?.maxAbsoluteDrawdown, 0);
});

test('without a start, without snapshots, or with a future start there is nothing to rebuild', () => {
  const steps: Step[] = [['2026-03-02 10:00', 10_000, 9000]];
  for (const { period, effects } of [
    seed(steps, {}),
    seed([], START),
    seed(steps, { startTimeMs: at('2026-03-02 10:00:00.001') }),
  ]) {
    assert.equal(period(), undefined);
    assert.equal(effects.completedPeriods.length, 0);
  }
  assert.equal(seed(steps, START).period()?.startTimeMs, START.startTimeMs);
});

test('a tracker whose end has passed is completed', () => {
  const { effects, period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:00', 10_000, 9500],
      ['2026-03-04 11:00', 10_000, 10],
    ],
    { ...START, endTimeMs: at('2026-03-03') },
  );
  assert.equal(period(), undefined);
  assert.deepEqual(
    effects.completedPeriods.map(({ maxAbsoluteDrawdown }) => maxAbsoluteDrawdown),
    [usd(500)],
  );
});

test('a value held from before the tracker began is no maximum of its first hour', () => {
  const { period } = seed(
    [
      ['2026-03-02 09:59', 10_000, 5000],
      ['2026-03-02 10:01', 10_000, 10_000],
      ['2026-03-02 11:30', 10_000, 10_000],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteDrawdown, 0);
});

test('credit within an hour, which no balance explains, is assumed between its snapshots', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:10', 10_000, 10_000],
      ['2026-03-02 11:30', 10_000, 10_500, [dealOf('DEAL_TYPE_CREDIT', '2026-03-02 11:30', 500)]],
      ['2026-03-02 12:30', 10_000, 10_500],
    ],
    { ...START, adjustDeals: ['DEAL_TYPE_CREDIT'] },
  );
  assert.equal(period()?.maxAbsoluteDrawdown, 0);
  assert.equal(period()?.maxAbsoluteProfit, 0);
});

test('nothing is assumed to be newer than the newest snapshot', () => {
  const { period } = seed(
    [
      ['2026-03-02 10:30', 10_000, 10_000],
      ['2026-03-02 12:00', 10_000, 10_000],
      ['2026-03-02 12:00', 10_000, 9000],
      ['2026-03-02 12:00', 10_000, 10_000],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteDrawdown, usd(1000));
  assert.equal(period()?.maxDrawdownTimeMs, at('2026-03-02 12:00'));
});

test('a deal at the very start belongs to the tracker', () => {
  const { period } = seed(
    [
      ['2026-03-02 09:50', 10_000, 10_000],
      ['2026-03-02 10:00', 15_000, 15_000, [deposit('2026-03-02 10:00', 5000)]],
    ],
    START,
  );
  assert.equal(period()?.initialBalance, usd(10_000));
  assert.equal(period()?.maxAbsoluteProfit, 0);
});

const RELATIVE = { startTimeMs: at('2026-11-20'), relativeDrawdownThreshold: 0.1 };
const FUNDING = deposit('2026-11-20 08:00', 10_000);

/** A tracker's findings if it exists from the start, and if it is added at the end. */
function beforeAndAfter(
  feed: (desk: LiveDesk) => void,
  deals: LiveDeal[],
  parts: Partial<TrackerDefinition> = {},
) {
  const before = new LiveDesk([{ period: 'lifetime', ...RELATIVE, ...parts }]);
  feed(before);
  const bare = new LiveDesk();
  feed(bare);
  const after = seedDesk(bare, { ...RELATIVE, ...parts }, deals);
  const eventOf = ([event]: readonly TrackerEvent[]) => event?.relativeDrawdown;
  return [
    [before.period()?.initialBalance, eventOf(before.events)],
    [after.period()?.initialBalance, eventOf(after.effects.events)],
  ];
}

const LOST = [usd(10_000), 0.8];

test('a deposit before the first snapshot does not change the verdict', () => {
  const verdicts = beforeAndAfter(
    (desk) => {
      desk.book(FUNDING);
      desk.see('2026-11-20 12:00', 10_000, 10_000);
      desk.see('2026-11-20 12:30', 10_000, 9990);
      desk.see('2026-11-21 12:00', 10_000, 2000);
    },
    [FUNDING],
  );
  assert.deepEqual(verdicts, [LOST, LOST]);
});

test('a deposit with the first snapshot, or a late one, does not change the verdict', () => {
  for (const late of [false, true]) {
    const verdicts = beforeAndAfter(
      (desk) => {
        desk.see('2026-11-20 08:00', 10_000, 10_000, late ? [] : [FUNDING]);
        desk.see('2026-11-20 12:30', 10_000, 9990);
        if (late) desk.book(FUNDING);
        desk.see('2026-11-21 12:00', 10_000, 2000);
      },
      [FUNDING],
    );
    assert.deepEqual(verdicts, [LOST, LOST]);
  }
});

test('a deposit that funds an account without money, with or without a deal, does not change the verdict', () => {
  for (const deals of [[FUNDING], []]) {
    const verdicts = beforeAndAfter((desk) => {
      desk.see('2026-11-20 07:00', 0, 0);
      desk.see('2026-11-20 08:10', 10_000, 10_000, deals);
      desk.see('2026-11-20 08:20', 10_000, 9990);
      desk.see('2026-11-21 12:00', 10_000, 2000);
    }, deals);
    assert.deepEqual(verdicts, [LOST, LOST]);
  }
});

test('unseen trading before the first snapshot does not change the verdict', () => {
  const loss = dealOf('DEAL_TYPE_SELL', '2026-11-20 09:00', -5000);
  const verdicts = beforeAndAfter(
    (desk) => {
      desk.book(FUNDING, loss);
      desk.see('2026-11-20 12:00', 5000, 5000);
      desk.see('2026-11-21 12:00', 5000, 4400);
    },
    [FUNDING, loss],
  );
  const seen = [usd(5000), 0.12];
  assert.deepEqual(verdicts, [seen, seen]);
});

test('initial capital of an account without money is not lost, before or after', () => {
  const capital = { baseline: 'initialCapital', initialCapital: usd(10_000) } as const;
  const verdicts = beforeAndAfter(
    (desk) => {
      desk.see('2026-11-20 07:00', 0, 0);
      desk.see('2026-11-20 07:30', 0, 0);
      desk.see('2026-11-20 08:10', 10_000, 10_000, [FUNDING]);
      desk.see('2026-11-20 10:00', 10_000, 9100);
    },
    [FUNDING],
    capital,
  );
  const none = [usd(10_000), undefined];
  assert.deepEqual(verdicts, [none, none]);
});

test('a deal some milliseconds into the next hour belongs to the balance that includes it', () => {
  const late = deposit('2026-03-02 12:00:00.400', 5000);
  const { period } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:59:59.900', 15_000, 15_000, [late]],
      ['2026-03-02 12:30', 15_000, 14_900],
      ['2026-03-02 13:30', 15_000, 14_950],
    ],
    START,
  );
  assert.equal(period()?.maxAbsoluteProfit, 0);
  assert.equal(period()?.maxAbsoluteDrawdown, usd(100));
});

test('if both thresholds are within one hour, drawdown counts', () => {
  const { effects } = seed(
    [
      ['2026-03-02 10:00', 10_000, 10_000],
      ['2026-03-02 11:10', 10_000, 10_000],
      ['2026-03-02 11:20', 10_000, 11_000],
      ['2026-03-02 11:30', 10_000, 9000],
      ['2026-03-02 11:40', 10_000, 10_000],
      ['2026-03-02 12:40', 10_000, 10_000],
    ],
    { ...START, absoluteDrawdownThreshold: usd(500), absoluteProfitThreshold: usd(500) },
  );
  assert.deepEqual(
    effects.events.map(({ exceededThresholdType }) => exceededThresholdType),
    ['drawdown'],
  );
});

test('pages of any length give the same result, and none before all of them came', () => {
  const desk = new LiveDesk();
  const deals = [deposit('2026-03-02 11:30', 5000), deposit('2026-03-02 13:30', -1000)];
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:40', 15_000, 14_000, deals.slice(0, 1));
  desk.see('2026-03-02 12:40', 15_000, 15_500);
  desk.see('2026-03-02 13:40', 14_000, 14_000, deals.slice(1));
  desk.see('2026-03-03 13:40', 14_000, 14_000);
  const definition = trackerOf({ ...START, period: 'date' });
  const history = { hours: desk.effects.closedBuckets, deals };
  const outcomes = [1, 2, 1000].map((rows) => {
    const seeded = seedTracker(desk.account, definition, desk.rules, history, rows);
    return [seeded.completedPeriods, runningPeriod(desk.account, seeded.tracker)];
  });
  assert.deepEqual(outcomes[0], outcomes[2]);
  assert.deepEqual(outcomes[1], outcomes[2]);
  const seeding = new TrackerSeeding(desk.account, definition, desk.rules);
  assert.equal(seeding.needs, 'hours');
  assert.throws(() => seeding.finish(), /still needs hours/);
});
