import { type BrokerClock, DAY_MS } from '../../src/domain/broker-time.ts';
import type { PeriodStatistics, TrackerEvent } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { DealItem, OracleItem, SnapshotItem } from './oracle-items.ts';
import { calendarOf, midnightAfter } from './oracle-time.ts';
import type { Stretch } from './oracle-trackers.ts';

const MAX_HOLD = 600_000;
const SCALE = 10_000_000n;

const sum = (deals: readonly DealItem[]): number =>
  deals.reduce((total, { money }) => total + money, 0);
const isCredit = ({ type }: DealItem) => type === 'DEAL_TYPE_CREDIT';
const isTrade = ({ type }: DealItem) => type === 'DEAL_TYPE_BUY' || type === 'DEAL_TYPE_SELL';

/** One period of one tracker, each figure computed from the whole feed. */
export function evaluatePeriod(
  accountId: string,
  definition: TrackerDefinition,
  clock: BrokerClock,
  items: readonly OracleItem[],
  stretch: Stretch,
): { statistics: PeriodStatistics; event: TrackerEvent | undefined } {
  const { period, from, until } = stretch;
  const baselineKind = definition.baseline ?? 'startBalance';
  const trails = baselineKind === 'peakEquity' || baselineKind === 'peakEndOfDayBalance';
  const capital = definition.initialCapital;
  const adjusts: readonly string[] = definition.adjustDeals ?? ['DEAL_TYPE_BALANCE'];
  const deals = items.filter((item) => item.kind === 'deal');
  const snapshots = items.filter((item) => item.kind === 'snapshot');
  const inOrder = snapshots.filter(({ late }) => !late);
  const lastBefore = (order: number) => inOrder.findLast((snapshot) => snapshot.order < order);
  const newerDeals = (order: number) => {
    const last = lastBefore(order);
    return deals.filter(
      (deal) => last && deal.order > last.order && deal.order < order && deal.utcMs > last.utcMs,
    );
  };

  const entry = items[from];
  const last = lastBefore(from);
  const first = inOrder.find(
    ({ order, utcMs }) => order >= from && order < until && utcMs >= period.startUtcMs,
  );
  const basisUtcMs = last?.utcMs ?? first?.utcMs ?? Infinity;
  const basisOrder = last ? from - 1 : (first?.order ?? Infinity);
  const known = last
    ? last.balance + sum(newerDeals(from).filter((deal) => !isCredit(deal)))
    : first?.balance;
  const affecting = deals.filter(
    ({ order, utcMs }) => order > basisOrder && order < until && utcMs > basisUtcMs,
  );
  const corrections = affecting.filter((deal) => deal.utcMs < period.startUtcMs && !isCredit(deal));
  const adjustments = affecting.filter(
    (deal) => deal.utcMs >= period.startUtcMs && adjusts.includes(deal.type),
  );
  const upTo = (list: readonly DealItem[], order: number) =>
    list.filter((deal) => deal.order <= order);
  const initialAt = (order: number) => (known ?? Number.NaN) + sum(upTo(corrections, order));
  const adjustmentAt = (order: number) => sum(upTo(adjustments, order));
  const adjustedOf = ({ equity, order }: SnapshotItem) => equity - adjustmentAt(order);

  const isHeld = last !== undefined && entry !== undefined && entry.utcMs - last.utcMs <= MAX_HOLD;
  const needsEquity = baselineKind === 'startEquity' || baselineKind === 'maxOfBoth';
  const startsAtFirst = last === undefined || (needsEquity && !isHeld);
  const startOrder = startsAtFirst ? (first?.order ?? Infinity) : from;
  const startEquity =
    isHeld && last
      ? last.equity + sum(newerDeals(from).filter((deal) => !isTrade(deal)))
      : first && adjustedOf(first);

  const cap = baselineCap(definition);
  const dayEnds = baselineKind === 'peakEndOfDayBalance' ? passedDayEnds() : [];
  const profitBaselineAt = (order: number): number => {
    if (baselineKind === 'startBalance') return initialAt(order);
    const initial = initialAt(startOrder);
    if (baselineKind === 'initialCapital') return capital ?? Number.NaN;
    if (baselineKind === 'startEquity') return startEquity ?? Number.NaN;
    if (baselineKind === 'maxOfBoth') return Math.max(initial, startEquity ?? Number.NaN);
    return Math.max(initial, capital ?? initial);
  };
  const adjustedEquities = new Map<number, number>();
  for (const snapshot of inOrder) {
    if (snapshot.order >= from && snapshot.order < until && snapshot.utcMs >= period.startUtcMs) {
      adjustedEquities.set(snapshot.order, adjustedOf(snapshot));
    }
  }
  const baselineAt = (order: number): number => {
    const start = profitBaselineAt(order);
    if (!trails) return start;
    const peaks = [start];
    for (const deal of upTo(corrections, order)) peaks.push(initialAt(deal.order));
    for (const dayEnd of dayEnds) if (dayEnd.order <= order) peaks.push(dayEnd.balance);
    if (baselineKind === 'peakEquity') {
      for (const [at, equity] of adjustedEquities) if (at <= order) peaks.push(equity);
    }
    return Math.min(cap, Math.max(...peaks));
  };

  function passedDayEnds(): { order: number; balance: number }[] {
    const found: { order: number; balance: number }[] = [];
    const calendar = calendarOf(definition, clock);
    let dayEndUtcMs = midnightAfter(entry?.utcMs ?? 0, calendar);
    for (const item of items) {
      if (item.order <= from || item.order >= until) continue;
      if (item.kind === 'snapshot' && item.late) continue;
      if (item.utcMs < dayEndUtcMs) continue;
      dayEndUtcMs = midnightAfter(item.utcMs, calendar);
      const before = lastBefore(item.order);
      if (!before || item.order <= startOrder) continue;
      const booked = adjustments.filter((deal) => deal.order < item.order && !isCredit(deal));
      const newer = newerDeals(item.order).filter((deal) => !isCredit(deal));
      found.push({ order: item.order, balance: before.balance + sum(newer) - sum(booked) });
    }
    return found;
  }

  const measurableFromUtcMs = startsAtFirst
    ? (first?.utcMs ?? Infinity)
    : last && last.utcMs >= period.startUtcMs
      ? last.utcMs + 1
      : period.startUtcMs;
  const isMeasured = (snapshot: SnapshotItem): boolean => {
    const { order, utcMs, late } = snapshot;
    if (order < from || order >= until || utcMs < period.startUtcMs) return false;
    if (!late) return true;
    if (trails || utcMs >= period.endUtcMs || order < startOrder) return false;
    if (utcMs < measurableFromUtcMs) return false;
    return [...corrections, ...adjustments]
      .filter((deal) => deal.order > startOrder - (startsAtFirst ? 0 : 1) && deal.order < order)
      .every((deal) => utcMs >= deal.utcMs && utcMs > (deal.lastUtcMs ?? -Infinity));
  };

  const baseOf = (baseline: number) =>
    definition.limitBase === 'initialCapital' ? (capital ?? Number.NaN) : baseline;
  const relative = (amount: number, baseline: number) =>
    baseOf(baseline) > 0 ? amount / baseOf(baseline) : 0;
  let maxDrawdown = 0;
  let maxRelativeDrawdown = 0;
  let maxDrawdownTimeMs: number | undefined;
  let maxProfit = 0;
  let maxProfitTimeMs: number | undefined;
  let event: TrackerEvent | undefined;
  for (const snapshot of snapshots.filter(isMeasured)) {
    if (event) break;
    const { order, timeMs, balance, equity } = snapshot;
    const [baseline, profitBaseline] = [baselineAt(order), profitBaselineAt(order)];
    const drawdown = Math.max(0, baseline - adjustedOf(snapshot));
    const profit = Math.max(0, adjustedOf(snapshot) - profitBaseline);
    const { absoluteDrawdownThreshold, relativeDrawdownThreshold } = definition;
    const lost = isOver(
      drawdown,
      baseOf(baseline),
      absoluteDrawdownThreshold,
      relativeDrawdownThreshold,
    );
    const { absoluteProfitThreshold, relativeProfitThreshold } = definition;
    const won =
      !lost &&
      isOver(profit, baseOf(profitBaseline), absoluteProfitThreshold, relativeProfitThreshold);
    if (drawdown > maxDrawdown || trails) {
      maxRelativeDrawdown = Math.max(maxRelativeDrawdown, relative(drawdown, baseline));
    }
    if (drawdown > maxDrawdown) [maxDrawdown, maxDrawdownTimeMs] = [drawdown, timeMs];
    if (!lost && profit > maxProfit) [maxProfit, maxProfitTimeMs] = [profit, timeMs];
    if (!lost && !won) continue;
    event = {
      accountId,
      trackerId: definition.id,
      period: definition.period,
      startTimeMs: period.startMs,
      endTimeMs: period.endMs === Infinity ? undefined : period.endMs - 1,
      timeMs,
      exceededThresholdType: lost ? 'drawdown' : 'profit',
      absoluteDrawdown: drawdown,
      relativeDrawdown: relative(drawdown, baseline),
      absoluteProfit: profit,
      relativeProfit: relative(profit, profitBaseline),
      allowed: lost
        ? allowed(baseOf(baseline), absoluteDrawdownThreshold, relativeDrawdownThreshold)
        : allowed(baseOf(profitBaseline), absoluteProfitThreshold, relativeProfitThreshold),
      baseline: lost ? baseline : profitBaseline,
      initialBalance: initialAt(order),
      balance,
      equity,
      adjustment: adjustmentAt(order),
    };
  }
  const tradeDays = deals
    .filter(({ order, utcMs }) => order >= from && order < until && utcMs >= period.startUtcMs)
    .filter((deal) => deal.type !== 'DEAL_TYPE_BALANCE' && !isCredit(deal))
    .map(({ timeMs }) => Math.floor(timeMs / DAY_MS));
  const statistics: PeriodStatistics = {
    accountId,
    trackerId: definition.id,
    period: definition.period,
    startTimeMs: period.startMs,
    endTimeMs: period.endMs === Infinity ? undefined : period.endMs - 1,
    periodStatus: until === Infinity ? 'running' : 'completed',
    initialBalance: Number.isNaN(initialAt(Infinity)) ? undefined : initialAt(Infinity),
    maxAbsoluteDrawdown: maxDrawdown,
    maxRelativeDrawdown,
    maxDrawdownTimeMs,
    maxAbsoluteProfit: maxProfit,
    maxRelativeProfit: relative(maxProfit, profitBaselineAt(Infinity)),
    maxProfitTimeMs,
    thresholdExceeded: event !== undefined,
    exceededThresholdType: event?.exceededThresholdType,
    tradeDayCount: new Set(tradeDays).size,
  };
  return { statistics, event };
}

