import { type BrokerClock, DAY_MS } from '../../src/domain/broker-time.ts';
import type { PeriodStatistics, TrackerEvent } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { OracleBaseline } from './oracle-baseline.ts';
import type { OracleItem, SnapshotItem } from './oracle-items.ts';
import { gainsOf, isOver, limitOf, lossesOf } from './oracle-thresholds.ts';
import { calendarOf } from './oracle-time.ts';
import type { Stretch } from './oracle-trackers.ts';

/** One period of one tracker, each figure computed from the whole feed. */
export function evaluatePeriod(
  accountId: string,
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
  stretch: Stretch,
): { statistics: PeriodStatistics; events: TrackerEvent[] } {
  const { period, from, until } = stretch;
  const identity = {
    accountId,
    trackerId: definition.id,
    period: definition.period,
    startTimeMs: period.startMs,
    endTimeMs: period.lastMs === Infinity ? undefined : period.lastMs,
  };
  const { measures, last } = measuresOf(definition, clock, items, stretch);
  const exceeding = measures.findIndex((one, index) => {
    const isLast = index === measures.length - 1 && until !== Infinity;
    return one.won || (one.lost && (!definition.judgedAtEnd || isLast));
  });
  const counted = exceeding < 0 ? measures : measures.slice(0, exceeding + 1);
  const origin = measures[exceeding]?.from ?? last;
  // A verdict at the end of a period comes after its last measure counted as others did.
  const maxima = maximaOf(
    definition.judgedAtEnd ? counted.map((one) => ({ ...one, lost: false })) : counted,
  );
  const breach = measures[exceeding];
  // The account's first snapshot is also the first of the deals before it.
  const isFirst = items.find((item) => item.kind === 'snapshot')?.order === from;
  const tradeDays = items
    .filter((item) => item.kind === 'deal')
    .filter((deal) => deal.snapshotOrder >= (isFirst ? from : from + 1) && deal.order < until)
    .filter((deal) => deal.endUtcMs >= period.startUtcMs)
    .filter((deal) => deal.type !== 'DEAL_TYPE_BALANCE' && !deal.isCredit)
    .map(({ ownTimeMs }) => Math.floor(ownTimeMs / DAY_MS));
  const initialBalance = origin.start.balance;
  const frozenOrder = breach?.snapshot.order ?? Infinity;
  const baseline = origin.baselineAt(frozenOrder);
  const { profitBaseline } = origin;
  const base = baseOf(definition, baseline);
  const profitBase = baseOf(definition, profitBaseline);
  const statistics: PeriodStatistics = {
    ...identity,
    periodStatus: until === Infinity ? 'running' : 'completed',
    initialBalance: known(initialBalance),
    baseline: known(baseline),
    profitBaseline: known(profitBaseline),
    drawdownLimit: known(limitOf(base, lossesOf(definition))),
    profitLimit: known(limitOf(profitBase, gainsOf(definition))),
    adjustment: origin.adjustmentAt(Infinity),
    ...maxima,
    maxRelativeDrawdown: origin.trails
      ? Math.max(0, ...counted.map(({ relativeDrawdown }) => relativeDrawdown))
      : fraction(maxima.maxAbsoluteDrawdown, base),
    maxRelativeProfit: fraction(maxima.maxAbsoluteProfit, profitBase),
    thresholdExceeded: breach !== undefined,
    exceededThresholdType: breach && (breach.lost ? 'drawdown' : 'profit'),
    tradeDayCount: new Set(tradeDays).size,
  };
  const events: TrackerEvent[] = [];
  const warning = counted.find(
    (one) => (!one.lost || definition.judgedAtEnd) && isWarned(definition, one),
  );
  if (warning && definition.warnAt !== undefined) {
    const { warnAt } = definition;
    const lost = { ...warning, lost: true };
    events.push({ ...identity, ...eventOf(lost, definition), round: 0, warnAt });
  }
  if (breach) events.push({ ...identity, ...eventOf(breach, definition), round: 0 });
  return { statistics, events };
}

/** Whether a drawdown has used up enough of its limit for a warning. */
function isWarned(definition: TrackerDefinition, { baseline, drawdown }: Measure): boolean {
  const limit = limitOf(baseOf(definition, baseline), lossesOf(definition));
  if (definition.warnAt === undefined || !Number.isFinite(limit) || drawdown <= 0) return false;
  const scale = 10_000_000;
  const parts = BigInt(Math.round(definition.warnAt * scale));
  return BigInt(drawdown) * BigInt(scale) >= BigInt(limit) * parts;
}

