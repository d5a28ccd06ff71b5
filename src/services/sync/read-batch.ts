import { DAY_MS } from '../../domain/broker-time.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { Gateway } from '../../platforms/gateway.ts';
import { type AccountSync, advanceSync } from '../../storage/sync-store.ts';
import type { Context } from '../context.ts';
import { diffDeals } from '../deals/reconcile-deals.ts';
import {
  type AccountReading,
  AHEAD_MS,
  type BoundAccount,
  momentOf,
  OVERLAP_MS,
  RECONCILE_EVERY_MS,
  storeReading,
  syncOf,
} from './account-reading.ts';
import { readTogether } from './read-together.ts';

/** Accounts that were read longer ago than this have too much to catch up for a batch. */
const MAX_BEHIND_MS = DAY_MS;
/** Accounts of a batch that are left to a thorough reading, so that their turns come by and by. */
const MAX_THOROUGH = 5;

/**
 * Reads the accounts of one profile that are up to date but for the latest moments, in a few
 * requests where the platform can. The others, and those that trade right now, are not in the
 * answer and want a reading of their own. Throws PlatformError.
 */
export async function readBatch(
  context: Context,
  gateway: Gateway,
  accounts: readonly BoundAccount[],
): Promise<AccountReading[]> {
  if (!gateway.readMany || accounts.length < 2) return [];
  const { brokerTimeMs } = await gateway.check();
  const near: { account: BoundAccount; sync: AccountSync }[] = [];
  let thorough = 0;
  for (const account of accounts) {
    const sync = await syncOf(context, account);
    const behindMs = Math.abs(brokerTimeMs - sync.cursorMs);
    if (sync.failures > 0 || behindMs >= MAX_BEHIND_MS) continue;
    const wantsMore = context.now() - sync.reconciledAtMs >= RECONCILE_EVERY_MS;
    if (wantsMore && thorough < MAX_THOROUGH) thorough += 1;
    else near.push({ account, sync });
  }
  if (near.length === 0) return [];
  const oldestMs = Math.min(brokerTimeMs, ...near.map(({ sync }) => sync.cursorMs));
  const range = { fromMs: oldestMs - OVERLAP_MS, toMs: brokerTimeMs + AHEAD_MS };
  const logins = near.map(({ account }) => ({
    login: Number(account.login),
    moneyDigits: moneyDigits(account.currency),
  }));
  const found = await readTogether(gateway, { logins, ...range });
  const readings: AccountReading[] = [];
  const unchanged: number[] = [];
  const lastSuccessMs = context.now();
  for (const { account, sync } of near) {
    const { state, deals } = found.get(Number(account.login)) ?? {};
    if (!state || !deals) continue;
    const timeMs = momentOf(brokerTimeMs, deals);
    const { gone, fresh, edited } = await diffDeals(context.database, account.number, range, deals);
    if (gone.length + fresh.length + edited.length === 0) {
      unchanged.push(account.number);
      readings.push({ account, state, timeMs, deals: [] });
      continue;
    }
    const after = { ...sync, cursorMs: brokerTimeMs, lastSuccessMs, lastError: null };
    const stored = await storeReading(context, account, { range, deals, before: sync, after });
    if (typeof stored !== 'string') readings.push({ account, state, timeMs, deals: stored });
  }
  await context.changes.record(async (tx) => {
    for (const number of unchanged)
      await advanceSync(tx, number, { cursorMs: brokerTimeMs, lastSuccessMs });
  });
  return readings;
}
