import {
  type DrawdownRecord,
  MAX_DRAWDOWN_POINTS,
  MAX_DRAWDOWN_SPELLS,
} from '../../contract/operations/drawdown.ts';
import { brokerTimeAt, formatBrokerTime } from '../../domain/broker-time.ts';
import { CapitalFlow } from '../../domain/live/capital-flow.ts';
import { type DrawdownPoint, EquityDrawdown } from '../../domain/metrics/equity-drawdown.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { LoopSlice } from '../turns.ts';
import { hoursSince } from './account-hours.ts';
import { type ChartRange, rangeOf } from './chart-range.ts';
import { lastReading, readFlow, startReading } from './read-flow.ts';

const MAX_TRANSFERS = 1000;
/** Written before others get a turn. */
const POINTS_PER_PART = 1000;
const DIGITS = 8;
const BEGINNING_MS = Number.MIN_SAFE_INTEGER;

/**
 * The drawdown over the account's whole history; its points and transfers only for a range. As the
 * parts of the answer's JSON, because there may be a point for each of 100,000 hours.
 */
export async function readDrawdown(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  query: ChartRange,
): Promise<Buffer[]> {
  const account = await accessAccount(context, principal, accountId);
  const { number, brokerClock, currency } = account;
  const { startMs, endMs } = rangeOf(query, brokerTimeAt(context.now(), brokerClock));
  const transfers = await listCapitalDeals(context.database, [number], BEGINNING_MS);
  const drawdown = new EquityDrawdown();
  const flow = new CapitalFlow(transfers);
  const points: DrawdownPoint[] = [];
  const slice = new LoopSlice();
  for await (const hours of hoursSince(context, number, BEGINNING_MS)) {
    for (const hour of hours) {
      if (slice.isOver) await slice.next();
      const before = await readFlow(context.database, number, flow, startReading(hour));
      const within = await readFlow(context.database, number, flow, lastReading(hour));
      const point = drawdown.add(hour, before, within);
      if (point.startTimeMs >= startMs && point.startTimeMs < endMs) points.push(point);
    }
  }
  const digits = moneyDigits(currency);
  const rest: Omit<DrawdownRecord, 'points'> = {
    deepest: rounded(drawdown.deepest),
    gain: rounded(drawdown.index - 1),
    spells: drawdown.spells
      .sort((a, b) => b.depth - a.depth)
      .slice(0, MAX_DRAWDOWN_SPELLS)
      .map(({ startTimeMs, troughTimeMs, recoveryTimeMs, depth }) => ({
        startBrokerTime: formatBrokerTime(startTimeMs),
        troughBrokerTime: formatBrokerTime(troughTimeMs),
        ...(recoveryTimeMs === undefined
          ? {}
          : { recoveryBrokerTime: formatBrokerTime(recoveryTimeMs) }),
        depth: rounded(depth),
      })),
    transfers: transfers
      .filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs)
      .slice(-MAX_TRANSFERS)
      .map(({ timeMs, money }) => ({
        brokerTime: formatBrokerTime(timeMs),
        amount: fromUnits(money, digits),
      })),
  };
  return [
    Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"points":[`),
    ...(await jsonOf(points.slice(-MAX_DRAWDOWN_POINTS), slice)),
    Buffer.from(']}'),
  ];
}

async function jsonOf(points: readonly DrawdownPoint[], slice: LoopSlice): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let from = 0; from < points.length; from += POINTS_PER_PART) {
    if (slice.isOver) await slice.next();
    const some = points
      .slice(from, from + POINTS_PER_PART)
      .map(({ startTimeMs, below, index }) => ({
        startBrokerTime: formatBrokerTime(startTimeMs),
        below: rounded(below),
        index: rounded(index),
      }));
    const json = JSON.stringify(some).slice(1, -1);
    parts.push(Buffer.from(from === 0 ? json : `,${json}`));
  }
  return parts;
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));
