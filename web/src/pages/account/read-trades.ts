import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';
import type { searchTradesOperation } from '../../../../src/contract/operations/trade-search.ts';
import { type Answer, ApiError, call, type Input } from '../../lib/api.ts';

export type TradeQuery = Omit<NonNullable<Input<typeof searchTradesOperation>['query']>, 'before'>;
export type TradePage = Exclude<Answer<typeof searchTradesOperation>, { status: string }>;

const MAX_COMPUTING_WAITS = 20;
const COMPUTING_MS = 1_000;
const PER_REQUEST = 200;
/** Rows of one file: as many as a browser can hold. */
const MAX_ROWS = 200_000;

/** A page of trades, newest first; waits while they are being computed. */
export async function readTrades(
  accountId: string,
  query: TradeQuery,
  before: number | undefined,
  signal?: AbortSignal,
): Promise<TradePage> {
  for (let waits = 0; waits < MAX_COMPUTING_WAITS; waits += 1) {
    const answer = await call<typeof searchTradesOperation>(
      'GET /users/current/accounts/:accountId/trades',
      { params: { accountId }, query: { ...query, ...(before === undefined ? {} : { before }) } },
      signal,
    );
    if ('trades' in answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, COMPUTING_MS));
  }
  throw new ApiError(0, 'The trades are still being computed');
}

/** All matching trades, for a file; reports how many there are so far. */
export async function readAllTrades(
  accountId: string,
  query: TradeQuery,
  heard: (count: number) => void,
): Promise<{ trades: HistoricalTrade[]; isWhole: boolean }> {
  const trades: HistoricalTrade[] = [];
  for (let before: number | undefined; ; ) {
    const page = await readTrades(accountId, { ...query, limit: PER_REQUEST }, before);
    trades.push(...page.trades);
    heard(trades.length);
    if (page.next === undefined) return { trades, isWhole: true };
    if (trades.length >= MAX_ROWS) return { trades, isWhole: false };
    before = page.next;
  }
}
