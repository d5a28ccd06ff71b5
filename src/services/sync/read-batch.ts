import { DAY_MS } from '../../domain/broker-time.ts';
import { moneyDigits } from '../../domain/money.ts';
import { type Gateway, type LoginReading, PlatformError } from '../../platforms/gateway.ts';
import { type AccountSync, advanceSync } from '../../storage/sync-store.ts';
import type { Context } from '../context.ts';
import { type DealRange, diffDeals } from '../deals/reconcile-deals.ts';
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

/** Accounts that were read longer ago than this have too much to catch up for a batch. */
const MAX_BEHIND_MS = DAY_MS;

/**
 * Reads the accounts of one profile that are up to date but for the latest moments, in a few
 * requests where the platform can. The others, and those that trade right now, are not in the answer
 * and want a reading of their own. Throws PlatformError.
 */
export async function readBatch(
  context: Context,
  gateway: Gateway,
  accounts: readonly BoundAccount[],
): Promise<AccountReading[]> {
  if (!gateway.readMany || accounts.length < 2) return [];
  const { brokerTimeMs } = await gateway.check();
  const near: { account: BoundAccount; sync: AccountSync }[] = [];
  for (const account of accounts) {
    const sync = await syncOf(context, account);
    const behindMs = Math.abs(brokerTimeMs - sync.cursorMs);
    const reconciled = context.now() - sync.reconciledAtMs < RECONCILE_EVERY_MS;
    if (sync.failures === 0 && reconciled && behindMs < MAX_BEHIND_MS) near.push({ account, sync });
  }
  if (near.length === 0) return [];
  const oldestMs = Math.min(brokerTimeMs, ...near.map(({ sync }) => sync.cursorMs));
  const range = { fromMs: oldestMs - OVERLAP_MS, toMs: brokerTimeMs + AHEAD_MS };
  const found = await readMany(gateway, near, range);
  const readings: AccountReading[] = [];
  const unchanged: string[] = [];
  const lastSuccessMs = context.now();
  for (const { account, sync } of near) {
    const { state, deals } = found.get(Number(account.login)) ?? {};
    if (!state || !deals) continue;
    const timeMs = momentOf(brokerTimeMs, deals);
    const { gone, fresh, edited } = await diffDeals(context.database, account.id, range, deals);
    if (gone.length + fresh.length + edited.length === 0) {
      unchanged.push(account.id);
      readings.push({ account, state, timeMs, deals: [] });
      continue;
    }
    const after = { ...sync, cursorMs: brokerTimeMs, lastSuccessMs, lastError: null };
    const stored = await storeReading(context, account, { range, deals, before: sync, after });
    if (typeof stored !== 'string') readings.push({ account, state, timeMs, deals: stored });
  }
  await context.database.transaction(async (tx) => {
    for (const id of unchanged)
      await advanceSync(tx, id, { cursorMs: brokerTimeMs, lastSuccessMs });
  });
  return readings;
}

async function readMany(
  gateway: Gateway,
  near: readonly { account: BoundAccount }[],
  range: DealRange,
): Promise<Map<number, LoginReading>> {
  const logins = near.map(({ account }) => ({
    login: Number(account.login),
    moneyDigits: moneyDigits(account.currency),
  }));
  try {
    return (await gateway.readMany?.({ logins, ...range })) ?? new Map();
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'unsupported') return new Map();
    throw error;
  }
}