const parts = (fraction: number): bigint => BigInt(Math.round(fraction * Number(SCALE)));

/** Strictly more than either threshold, in exact arithmetic. */
function isOver(
  amount: number,
  base: number,
  absolute: number | undefined,
  fraction: number | undefined,
): boolean {
  if (absolute !== undefined && amount > absolute) return true;
  if (fraction === undefined || !(base > 0)) return false;
  return BigInt(amount) * SCALE > BigInt(base) * parts(fraction);
}

function allowed(base: number, absolute: number | undefined, fraction: number | undefined) {
  const limits = [absolute ?? Infinity];
  if (fraction !== undefined && base > 0) {
    limits.push(Number((BigInt(base) * parts(fraction)) / SCALE));
  }
  return Math.min(...limits);
}

/** The highest baseline whose floor is not above the lock. */
function baselineCap(definition: TrackerDefinition): number {
  const { lockAt, absoluteDrawdownThreshold, relativeDrawdownThreshold, initialCapital } =
    definition;
  if (lockAt === undefined) return Infinity;
  const caps = [Infinity];
  if (absoluteDrawdownThreshold !== undefined) caps.push(lockAt + absoluteDrawdownThreshold);
  if (relativeDrawdownThreshold !== undefined) {
    const fraction = parts(relativeDrawdownThreshold);
    caps.push(
      definition.limitBase === 'initialCapital'
        ? lockAt + Number((BigInt(initialCapital ?? 0) * fraction) / SCALE)
        : Number((BigInt(lockAt) * SCALE) / (SCALE - fraction)),
    );
  }
  return Math.min(...caps);
}
