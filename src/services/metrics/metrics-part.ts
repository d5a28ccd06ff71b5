import { parseBrokerMoment } from '../../domain/broker-time.ts';
import type { TradePart } from '../../domain/metrics/counted-trade.ts';
import type { ClosedSide } from '../../words/accounts.ts';
import { invalidParameter } from '../errors.ts';

/** The filter of a part of the trades, as requested. */
export type PartQuery = {
  /** Broker times or dates, start inclusive, end exclusive. */
  from?: string | undefined;
  to?: string | undefined;
  symbol?: string | undefined;
  side?: ClosedSide | undefined;
  magic?: number | undefined;
  comment?: string | undefined;
};

/** Throws `validation` for a range that ends before it begins. */
export function readMetricsPart({ from, to, ...cut }: PartQuery): TradePart {
  const fromMs = from === undefined ? undefined : parseBrokerMoment(from);
  const toMs = to === undefined ? undefined : parseBrokerMoment(to);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw invalidParameter('from', 'must not be after to');
  const { symbol, side, magic, comment } = cut;
  return { fromMs, toMs, symbol: symbol || undefined, side, magic, comment: comment || undefined };
}

/** Whether a query asks for only some of the trades. */
export const isCut = (query: PartQuery): boolean =>
  Object.values(readMetricsPart(query)).some((value) => value !== undefined);

/** Whether only the range is limited. */
export const isRange = ({ symbol, side, magic, comment }: TradePart): boolean =>
  [symbol, side, magic, comment].every((value) => value === undefined);

/** The stretch of equal length before a part's range; undefined without a beginning. */
export function partBefore(part: TradePart, endMs: number): TradePart | undefined {
  const { fromMs, toMs = Math.max(endMs, fromMs ?? endMs) } = part;
  return fromMs === undefined
    ? undefined
    : { ...part, fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}
