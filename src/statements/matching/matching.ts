import type { Deal } from '../../domain/deal.ts';
import type { Money, Volume } from '../../domain/money.ts';

/** A trade deal and its order; reports list no position ids for deals. */
export type OrderedDeal = { deal: Deal; order: string };

/** A row of the report's table of closed positions, or of open ones (no close). */
export type ListedPosition = {
  id: string;
  symbol: string;
  side: 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL';
  /** Its volume closed so far or, of an open position, still open. */
  volume: Volume;
  openTimeMs: number;
  openPrice: number;
  closeTimeMs?: number | undefined;
  closePrice?: number | undefined;
  profit: Money;
  swap: Money;
  stopLoss?: number | undefined;
  takeProfit?: number | undefined;
};

/** The findings about the deals of one position. */
export type Matching = {
  /** By the index of the deal. */
  positionIds: (string | undefined)[];
  /** Closed part of IN/OUT deals, by index. */
  closedVolumes: Map<number, Volume>;
  /**
   * Opening of positions whose entry is no deal of the report, by the index of their closing deals.
   */
  openings: Map<number, { timeMs: number; price: number }>;
  /** Closing deals that another position explains as well, and the figures that depend on it. */
  ambiguous: Ambiguity;
  /** Closing deals whose profit is explained by no open position; the nearest one was taken. */
  unexplained: number[];
  /** Closing deals whose position's entry is not in the report. */
  unlisted: number[];
};

/** Indices of deals; a deal of `prices` is one of `times` as well. */
export type Ambiguity = {
  /** The open time of the position, and so its holding time. */
  times: number[];
  /** Also the open price, and so the pips. */
  prices: number[];
  /** Also the volume: the number of trades, and which positions are open. */
  volumes: number[];
};

export const emptyMatching = (count: number): Matching => ({
  positionIds: new Array<string | undefined>(count).fill(undefined),
  closedVolumes: new Map(),
  openings: new Map(),
  ambiguous: { times: [], prices: [], volumes: [] },
  unexplained: [],
  unlisted: [],
});

export const isExit = (deal: Deal): boolean =>
  deal.entry === 'DEAL_ENTRY_OUT' || deal.entry === 'DEAL_ENTRY_OUT_BY';

export const sideClosedBy = (deal: Deal): ListedPosition['side'] =>
  deal.type === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY';
