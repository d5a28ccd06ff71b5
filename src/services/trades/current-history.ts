import { type History, readHistory } from '../../storage/history-store.ts';
import type { Context } from '../context.ts';
import type { TradeComputer } from './trade-computer.ts';

export type CurrentHistory =
  | { ready: true; history: History }
  | { ready: false; retryAfterSeconds: number };

/** The account's history with all its deals folded; not ready while a long computation runs. */
export async function currentHistory(
  { database, trades }: Context & { trades: TradeComputer },
  accountId: string,
): Promise<CurrentHistory> {
  const history = await readHistory(database, accountId);
  if (history.tradeVersion === history.dealVersion && !trades.isImporting(accountId)) {
    return { ready: true, history };
  }
  const readiness = await trades.bringUpToDate(accountId);
  return readiness.ready
    ? { ready: true, history: await readHistory(database, accountId) }
    : readiness;
}
