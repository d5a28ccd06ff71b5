import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { ClockViews } from '../domain/live/clock-views.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import { type OpenTrade, openPositionsOf } from '../domain/trades/open-trades.ts';
import { createTradeState, foldTradeDeal, opensIn } from '../domain/trades/trade-state.ts';
import { decodeTradeState } from '../domain/trades/trade-state-codec.ts';
import type { Account } from '../storage/account-store.ts';
import type { Sql } from '../storage/database.ts';
import { findLastTrade } from '../storage/deal-store.ts';
import { findStage } from '../storage/stage-store.ts';
import { nextDeals } from './next-deals.ts';

/** Deals held in memory at a time. */
const DEALS_AT_ONCE = 500;

export type PositionsAt = {
  /** Whether a purchase or sale up to the moment is known; if not, open positions are unknown. */
  isKnown: boolean;
  count: number;
  /** The earliest opened ones, in that order. */
  positions: OpenTrade[];
};

type ClockedAccount = Pick<Account, 'number' | 'brokerClock'>;

/**
 * Reads the positions open at a moment in an account whose trades are current: here, or in a
 * thread.
 */
export type PositionReader = (
  account: ClockedAccount,
  timeMs: BrokerTimeMs,
  most: number,
) => Promise<PositionsAt>;

/**
 * The positions open after an account's deals up to and including a moment. It continues from the
 * newest stage before, so it takes no longer in a long history.
 * @param most how many positions are returned
 */
export async function readPositionsAt(
  sql: Sql,
  clocks: ClockViews,
  { number: accountNumber, brokerClock }: ClockedAccount,
  timeMs: BrokerTimeMs,
  most: number,
): Promise<PositionsAt> {
  const stage = await findStage(sql, accountNumber, timeMs);
  const state = stage ? decodeTradeState(stage.foldState) : createTradeState();
  const clock = clocks.viewOf(brokerClock);
  let last = stage?.last;
  for (let isMore = true; isMore; ) {
    const folded = { last, isOpen: opensIn(state) };
    const next = await nextDeals(sql, accountNumber, clock, folded, DEALS_AT_ONCE, nextTurn);
    // Of an hour that is shown twice, those of its second pass follow later ones of the first.
    for (const deal of next.deals) if (deal.timeMs <= timeMs) foldTradeDeal(state, deal);
    last = next.last;
    isMore = !next.isLast && (last?.timeMs ?? 0) <= timeMs;
  }
  const open = openPositionsOf(state);
  const isKnown =
    open.length > 0 || (await findLastTrade(sql, accountNumber, timeMs)) !== undefined;
  return { isKnown, count: open.length, positions: open.slice(0, most) };
}
