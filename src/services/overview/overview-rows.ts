import { setImmediate } from 'node:timers/promises';
import { ClockViews } from '../../domain/live/clock-views.ts';
import { type LimitUse, worstLimitUse } from '../../domain/live/limit-use.ts';
import { decodeLiveAccount } from '../../domain/live/live-account-codec.ts';
import { known } from '../../domain/live/number-rows.ts';
import { TrackerRules } from '../../domain/live/tracker-rule.ts';
import { decodeTradeState } from '../../domain/trades/trade-state-codec.ts';
import type { Account } from '../../storage/account-store.ts';
import { readFoldStates } from '../../storage/history-store.ts';
import { readLiveAccounts } from '../../storage/live-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';
import { listAccounts } from '../accounts/list-accounts.ts';
import type { Context, Principal } from '../context.ts';

/** What an overview is searched and sorted by. */
export type OverviewRow = {
  account: Account;
  balance: number | undefined;
  equity: number | undefined;
  lastTimeMs: number | undefined;
  lastUtcMs: number | undefined;
  trackers: number;
  worst: (LimitUse & { name: string }) | undefined;
};

/** An overview is kept so long, and so many times longer than making it took. */
const KEPT_MS = 3_000;
const KEPT_FACTOR = 10;
const MAX_KEPT = 64;
const ACCOUNTS_PER_READ = 500;

const clocks = new ClockViews();
const rules = new TrackerRules();

/** Rows of all accounts that a token may see, made once for those who ask within some seconds. */
export class OverviewRows {
  readonly #context: Context;
  readonly #kept = new Map<string, { untilMs: number; rows: Promise<OverviewRow[]> }>();

  constructor(context: Context) {
    this.#context = context;
  }

  rowsOf(principal: Principal): Promise<OverviewRow[]> {
    const nowMs = this.#context.now();
    const kept = this.#kept.get(principal.tokenId);
    if (kept && nowMs < kept.untilMs) return kept.rows;
    const rows = readRows(this.#context, principal);
    const entry = { untilMs: Number.POSITIVE_INFINITY, rows };
    this.#kept.delete(principal.tokenId);
    this.#kept.set(principal.tokenId, entry);
    rows.then(
      () => {
        const doneMs = this.#context.now();
        entry.untilMs = doneMs + Math.max(KEPT_MS, KEPT_FACTOR * (doneMs - nowMs));
      },
      () => this.#kept.delete(principal.tokenId),
    );
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return rows;
  }
}

async function readRows(context: Context, principal: Principal): Promise<OverviewRow[]> {
  const rows: OverviewRow[] = [];
  for (;;) {
    const page = { limit: ACCOUNTS_PER_READ, offset: rows.length };
    const accounts = await listAccounts(context, principal, page);
    rows.push(...(await rowsOfAccounts(context, accounts)));
    if (accounts.length < ACCOUNTS_PER_READ) return rows;
    await setImmediate();
  }
}

async function rowsOfAccounts({ database }: Context, accounts: Account[]): Promise<OverviewRow[]> {
  const numbers = accounts.map(({ number }) => number);
  const definitions = await readDefinitions(database, numbers);
  const stored = await readLiveAccounts(database, numbers);
  const states = new Map(stored.map((state) => [state.accountNumber, state]));
  const folds = await readFoldStates(database, numbers);
  return accounts.map((account) => {
    const trackers = definitions.get(account.number) ?? [];
    const stored = states.get(account.number);
    const live = stored?.state
      ? decodeLiveAccount(
          stored.state,
          account.id,
          clocks.viewOf(stored.clock),
          { trackers, enrolments: [] },
          rules,
        )
      : undefined;
    const worst = live && worstLimitUse(live);
    const name = trackers.find(({ id }) => id === worst?.trackerId)?.name;
    const fold = folds.get(account.number);
    return {
      account,
      // Without snapshots the deals tell the balance, but no equity.
      balance: (live && known(live.balance)) ?? (fold ? decodeTradeState(fold).balance : undefined),
      equity: live && known(live.equity),
      lastTimeMs: live && known(live.lastTimeMs),
      lastUtcMs: live && known(live.lastUtcMs),
      trackers: trackers.length,
      worst: worst && name !== undefined ? { ...worst, name } : undefined,
    };
  });
}
