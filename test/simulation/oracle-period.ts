import { type BrokerClock, DAY_MS } from '../../src/domain/broker-time.ts';
import type { PeriodStatistics, TrackerEvent } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { isCredit, OracleBaseline } from './oracle-baseline.ts';
import type { OracleItem, SnapshotItem } from './oracle-items.ts';
import { allowedBy, isOver } from './oracle-thresholds.ts';
import type { Stretch } from './oracle-trackers.ts';

/** One period of one tracker, each figure computed from the whole feed. */
export function evaluatePeriod(
  accountId: string,
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
  stretch: Stretch,
): { statistics: PeriodStatistics; event: TrackerEvent | undefined } {
  const { period, from, until } = stretch;
  const origin = new OracleBaseline(definition, clock, items, stretch);
  const identity = {
    accountId,
    trackerId: definition.id,
    period: definition.period,
    startTimeMs: period.startMs,
    endTimeMs: period.endMs === Infinity ? undefined : period.endMs - 1,
  };
  const measures = items
    .filter((item) => item.kind === 'snapshot')
    .filter((snapshot) => origin.isMeasured(snapshot))
    .map((snapshot) => measure(definition, origin, snapshot));
  const exceeding = measures.findIndex(({ lost, won }) => lost || won);
  const counted = exceeding < 0 ? measures : measures.slice(0, exceeding + 1);
  const maxima = maximaOf(counted, origin.trails);
  const breach = measures[exceeding];
  const tradeDays = origin.deals
    .filter(({ order, utcMs }) => order >= from && order < until && utcMs >= period.startUtcMs)
    .filter((deal) => deal.type !== 'DEAL_TYPE_BALANCE' && !isCredit(deal))
    .map(({ timeMs }) => Math.floor(timeMs / DAY_MS));
  const initialBalance = origin.initialAt(Infinity);
  const profitBase = baseOf(definition, origin.profitBaselineAt(Infinity));
  const statistics: PeriodStatistics = {
    ...identity,
    periodStatus: until === Infinity ? 'running' : 'completed',
    initialBalance: Number.isNaN(initialBalance) ? undefined : initialBalance,
    ...maxima,
    maxRelativeProfit: fraction(maxima.maxAbsoluteProfit, profitBase),
    thresholdExceeded: breach !== undefined,
    exceededThresholdType: breach && (breach.lost ? 'drawdown' : 'profit'),
    tradeDayCount: new Set(tradeDays).size,
  };
  return { statistics, event: breach && { ...identity, ...eventOf(breach, definition, origin) } };
}

type Measure = {
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
  const profitBaseline = from.profitBaselineAt(snapshot.order);
  const drawdown = Math.max(0, baseline - from.adjustedEquity(snapshot));
  const profit = Math.max(0, from.adjustedEquity(snapshot) - profitBaseline);
  const base = baseOf(definition, baseline);
  const { absoluteDrawdownThreshold: loss, relativeDrawdownThreshold: lossPart } = definition;
  const { absoluteProfitThreshold: gain, relativeProfitThreshold: gainPart } = definition;
  const lost = isOver(drawdown, base, loss, lossPart);
  return {
    snapshot,
    baseline,
    profitBaseline,
    drawdown,
    relativeDrawdown: fraction(drawdown, base),
    profit,
    lost,
    won: !lost && isOver(profit, baseOf(definition, profitBaseline), gain, gainPart),
  };
}

/** Where a drawdown is exceeded, the profit of that moment is not looked at. */
function maximaOf(measures: readonly Measure[], trails: boolean) {
  const maxDrawdown = Math.max(0, ...measures.map(({ drawdown }) => drawdown));
  const gains = measures.filter(({ lost }) => !lost);
  const maxProfit = Math.max(0, ...gains.map(({ profit }) => profit));
  const deepest = measures.find(({ drawdown }) => drawdown > 0 && drawdown === maxDrawdown);
  const highest = gains.find(({ profit }) => profit > 0 && profit === maxProfit);
  const maxima = measures.filter(
    ({ drawdown }, index) =>
      trails || measures.slice(0, index).every((earlier) => earlier.drawdown < drawdown),
  );
  return {
    maxAbsoluteDrawdown: maxDrawdown,
    maxRelativeDrawdown: Math.max(0, ...maxima.map(({ relativeDrawdown }) => relativeDrawdown)),
    maxDrawdownTimeMs: deepest?.snapshot.timeMs,
    maxAbsoluteProfit: maxProfit,
    maxProfitTimeMs: highest?.snapshot.timeMs,
  };
}

function eventOf(
  { snapshot, baseline, profitBaseline, drawdown, relativeDrawdown, profit, lost }: Measure,
  definition: TrackerDefinition,
  from: OracleBaseline,
) {
  const { timeMs, balance, equity, order } = snapshot;
  const { absoluteDrawdownThreshold: loss, relativeDrawdownThreshold: lossPart } = definition;
  const { absoluteProfitThreshold: gain, relativeProfitThreshold: gainPart } = definition;
  const profitBase = baseOf(definition, profitBaseline);
  return {
    timeMs,
    exceededThresholdType: lost ? ('drawdown' as const) : ('profit' as const),
    absoluteDrawdown: drawdown,
    relativeDrawdown,
    absoluteProfit: profit,
    relativeProfit: fraction(profit, profitBase),
    allowed: lost
      ? allowedBy(baseOf(definition, baseline), loss, lossPart)
      : allowedBy(profitBase, gain, gainPart),
    baseline: lost ? baseline : profitBaseline,
    initialBalance: from.initialAt(order),
    balance,
    equity,
    adjustment: from.adjustmentAt(order),
  };
}

const baseOf = ({ limitBase, initialCapital }: TrackerDefinition, baseline: number): number =>
  limitBase === 'initialCapital' ? (initialCapital ?? Number.NaN) : baseline;

const fraction = (amount: number, base: number): number => (base > 0 ? amount / base : 0);
