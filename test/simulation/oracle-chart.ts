import type { EquityBucket, EquityMinute } from '../../src/domain/live/live-records.ts';
import type { SnapshotItem } from './oracle-items.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const MAX_HOLD = 600_000;

type Piece = { from: SnapshotItem; fromUtcMs: number; untilUtcMs: number; hourMs: number };

/** An hour as charts show it. */
export type ChartHour = Omit<EquityBucket, 'hasLateExtremes'>;

/** Every hour of an account, each computed from all of its snapshots. */
export function oracleBuckets(accountId: string, inOrder: readonly SnapshotItem[]): ChartHour[] {
  // The latest hour so far: a clock that goes back reopens none.
  let latestMs = Number.NEGATIVE_INFINITY;
  const hours = inOrder.map(({ timeMs }) => {
    latestMs = Math.max(latestMs, Math.floor(timeMs / HOUR) * HOUR);
    return latestMs;
  });
  const pieces = inOrder.flatMap((from, index): Piece[] => {
    const next = inOrder[index + 1];
    const [hourMs, nextHourMs] = [hours[index], hours[index + 1]];
    if (!next || hourMs === undefined || nextHourMs === undefined) return [];
    const whole = { from, fromUtcMs: from.utcMs, untilUtcMs: next.utcMs };
    if (hourMs === nextHourMs) return [{ ...whole, hourMs }];
    if (next.utcMs - from.utcMs > MAX_HOLD) return [];
    const edgeUtcMs = Math.max(from.utcMs, next.utcMs - (next.timeMs - nextHourMs));
    return [
      { ...whole, untilUtcMs: edgeUtcMs, hourMs },
      { ...whole, fromUtcMs: edgeUtcMs, hourMs: nextHourMs },
    ];
  });
  const piecesOf = Map.groupBy(pieces, ({ hourMs }) => hourMs);
  const inOrderOf = Map.groupBy(inOrder.entries(), ([index]) => hours[index]);
  return [...new Set(hours)]
    .sort((a, b) => a - b)
    .map((hourMs): ChartHour => {
      const own = (inOrderOf.get(hourMs) ?? []).map(([, snapshot]) => snapshot);
      const held = piecesOf.get(hourMs) ?? [];
      const [first, last] = [own[0], own.at(-1)];
      if (!first || !last) throw new RangeError('An hour without snapshots');
      const seen = [...own, ...held.map(({ from }) => from)];
      const balances = seen.map(({ balance }) => balance);
      const equities = seen.map(({ equity }) => equity);
      return {
        accountId,
        startTimeMs: hourMs,
        averageBalance: average(held, ({ balance }) => balance, last),
        minBalance: Math.min(...balances),
        maxBalance: Math.max(...balances),
        averageEquity: average(held, ({ equity }) => equity, last),
        minEquity: Math.min(...equities),
        maxEquity: Math.max(...equities),
        startBalance: first.balance,
        startEquity: first.equity,
        lastBalance: last.balance,
        lastEquity: last.equity,
      };
    });
}

/** Every minute that the clock showed, each from its own snapshots in whatever order. */
export function oracleMinutes(snapshots: readonly SnapshotItem[]): EquityMinute[] {
  const byMinute = Map.groupBy(snapshots, ({ timeMs }) => Math.floor(timeMs / MINUTE));
  return [...byMinute.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, own]) => {
      const lastTimeMs = Math.max(...own.map(({ timeMs }) => timeMs));
      const last = own
        .filter(({ timeMs }) => timeMs === lastTimeMs)
        .reduce((a, b) => ((b.equity - a.equity || b.balance - a.balance) < 0 ? b : a));
      return {
        lastTimeMs,
        lastBalance: last.balance,
        lastEquity: last.equity,
        minBalance: Math.min(...own.map(({ balance }) => balance)),
        maxBalance: Math.max(...own.map(({ balance }) => balance)),
        minEquity: Math.min(...own.map(({ equity }) => equity)),
        maxEquity: Math.max(...own.map(({ equity }) => equity)),
      };
    });
}

function average(
  pieces: readonly Piece[],
  valueIn: (snapshot: SnapshotItem) => number,
  last: SnapshotItem,
): number {
  let sum = 0n;
  let duration = 0n;
  for (const { from, fromUtcMs, untilUtcMs } of pieces) {
    sum += BigInt(valueIn(from)) * BigInt(untilUtcMs - fromUtcMs);
    duration += BigInt(untilUtcMs - fromUtcMs);
  }
  if (duration === 0n) return valueIn(last);
  const doubled = 2n * sum + duration;
  const quotient = doubled / (2n * duration);
  const isFloor = doubled >= 0n || doubled % (2n * duration) === 0n;
  return Number(isFloor ? quotient : quotient - 1n);
}
