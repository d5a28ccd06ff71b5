import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { openPriceOf, openVolume, type Side } from './open-position.ts';
import type { TradeState } from './trade-state.ts';

/** A position with open volume, according to its deals. */
export type OpenTrade = {
  positionId: string;
  type: Side;
  symbol?: string | undefined;
  /** Volume still open. */
  volume: Volume;
  openTimeMs: BrokerTimeMs;
  /** Volume-weighted over all entries. */
  openPrice?: number | undefined;
  /** The profit of partial closes so far, without swap, commission and fee. */
  realisedProfit: Money;
  swap: Money;
  commission: Money;
  fee: Money;
  comment?: string | undefined;
  incomplete?: boolean | undefined;
};

/** The open positions, in the order they opened. */
export const openPositionsOf = (state: TradeState): OpenTrade[] =>
  [...state.positions.values()].map((position) => ({
    positionId: position.positionId,
    type: position.type,
    symbol: position.symbol,
    volume: openVolume(position),
    openTimeMs: position.openTimeMs,
    openPrice: openPriceOf(position),
    realisedProfit: position.profit,
    swap: position.swap,
    commission: position.commission,
    fee: position.fee,
    comment: position.comment,
    incomplete: position.incomplete || undefined,
  }));
