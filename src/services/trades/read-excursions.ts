import type { HistoricalTrade } from '../../contract/operations/historical-trades.ts';
import type { FoundTrade } from '../../contract/operations/trade-search.ts';
import { HOUR_MS, parseBrokerTime } from '../../domain/broker-time.ts';
import { compareDeals } from '../../domain/deal.ts';
import { fromUnits, moneyDigits, toUnits } from '../../domain/money.ts';
import {
  type Excursion,
  excursionOf,
  excursionWindow,
  type HeldTrade,
  MAX_EXCURSION_DEALS,
  MAX_EXCURSION_HOURS,
} from '../../domain/trades/excursion.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listStoredDeals } from '../../storage/deal-store.ts';
import { readHours } from '../../storage/hour-store.ts';
import { LoopSlice } from '../turns.ts';

/** The trades with their excursions, if snapshots show them; in turns with other work. */
export async function withExcursions(
  sql: Sql,
  { number, currency }: Account,
  trades: readonly HistoricalTrade[],
): Promise<FoundTrade[]> {
  const digits = moneyDigits(currency);
  const found: FoundTrade[] = [];
  const slice = new LoopSlice();
  for (const trade of trades) {
    const held = heldTradeOf(trade, digits);
    const excursion = held && (await readExcursion(sql, number, held));
    found.push(excursion ? { ...trade, ...present(excursion, digits) } : trade);
    if (slice.isOver) await slice.next();
  }
  return found;
}

function heldTradeOf(trade: HistoricalTrade, digits: number): HeldTrade | undefined {
  const openTimeMs = parseBrokerTime(trade.openTime);
  const closeTimeMs = parseBrokerTime(trade.closeTime);
  if (trade.volume === 0 || openTimeMs === undefined || closeTimeMs === undefined) return undefined;
  const { positionId, profit } = trade;
  return { positionId, openTimeMs, closeTimeMs, profit: toUnits(profit, digits) };
}

/** Deals first: they exclude most trades of a busy account. */
export async function readExcursion(
  sql: Sql,
  accountNumber: number,
  trade: HeldTrade,
): Promise<Excursion | undefined> {
  const { deals, hours } = excursionWindow(trade);
  if (hours.untilMs - hours.fromMs > MAX_EXCURSION_HOURS * HOUR_MS) return undefined;
  const after = { timeMs: deals.fromMs, id: '' };
  const limit = MAX_EXCURSION_DEALS + 1;
  const booked = await listStoredDeals(sql, accountNumber, after, deals.untilMs, limit);
  if (booked.length === limit) return undefined;
  const { fromMs, untilMs } = hours;
  const seen = await readHours(sql, accountNumber, fromMs, untilMs, MAX_EXCURSION_HOURS);
  return excursionOf(trade, booked.sort(compareDeals), seen);
}

const present = ({ adverse, favourable }: Excursion, digits: number) => ({
  maximumAdverseExcursion: fromUnits(adverse, digits),
  maximumFavourableExcursion: fromUnits(favourable, digits),
});
