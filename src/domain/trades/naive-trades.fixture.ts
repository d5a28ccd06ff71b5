import type { DealType } from '../../words/deals.ts';
import { compareDeals, type Deal, moneyOf } from '../deal.ts';

/**
 * A slow and obvious implementation of trades, for comparison: it keeps every fill and every id
 * ever given, and sums every balance from the start.
 */
type Fill = { volume: number; price: number | undefined };
type Parts = Pick<Deal, 'profit' | 'swap' | 'commission' | 'fee'>;
type Holding = {
  positionId: string;
  id: string;
  leg: number;
  symbol: string;
  byId: boolean;
  type: DealType;
  ins: Fill[];
  outs: Fill[];
  parts: Parts[];
  openTimeMs: number;
  before: number;
  incomplete: boolean;
};
export type NaiveTrade = Parts & {
  id: string;
  positionId: string;
  type: DealType;
  volume: number;
  openTimeMs: number;
  closeTimeMs: number;
  openPrice: number | undefined;
  closePrice: number | undefined;
  gain: number;
  incomplete: boolean;
};

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
const volumeOf = (fills: Fill[]): number => sum(fills.map((fill) => fill.volume));
const left = (holding: Holding): number =>
  Math.max(0, volumeOf(holding.ins) - volumeOf(holding.outs));

function average(fills: Fill[]): number | undefined {
  const priced = fills.filter((fill) => fill.price !== undefined && fill.volume > 0);
  if (priced.length === 0) return undefined;
  return sum(priced.map((fill) => fill.volume * (fill.price ?? 0))) / volumeOf(priced);
}

export function naiveTrades(deals: readonly Deal[]): NaiveTrade[] {
  const sorted = [...deals].sort(compareDeals);
  const trades: NaiveTrade[] = [];
  let holdings: Holding[] = [];
  const given: string[] = [];

  const idFor = (wanted: string, otherwise: string): string => {
    const plain = wanted.replaceAll('+', '++');
    if (given.includes(wanted)) return `${plain}+${otherwise}`;
    given.push(wanted);
    return plain;
  };
  const finish = (holding: Holding, closeTimeMs: number): void => {
    holdings = holdings.filter((each) => each !== holding);
    const total = (part: keyof Parts): number => sum(holding.parts.map((parts) => parts[part]));
    const net = total('profit') + total('swap') + total('commission') + total('fee');
    trades.push({
      id: holding.leg === 1 ? holding.id : `${holding.id}+${holding.leg}`,
      positionId: holding.positionId,
      type: holding.type,
      volume: volumeOf(holding.ins),
      openTimeMs: holding.openTimeMs,
      closeTimeMs,
      openPrice: average(holding.ins),
      closePrice: average(holding.outs),
      profit: net,
      swap: total('swap'),
      commission: total('commission'),
      fee: total('fee'),
      gain: holding.before > 0 ? (net / holding.before) * 100 : 0,
      incomplete: holding.incomplete,
    });
  };

  sorted.forEach((deal, index) => {
    const before = sum(
      sorted
        .slice(0, index)
        .filter((each) => each.type !== 'DEAL_TYPE_CREDIT')
        .map(moneyOf),
    );
    const own = deal.type;
    const other = own === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY';
    const symbol = deal.symbol ?? '';
    const find = (type: DealType): Holding | undefined =>
      holdings.find((each) =>
        deal.positionId
          ? each.byId && each.positionId === deal.positionId
          : !each.byId && each.symbol === symbol && each.type === type,
      );
    const start = (type: DealType, after?: Holding): Holding => {
      const positionId = after?.positionId ?? deal.positionId ?? deal.id;
      const holding: Holding = {
        ...{ positionId, symbol, byId: Boolean(deal.positionId) },
        id: after?.id ?? idFor(positionId, `d${deal.id}`),
        leg: (after?.leg ?? 0) + 1,
        ...{ type, ins: [], outs: [], parts: [], openTimeMs: deal.timeMs, before },
        incomplete: false,
      };
      holdings.push(holding);
      return holding;
    };
    const takeOut = (holding: Holding, volume: number): void => {
      const missing = volume - left(holding);
      if (missing > 0) {
        holding.ins.push({ volume: missing, price: deal.positionPrice });
        holding.incomplete = true;
      }
      holding.outs.push({ volume, price: deal.price });
    };

    if (own === 'DEAL_TYPE_BUY_CANCELED' || own === 'DEAL_TYPE_SELL_CANCELED') {
      const holding = deal.positionId ? find(own) : undefined;
      if (holding) {
        holding.parts.push(deal);
        return;
      }
      if (moneyOf(deal) === 0) return;
    }
    if (own !== 'DEAL_TYPE_BUY' && own !== 'DEAL_TYPE_SELL') {
      trades.push({
        ...{ id: idFor(deal.id, '0'), positionId: deal.id, type: own, volume: 0 },
        ...{ openTimeMs: deal.timeMs, closeTimeMs: deal.timeMs },
        ...{ openPrice: undefined, closePrice: undefined, gain: 0, incomplete: false },
        ...{ swap: deal.swap, commission: deal.commission, fee: deal.fee },
        profit: moneyOf(deal),
      });
      return;
    }

    const opposed = find(other);
    const isOpposed = opposed !== undefined && opposed.type === other;
    let entry = deal.entry;
    // If a position has an id, an entry on the other side can only reduce or reverse it.
    if (entry === 'DEAL_ENTRY_IN' && deal.positionId && isOpposed) entry = undefined;
    if (entry === undefined && !isOpposed) entry = 'DEAL_ENTRY_IN';
    if (entry === undefined && opposed)
      entry = deal.volume > left(opposed) ? 'DEAL_ENTRY_INOUT' : 'DEAL_ENTRY_OUT';

    if (entry === 'DEAL_ENTRY_IN') {
      const holding = find(own) ?? start(own);
      holding.ins.push({ volume: deal.volume, price: deal.price });
      holding.parts.push(deal);
      if (left(holding) === 0) finish(holding, deal.timeMs);
      return;
    }
    if (entry !== 'DEAL_ENTRY_INOUT') {
      const holding = opposed ?? start(other);
      if (!opposed) holding.incomplete = true;
      takeOut(holding, deal.volume);
      holding.parts.push(deal);
      if (left(holding) === 0) finish(holding, deal.timeMs);
      return;
    }
    const closing = Math.min(deal.volume, deal.volumeClosed ?? (opposed ? left(opposed) : 0));
    const hasClosed = opposed !== undefined || closing > 0 || deal.volume === 0;
    const part = (money: number): number =>
      !hasClosed
        ? 0
        : deal.volume === closing
          ? money
          : Math.trunc((money * closing) / deal.volume);
    const share = { commission: part(deal.commission), fee: part(deal.fee) };
    let leg: Holding | undefined;
    if (hasClosed) {
      leg = opposed ?? start(other);
      takeOut(leg, closing);
      leg.parts.push({ profit: deal.profit, swap: deal.swap, ...share });
      finish(leg, deal.timeMs);
    }
    if (deal.volume === closing) return;
    const existing = find(own);
    const next = existing ?? start(own, leg);
    if (!existing && !hasClosed) next.incomplete = true;
    next.ins.push({ volume: deal.volume - closing, price: deal.price });
    next.parts.push({
      profit: hasClosed ? 0 : deal.profit,
      swap: hasClosed ? 0 : deal.swap,
      commission: deal.commission - share.commission,
      fee: deal.fee - share.fee,
    });
  });
  return trades;
}
