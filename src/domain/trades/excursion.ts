import { HOUR_MS, MINUTE_MS, startOfHour } from '../broker-time.ts';
import { closesOnly, type Deal, isTradeDeal, moneyOf } from '../deal.ts';
import type { EquityHour } from '../live/live-records.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';

/** How far a trade's open result went against it (at most 0) and in its favour (at least 0). */
export type Excursion = { adverse: Money; favourable: Money };

export type HeldTrade = Pick<Trade, 'positionId' | 'openTimeMs' | 'closeTimeMs' | 'profit'>;

/** The most hours and deals that are read for one trade; a trade with more has no excursion. */
export const MAX_EXCURSION_HOURS = 2500;
export const MAX_EXCURSION_DEALS = 20;

/**
 * No other deal may be booked this shortly before or after the hours: an equity is held into the
 * next hour for up to ten minutes, and the clocks of snapshots and deals may differ a little.
 */
const QUIET_MS = 15 * MINUTE_MS;

/** The hours and the deals that `excursionOf` needs; ends are exclusive. */
export function excursionWindow({ openTimeMs, closeTimeMs }: HeldTrade) {
  const fromMs = startOfHour(openTimeMs) - HOUR_MS;
  const untilMs = startOfHour(closeTimeMs) + HOUR_MS;
  return {
    hours: { fromMs, untilMs },
    deals: { fromMs: fromMs - QUIET_MS, untilMs: untilMs + QUIET_MS },
  };
}

/**
 * Maximum adverse and favourable excursion of a closed trade (J. Sweeney, Campaign Trading, 1996),
 * net of its costs, from the equity of snapshots: the lowest and highest equity while it was open,
 * less the balance before it. Equity covers all positions, so the figure exists only if this one
 * was alone in the account:
 *
 * - all deals of its hours are its own, and explain its profit and every balance seen,
 * - the last snapshot before its first hour, or the first in it, shows an equity equal to the
 *   balance: nothing was open, and there was no credit,
 * - each hour from its opening to its closing has snapshots.
 *
 * Takes the deals and hours of `excursionWindow`, in order of time. Values between two snapshots
 * are unknown: the true extremes may lie further out, never nearer.
 */
export function excursionOf(
  trade: HeldTrade,
  deals: readonly Deal[],
  hours: readonly EquityHour[],
): Excursion | undefined {
  const firstHourMs = startOfHour(trade.openTimeMs);
  const earlier = deals.filter(({ timeMs }) => timeMs < firstHourMs - QUIET_MS);
  const own = deals.slice(earlier.length);
  if (!isExplained(trade, own)) return undefined;
  const held = hours.filter(({ startTimeMs }) => startTimeMs >= firstHourMs);
  const lastHourMs = startOfHour(trade.closeTimeMs);
  if (held.length !== (lastHourMs - firstHourMs) / HOUR_MS + 1) return undefined;
  // If the hour before has deals, they may be newer than its last snapshot.
  const previous = earlier.length === 0 ? hours[hours.length - held.length - 1] : undefined;
  const before = flatBalance(previous, held[0]);
  if (before === undefined) return undefined;
  const balances = balancesOf(before, own);
  const isKnown = (balance: Money) => balances.has(balance);
  if (!held.every((hour) => balancesIn(hour).every(isKnown))) return undefined;
  let adverse = Math.min(0, trade.profit);
  let favourable = Math.max(0, trade.profit);
  for (const { minEquity, maxEquity } of held) {
    adverse = Math.min(adverse, minEquity - before);
    favourable = Math.max(favourable, maxEquity - before);
  }
  return { adverse, favourable };
}

/** Whether the deals are exactly those of this trade, from its entry on. */
function isExplained({ positionId, openTimeMs, profit }: HeldTrade, deals: readonly Deal[]) {
  const [entry] = deals;
  if (!entry || closesOnly(entry) || entry.timeMs !== openTimeMs) return false;
  let money = 0;
  for (const deal of deals) {
    const isOwn = isTradeDeal(deal) && deal.positionId === positionId;
    if (!isOwn || deal.entry === 'DEAL_ENTRY_INOUT') return false;
    money += moneyOf(deal);
  }
  return money === profit;
}

/** The balance before the trade, if equity equals it before the first hour or at its start. */
function flatBalance(
  previous: EquityHour | undefined,
  first: EquityHour | undefined,
): Money | undefined {
  if (previous && previous.lastEquity === previous.lastBalance) return previous.lastBalance;
  return first && first.startEquity === first.startBalance ? first.startBalance : undefined;
}

/** Every balance the account may show, from before the first deal to after the last. */
function balancesOf(before: Money, deals: readonly Deal[]): Set<Money> {
  const balances = new Set([before]);
  let balance = before;
  for (const deal of deals) {
    balance += moneyOf(deal);
    balances.add(balance);
  }
  return balances;
}

const balancesIn = ({ startBalance, lastBalance, minBalance, maxBalance }: EquityHour): Money[] => [
  startBalance,
  lastBalance,
  minBalance,
  maxBalance,
];
