import { accountOfTracker, type Change } from '../../storage/change-store.ts';
import type { Context } from '../context.ts';
import { OverviewTable } from './overview-table.ts';

/** Figures are kept at least this long, or this many times as long as reading them took. */
const KEPT_MS = 2000;
const KEPT_FACTOR = 20;
/** At most this long, though: a read also takes long if the machine stood still. */
const MAX_KEPT_MS = 20_000;
/** Figures older than this many times that are not shown while they are being read again. */
const TOO_OLD = 2;
/** Accounts of all tables together, about 700 bytes each; the least recently used table goes. */
const MAX_ACCOUNTS = 300_000;

type Kept = {
  table: OverviewTable;
  keptMs: number;
  refreshing: Promise<void> | undefined;
  /** Requests follow changes one after another: none is answered before it has applied them. */
  following: Promise<void>;
};

function note(table: OverviewTable, { kind, key }: Change): void {
  if (kind === 'tracker') table.noteTracker(accountOfTracker(key));
  else if (kind === 'account' || kind === 'removed') table.note(Number(key));
}

/** The overview tables of users, each made at the first request for it. */
export class OverviewTables {
  readonly #context: Pick<Context, 'database' | 'catalogue' | 'now'>;
  readonly #maxAccounts: number;
  readonly #kept = new Map<string, Kept>();

  constructor(
    context: Pick<Context, 'database' | 'catalogue' | 'now'>,
    maxAccounts = MAX_ACCOUNTS,
  ) {
    this.#context = context;
    this.#maxAccounts = maxAccounts;
    context.catalogue.onChange((change) => {
      if (!change) this.#kept.clear();
      else for (const { table } of this.#kept.values()) note(table, change);
    });
  }

  /** The user's table, with its accounts as of now, and figures from some seconds ago at most. */
  async of(userId: string): Promise<OverviewTable> {
    const kept = this.#find(userId);
    const nowMs = this.#context.now();
    const ageMs = nowMs - kept.table.madeAtMs;
    if (ageMs < 0 || ageMs >= kept.keptMs) {
      kept.refreshing ??= this.#refresh(userId, kept).finally(() => {
        kept.refreshing = undefined;
      });
      if (ageMs < 0 || ageMs >= kept.keptMs * TOO_OLD) await kept.refreshing;
      else kept.refreshing.catch(() => {});
    }
    const following = kept.following.then(() => kept.table.followChanges());
    kept.following = following.catch(() => {});
    await following;
    return kept.table;
  }

  #find(userId: string): Kept {
    let kept = this.#kept.get(userId);
    if (!kept || kept.table.isLost) {
      const table = new OverviewTable(this.#context.database, userId);
      kept = { table, keptMs: 0, refreshing: undefined, following: Promise.resolve() };
    }
    this.#kept.delete(userId);
    this.#kept.set(userId, kept);
    return kept;
  }

  async #refresh(userId: string, kept: Kept): Promise<void> {
    const startMs = this.#context.now();
    const { table } = kept;
    if (table.madeAtMs === 0) await table.load(startMs);
    else await table.readFigures(startMs);
    const tookMs = this.#context.now() - startMs;
    kept.keptMs = Math.min(MAX_KEPT_MS, Math.max(KEPT_MS, KEPT_FACTOR * tookMs));
    this.#makeRoom(userId);
  }

  #makeRoom(forUserId: string): void {
    let accounts = 0;
    for (const { table } of this.#kept.values()) accounts += table.size;
    for (const [userId, { table }] of this.#kept) {
      if (accounts <= this.#maxAccounts) return;
      if (userId === forUserId) continue;
      this.#kept.delete(userId);
      accounts -= table.size;
    }
  }
}