/** All relevant items of the period, each measured from the baseline then in force. */
function measuresOf(
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
  stretch: Stretch,
): { measures: Measure[]; last: OracleBaseline } {
  const calendar = calendarOf(definition, clock);
  const heldOrder = firstHeldOrder(definition, items);
  const snapshots = items.filter((item) => item.kind === 'snapshot');
  const baselines = baselinesOf(definition, calendar, items, stretch);
  const measures = baselines.flatMap((from, index) =>
    snapshots
      .filter(({ order }) => order >= heldOrder && order < orderOf(baselines[index + 1]))
      .filter((snapshot) => from.isMeasured(snapshot))
      .map((snapshot) => measure(definition, from, snapshot)),
  );
  const last = baselines.at(-1);
  if (!last) throw new Error('A period has a baseline');
  return { measures, last };
}

const orderOf = (baseline: OracleBaseline | undefined): number => baseline?.start.order ?? Infinity;

/** A period's baselines in succession: from its start, and from its funding on. */
export function baselinesOf(
  definition: TrackerDefinition,
  calendar: BrokerClock,
  items: readonly OracleItem[],
  stretch: Stretch,
): OracleBaseline[] {
  const baselines: OracleBaseline[] = [];
  let next: OracleBaseline | undefined = new OracleBaseline(definition, calendar, items, stretch);
  while (next) {
    baselines.push(next);
    next = next.funded(calendar);
  }
  return baselines;
}

/** A baseline at the initial capital waits for the account's first snapshot with money in it. */
function firstHeldOrder(
  { baseline, initialCapital, period }: TrackerDefinition,
  items: readonly OracleItem[],
): number {
  const isPeak = period === 'lifetime' && (baseline?.startsWith('peak') ?? false);
  if (initialCapital === undefined || !(isPeak || baseline === 'initialCapital')) return 0;
  const held = items.find(
    (item) => item.kind === 'snapshot' && (item.balance > 0 || item.equity > 0),
  );
  return held?.order ?? Infinity;
}

type Measure = {
  from: OracleBaseline;
  snapshot: SnapshotItem;
  baseline: number;
  profitBaseline: number;
  drawdown: number;
  relativeDrawdown: number;
  profit: number;
  lost: boolean;
  won: boolean;
};

function measure(
  definition: TrackerDefinition,
  from: OracleBaseline,
  snapshot: SnapshotItem,
): Measure {
  const baseline = from.baselineAt(snapshot.order);
  const { profitBaseline } = from;
  const drawdown = Math.max(0, baseline - from.adjustedEquity(snapshot));
  const profit = Math.max(0, from.adjustedEquity(snapshot) - profitBaseline);
  const base = baseOf(definition, baseline);
  const profitBase = baseOf(definition, profitBaseline);
  const lost = isOver(drawdown, base, lossesOf(definition));
  return {
    from,
    snapshot,
    baseline,
    profitBaseline,
    drawdown,
    relativeDrawdown: fraction(drawdown, base),
    profit,
    lost,
    won: !lost && isOver(profit, profitBase, gainsOf(definition)),
  };
}

/** If a drawdown is exceeded, the profit of that moment is not checked. */
function maximaOf(measures: readonly Measure[]) {
  const maxDrawdown = Math.max(0, ...measures.map(({ drawdown }) => drawdown));
  const gains = measures.filter(({ lost }) => !lost);
  const maxProfit = Math.max(0, ...gains.map(({ profit }) => profit));
  const deepest = measures.find(({ drawdown }) => drawdown > 0 && drawdown === maxDrawdown);
  const highest = gains.find(({ profit }) => profit > 0 && profit === maxProfit);
  return {
    maxAbsoluteDrawdown: maxDrawdown,
    maxDrawdownTimeMs: deepest?.snapshot.timeMs,
    maxAbsoluteProfit: maxProfit,
    maxProfitTimeMs: highest?.snapshot.timeMs,
  };
}

function eventOf(
  { from, snapshot, baseline, profitBaseline, drawdown, relativeDrawdown, profit, lost }: Measure,
  definition: TrackerDefinition,
) {
  const { timeMs, balance, equity } = snapshot;
  const profitBase = baseOf(definition, profitBaseline);
  return {
    timeMs,
    exceededThresholdType: lost ? ('drawdown' as const) : ('profit' as const),
    absoluteDrawdown: drawdown,
    relativeDrawdown,
    absoluteProfit: profit,
    relativeProfit: fraction(profit, profitBase),
    allowed: lost
      ? limitOf(baseOf(definition, baseline), lossesOf(definition))
      : limitOf(profitBase, gainsOf(definition)),
    inclusive: definition.inclusive ?? false,
    baseline: lost ? baseline : profitBaseline,
    initialBalance: from.start.balance,
    balance,
    equity,
    adjustment: equity - from.adjustedEquity(snapshot),
  };
}

const baseOf = ({ limitBase, initialCapital }: TrackerDefinition, baseline: number): number =>
  limitBase === 'initialCapital' ? (initialCapital ?? Number.NaN) : baseline;

const known = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const fraction = (amount: number, base: number): number => (base > 0 ? amount / base : 0);
