import { compareDeals } from '../../domain/deal.ts';
import type { Money, Volume } from '../../domain/money.ts';
import { isExit, type ListedPosition, type OrderedDeal, sideClosedBy } from './matching.ts';

/** A position according to its entries, or the report's lists. */
export type Position = {
  id: string;
  openTimeMs: number;
  /** Index of the first entry among all deals in order of time; -1 if it is none of them. */
  openRank: number;
  openPrice: number;
  /** Volume taken from it by closing deals of the report. */
  volume: Volume;
  /** The part of `volume` not given to a closing deal yet. */
  remaining: Volume;
  closeTimeMs?: number | undefined;
  listed?: ListedPosition | undefined;
  exits: Exit[];
};

/** A closing deal of a hedging account. */
export type Exit = {
  /** Index of the deal. */
  index: number;
  /** Place among all deals in order of time. */
  rank: number;
  timeMs: number;
  price: number;
  volume: Volume;
  profit: Money;
  swap: Money;
  isCloseBy: boolean;
  /** Close-by: price of the deal that closed the opposite position. */
  partnerPrice?: number | undefined;
  position?: Position | undefined;
  /** Determined by the list of positions. */
  isFixed?: boolean;
};

/** Positions of one symbol and side, and the deals that closed them, both in order of time. */
export type Group = {
  symbol: string;
  /** 1 for long positions. */
  direction: 1 | -1;
  positions: Position[];
  exits: Exit[];
};

/** Groups the deals, in any order, by symbol and side. */
export function groupsOf(
  deals: readonly OrderedDeal[],
  closed: readonly ListedPosition[],
  open: readonly ListedPosition[],
): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (symbol: string, side: string): Group => {
    const key = `${side} ${symbol}`;
    const known = groups.get(key);
    if (known) return known;
    const direction = side === 'DEAL_TYPE_BUY' ? 1 : -1;
    const group: Group = { symbol, direction, positions: [], exits: [] };
    groups.set(key, group);
    return group;
  };
  const byId = new Map<string, Position>();
  const partners = new Map<string, Exit>();
  for (const [rank, index] of inOrderOfTime(deals).entries()) {
    const { deal, order } = deals[index] as OrderedDeal;
    const symbol = deal.symbol ?? '';
    if (isExit(deal)) {
      const { timeMs, price = 0, volume, profit, swap } = deal;
      const isCloseBy = deal.entry === 'DEAL_ENTRY_OUT_BY';
      const exit: Exit = { index, rank, timeMs, price, volume, profit, swap, isCloseBy };
      groupOf(symbol, sideClosedBy(deal)).exits.push(exit);
      if (isCloseBy) pairUp(exit, `${symbol} ${timeMs} ${order} ${volume}`, partners);
    } else enter(groupOf(symbol, deal.type), byId, deal, order || deal.id, rank);
  }
  for (const listed of closed) takeListed(listed, byId, groupOf);
  for (const { id, volume } of open) {
    const position = byId.get(id);
    if (position && position.openRank >= 0)
      position.volume = position.remaining = Math.max(0, position.volume - volume);
  }
  const all = [...groups.values()];
  for (const { positions } of all)
    positions.sort((a, b) => a.openTimeMs - b.openTimeMs || a.openRank - b.openRank);
  return all;
}

/** Indices of the deals in the order they were made. */
export const inOrderOfTime = (deals: readonly OrderedDeal[]): number[] =>
  [...deals.keys()].sort((a, b) =>
    compareDeals((deals[a] as OrderedDeal).deal, (deals[b] as OrderedDeal).deal),
  );

/** A position has its order's number; all entries of that order belong to it. */
function enter(
  group: Group,
  byId: Map<string, Position>,
  { timeMs, price = 0, volume }: OrderedDeal['deal'],
  id: string,
  rank: number,
): void {
  const known = byId.get(id);
  if (known) {
    const total = known.volume + volume;
    if (total > 0) known.openPrice = (known.openPrice * known.volume + price * volume) / total;
    known.volume = known.remaining = total;
    return;
  }
  const position: Position = {
    ...{ id, openTimeMs: timeMs, openRank: rank, openPrice: price },
    ...{ volume, remaining: volume, exits: [] },
  };
  byId.set(id, position);
  group.positions.push(position);
}

function takeListed(
  listed: ListedPosition,
  byId: Map<string, Position>,
  groupOf: (symbol: string, side: string) => Group,
): void {
  const known = byId.get(listed.id);
  if (known) {
    known.listed = listed;
    known.closeTimeMs = listed.closeTimeMs;
    return;
  }
  const { id, symbol, side, volume, openTimeMs, openPrice, closeTimeMs } = listed;
  const position: Position = {
    ...{ id, openTimeMs, openRank: -1, openPrice, closeTimeMs, listed },
    ...{ volume, remaining: volume, exits: [] },
  };
  byId.set(id, position);
  groupOf(symbol, side).positions.push(position);
}

/**
 * The two deals of a close-by have one order, time and volume. One of them books the profit of
 * both; which one is unknown if both are zero.
 */
function pairUp(exit: Exit, key: string, waiting: Map<string, Exit>): void {
  const partner = waiting.get(key);
  if (!partner) {
    waiting.set(key, exit);
    return;
  }
  waiting.delete(key);
  if (exit.profit === 0 && partner.profit === 0) return;
  exit.partnerPrice = partner.price;
  partner.partnerPrice = exit.price;
}

export const hasOpenedBefore = (position: Position, exit: Exit): boolean =>
  position.openTimeMs < exit.timeMs ||
  (position.openTimeMs === exit.timeMs && position.openRank < exit.rank);

export const isOlder = (a: Position, b: Position): boolean =>
  a.openTimeMs < b.openTimeMs || (a.openTimeMs === b.openTimeMs && a.openRank < b.openRank);

/** Whether the list of positions allows the exit: the last one comes at the listed close time. */
export const isBeforeClose = (position: Position, exit: Exit): boolean =>
  position.closeTimeMs === undefined ||
  exit.timeMs === position.closeTimeMs ||
  (exit.timeMs < position.closeTimeMs && exit.volume < position.volume);

export function assign(exit: Exit, position: Position): void {
  exit.position = position;
  position.exits.push(exit);
  position.remaining -= exit.volume;
}

export function release(exit: Exit): void {
  const { position } = exit;
  if (!position) return;
  position.exits.splice(position.exits.indexOf(exit), 1);
  position.remaining += exit.volume;
  exit.position = undefined;
}
