import type { TradeComputer } from './trade-computer.ts';

export type CurrentHistory =
  /** The version counts what the stored trades have gone through. */
  { ready: true; tradeVersion: number } | { ready: false; retryAfterSeconds: number };

/** Sees to it that all deals of an account are in its trades; not ready while a long computation runs. */
export async function currentHistory(
  trades: TradeComputer,
  accountId: string,
): Promise<CurrentHistory> {
  const { dealVersion, tradeVersion } = await trades.versionsOf(accountId);
  if (tradeVersion === dealVersion && !trades.isImporting(accountId)) {
    return { ready: true, tradeVersion };
  }
  const readiness = await trades.bringUpToDate(accountId);
  if (!readiness.ready) return readiness;
  return { ready: true, tradeVersion: (await trades.versionsOf(accountId)).tradeVersion };
}
