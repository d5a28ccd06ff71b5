import type { DealType } from '../words/deals.ts';
import { type BrokerTimeMs, HOUR_MS } from './broker-time.ts';
import type { Money, Volume } from './money.ts';

/**
 * One line of an account's history: a closed position (or one leg of a reversed one), or a balance
 * operation. Balance operations have no symbol, prices or pips.
 */
export type Trade = {
  /** positionId; later legs of a reversed netting position append "+2", "+3", … */
  id: string;
  positionId: string;
  /** Type of the opening deal: DEAL_TYPE_BUY is a long position. */
  type: DealType;
  symbol?: string | undefined;
  /** Total entered volume. */
  volume: Volume;
  openTimeMs: BrokerTimeMs;
  closeTimeMs: BrokerTimeMs;
  /** Volume-weighted over all entries and all exits. */
  openPrice?: number | undefined;
  closePrice?: number | undefined;
  /** + when the price moved in the trade's favour, rounded to 0.1. */
  pips?: number | undefined;
  /** Net: profit + swap + commission + fee of all deals of the position. */
  profit: Money;
  swap: Money;
  commission: Money;
  fee: Money;
  /** Percent of the balance just before the position opened; 0 if that is not positive. */
  gain: number;
  /** `won` if profit > 0. */
  success: 'won' | 'lost';
  /** Whole minutes, floored. */
  durationInMinutes: number;
  comment?: string | undefined;
  /** Of the opening deal, or else of the first deal that states them. */
  magic?: number | undefined;
  stopLoss?: number | undefined;
  takeProfit?: number | undefined;
  /** Of the volume at the open price, by the profit and the move of the price; if they tell it. */
  marketValue?: Money | undefined;
  /** The loss at the stop, by its distance alone; absent unless it limited a loss. */
  risk?: Money | undefined;
  /** The gain at the target, if the risk is known. */
  reward?: Money | undefined;
  /** The risk in percent of the balance just before the position opened, and in pips. */
  riskPercent?: number | undefined;
  riskPips?: number | undefined;
  /** The balance just after it closed, without credit. */
  closeBalance: Money;
  /** The history lacks deals of this position: its figures come from the known ones. */
  incomplete?: boolean | undefined;
};

/**
 * How long a position was held, by the wall clock. One that closed at an earlier time than it
 * opened was held while the clock was set back, by an hour.
 */
export function heldMsOf({ openTimeMs, closeTimeMs }: Pick<Trade, 'openTimeMs' | 'closeTimeMs'>) {
  const heldMs = closeTimeMs - openTimeMs;
  return heldMs < 0 ? Math.max(0, heldMs + HOUR_MS) : heldMs;
}
