import type { LiveAccount } from '../../domain/live/live-account.ts';
import { decodeLiveAccount } from '../../domain/live/live-account-codec.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import type { Engine } from '../../engine/engine.ts';
import { ClockViews } from '../../engine/load-cells.ts';
import type { AccountView } from '../../engine/partition.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { readLiveAccounts } from '../../storage/live-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';

/** An account as it stands, or stood at the last checkpoint: that has no `hoursVersion`. */
export type LiveView = Omit<AccountView, 'hoursVersion'> & { hoursVersion?: number };

/** Where live state is read; `engine` is absent in a process that folds nothing. */
export type LiveParts = { database: Sql; engine: Pick<Engine, 'viewOf'> | undefined };

const clocks = new ClockViews();
const rules = new TrackerRules();

/**
 * The live state of an account: from the engine's memory, where this process has it, else as of the
 * last checkpoint. With `realTime` everything that was acknowledged is in the engine's memory; without,
 * what it has at hand is taken. Undefined before anything was folded.
 */
export async function readLiveAccount(
  parts: LiveParts,
  account: Account,
  realTime: boolean,
): Promise<LiveView | undefined> {
  const view = await parts.engine?.viewOf(account.id, account.createdAtMs, realTime);
  if (view) return view;
  const stored = await readStoredAccount(parts.database, account);
  return stored && { account: stored, buckets: [], corrections: [], periods: [] };
}

async function readStoredAccount(sql: Sql, account: Account): Promise<LiveAccount | undefined> {
  const [[stored], definitions] = await Promise.all([
    readLiveAccounts(sql, [account.id]),
    readDefinitions(sql, [account.id]),
  ]);
  if (stored?.createdAtMs !== account.createdAtMs || !stored.state) return undefined;
  const clock = clocks.viewOf(stored.clock);
  const own = definitions.get(account.id) ?? [];
  return decodeLiveAccount(stored.state, account.id, clock, own, rules);
}
