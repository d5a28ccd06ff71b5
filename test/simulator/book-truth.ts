import { isDeepStrictEqual } from 'node:util';
import { compareDeals, compareIds, type Deal } from '../../src/domain/deal.ts';
import { metricsOf } from '../../src/domain/metrics/account-metrics.ts';
import type { GrowthDay } from '../../src/domain/metrics/growth-day.ts';
import { book, createMetricsState, foldMetrics } from '../../src/domain/metrics/metrics-state.ts';
import { withOpenResult } from '../../src/domain/metrics/open-result.ts';
import { fromVolume, moneyDigits } from '../../src/domain/money.ts';
import { type BalanceMark, foldBalanceMark } from '../../src/domain/trades/balance-mark.ts';
import { openPositionsOf } from '../../src/domain/trades/open-trades.ts';
import { createTradeState, foldTradeDeal } from '../../src/domain/trades/trade-state.ts';
import { presentTrade } from '../../src/histories/present-trade.ts';
import { presentMetrics, presentPace } from '../../src/services/metrics/present-metrics.ts';
import type { Row } from '../../src/storage/database.ts';
import { listDeals } from '../../src/storage/deal-store.ts';
import type { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import { listCarriedIn } from '../../src/storage/import-store.ts';
import type { TradeItem } from '../../src/storage/trade-store.ts';
import type { World } from './world.ts';

const DIGITS = moneyDigits('USD');
const CURRENCY = 'USD';
const ALL = 1_000_000;
const EVERYTHING = { timeMs: Number.MIN_SAFE_INTEGER, id: '' };

/** The deals of an account as they were from a moment on, to the next. */
export type BookState = {
  atMs: number;
  accountId: string;
  version: number;
  /** No import was being stored or taken back. */
  isSettled: boolean;
  deals: readonly Deal[];
  marks: readonly BalanceMark[];
};

/** The trades of an account's deals, folded from the first to the last at once. */
export class Figures {
  readonly trades: TradeItem[] = [];
  readonly #state = createTradeState();
  readonly #metrics = createMetricsState();
  readonly #days = new Map<number, GrowthDay>();

  constructor({ accountId, deals, marks }: Pick<BookState, 'accountId' | 'deals' | 'marks'>) {
    const state = this.#state;
    const waiting = [...marks];
    for (const deal of deals.toSorted(compareDeals)) {
      for (let [mark] = waiting; mark && mark.timeMs <= deal.timeMs; [mark] = waiting) {
        waiting.shift();
        for (const line of foldBalanceMark(state, mark)) {
          this.trades.push(presentTrade(accountId, line, DIGITS));
          const { closeTimeMs: timeMs, type, profit: money } = line;
          this.#touch(book(this.#metrics, { timeMs, type, money }, true));
        }
      }
      const closed = foldTradeDeal(state, deal);
      for (const trade of closed) this.trades.push(presentTrade(accountId, trade, DIGITS));
      this.#touch(foldMetrics(this.#metrics, deal, closed));
    }
    this.trades.sort((a, b) => a.closeTimeMs - b.closeTimeMs || compareIds(a.id, b.id));
  }

  page(startMs: number, endMs: number, offset: number, limit: number): string {
    const own = this.trades.filter(
      ({ closeTimeMs }) => closeTimeMs >= startMs && closeTimeMs < endMs,
    );
    const some = own.slice(offset, offset + limit).map(({ json }) => json.toString());
    return `{"trades":[${some.join(',')}]}`;
  }

  newestFirst(limit: number): { total: number; ids: string[] } {
    const newest = this.trades.toReversed().slice(0, limit);
    const ids = newest.map(({ json }): string => JSON.parse(json.toString())._id);
    return { total: this.trades.length, ids };
  }

  open(): { positionId: string; volume: number }[] {
    return openPositionsOf(this.#state).map(({ positionId, volume }) => ({
      positionId,
      volume: fromVolume(volume),
    }));
  }

  /** As in the API, except the equity. */
  metrics(nowMs: number): object {
    const days = [...this.#days.values()].sort((a, b) => a.day - b.day);
    const state = this.#metrics;
    const course = withOpenResult({ state, days }, 0, nowMs);
    const { balance } = state.growth;
    const metrics = { ...metricsOf({ ...course, equityDays: [], nowMs }), balance };
    const all = { ...presentMetrics(metrics, CURRENCY), ...presentPace(metrics, nowMs) };
    return JSON.parse(JSON.stringify(all));
  }

  #touch(day: GrowthDay | undefined): void {
    if (day) this.#days.set(day.day, day);
  }
}

/** The deals of accounts over time, as in the database after each commit. */
export class BookTruth {
  readonly #world: World;
  readonly #states = new Map<string, BookState[]>();
  readonly #figures = new WeakMap<BookState, Figures>();

  constructor(world: World) {
    this.#world = world;
  }

  async observe(writer: SqliteConnection): Promise<void> {
    const rows = await writer.all<
      Row & { number: number; id: string; deal_version: number; unsettled: number }
    >(
      `select account.number, account.id, deal_version, unsettled from account
       join account_history on account_history.account_number = account.number`,
    );
    for (const { number, id, deal_version: version, unsettled } of rows) {
      const states = this.#states.get(id) ?? [];
      const isSettled = unsettled === 0;
      if (unsettled < 0) this.#world.fail(`${unsettled} imports of ${id} are unsettled`);
      const last = states.at(-1);
      const isSame = last?.version === version;
      if (isSame && last.isSettled === isSettled) continue;
      const deals = await listDeals(writer, number, EVERYTHING, ALL);
      if (isSame && !isDeepStrictEqual(deals, last.deals)) {
        this.#world.fail(`deals of ${id} changed, and their version did not`);
      }
      const marks = await listCarriedIn(writer, number);
      states.push({ atMs: this.#world.nowMs, accountId: id, version, isSettled, deals, marks });
      this.#states.set(id, states);
    }
  }

  latest(accountId: string): BookState | undefined {
    return this.#states.get(accountId)?.at(-1);
  }

  /** Fails the world unless an answer is right as of some moment of these. */
  check(
    what: string,
    accountId: string,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    found: unknown,
    expected: (figures: Figures) => unknown,
  ): void {
    const empty = { accountId, atMs: 0, version: 0, isSettled: true, deals: [], marks: [] };
    const states = [empty, ...(this.#states.get(accountId) ?? [])];
    const own = states.filter(
      ({ atMs, isSettled }, place) =>
        isSettled && atMs <= toMs && (states[place + 1]?.atMs ?? Infinity) >= fromMs,
    );
    if (own.some((state) => isDeepStrictEqual(found, expected(this.figuresOf(state))))) return;
    const versions = own.map(({ version }) => version).join(', ');
    this.#world.tell(() => `found ${JSON.stringify(found)}`);
    for (const state of own)
      this.#world.tell(() => `not ${JSON.stringify(expected(this.figuresOf(state)))}`);
    this.#world.fail(`${what} of ${accountId} are of none of its versions ${versions || '(none)'}`);
  }

  figuresOf(state: BookState): Figures {
    const figures = this.#figures.get(state) ?? new Figures(state);
    this.#figures.set(state, figures);
    return figures;
  }
}
