import { setImmediate as nextTurn } from 'node:timers/promises';
import { brokerTimeAt, DAY_MS } from '../../domain/broker-time.ts';
import { compareDeals, type Deal, isCredit, moneyOf } from '../../domain/deal.ts';
import { type AccountMetrics, metricsOf } from '../../domain/metrics/account-metrics.ts';
import type { DayBalance } from '../../domain/metrics/calendar-growth.ts';
import type { Trade } from '../../domain/trade.ts';
import { foldBalanceMark } from '../../domain/trades/balance-mark.ts';
import { createTradeState, foldDeal } from '../../domain/trades/trade-state.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { listCarriedIn } from '../../storage/import-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { requireStatistics } from '../trades/read-historical-trades.ts';
import type { TradeComputer } from '../trades/trade-computer.ts';

const DEALS_PER_READ = 2000;

export type MetricsAnswer =
  | { ready: true; account: Account; metrics: AccountMetrics & { equity: number } }
  | { ready: false; retryAfterSeconds: number };

/**
 * Statistics of an account's whole history as of now. Balance is that of the deals; equity that of
 * the last snapshot, or the balance. Throws `forbidden` with statistics switched off, `notFound`.
 */
export async function readMetrics(
  context: Context & { trades: TradeComputer; live: LiveReader },
  principal: Principal,
  accountId: string,
): Promise<MetricsAnswer> {
  const account = await accessAccount(context, principal, accountId);
  requireStatistics(account);
  const current = await context.trades.current(account);
  if (!current.ready) return current;
  const { trades, balance, credit, balances } = await foldAll(context.database, account.number);
  const equity = (await context.live.read(account.number, true, (view) => view.equity)) ?? balance;
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const input = { trades, balanceBefore: 0, balance, equity, credit, balances, nowMs };
  const metrics = metricsOf(input);
  return { ready: true, account, metrics: { ...metrics, equity } };
}

/** Folds the whole history again, in turns with other work: metrics need more than a page shows. */
async function foldAll(
  sql: Sql,
  accountNumber: number,
): Promise<{ trades: Trade[]; balance: number; credit: number; balances: DayBalance[] }> {
  const deals: Deal[] = [];
  let place = { timeMs: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const read = await listDeals(sql, accountNumber, place, DEALS_PER_READ);
    deals.push(...read);
    const last = read.at(-1);
    if (!last || read.length < DEALS_PER_READ) break;
    place = { timeMs: last.timeMs, id: last.id };
    await nextTurn();
  }
  const state = createTradeState();
  const trades: Trade[] = [];
  let credit = 0;
  const days = new Map<number, number>();
  const marks = await listCarriedIn(sql, accountNumber);
  for (const [index, deal] of deals.sort(compareDeals).entries()) {
    for (let [mark] = marks; mark && mark.timeMs <= deal.timeMs; [mark] = marks) {
      trades.push(...foldBalanceMark(state, mark));
      marks.shift();
    }
    trades.push(...foldDeal(state, deal));
    if (isCredit(deal)) credit += moneyOf(deal);
    days.set(Math.floor(deal.timeMs / DAY_MS) * DAY_MS, state.balance);
    if (index % DEALS_PER_READ === 0) await nextTurn();
  }
  const balances = [...days].map(([dayStartMs, balance]) => ({ dayStartMs, balance }));
  return { trades, balance: state.balance, credit, balances };
}
