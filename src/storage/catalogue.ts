import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { type Account, findAccount } from './account-store.ts';
import { BatchedLookup } from './batched-lookup.ts';
import { type Change, readChanges, readChangeVersion, trackerKey } from './change-store.ts';
import type { Sql } from './database.ts';
import { RecentChanges } from './recent-changes.ts';
import { RecentMap } from './recent-map.ts';
import { type AccessToken, findTokenByHash } from './token-store.ts';
import { findTracker } from './tracker-store.ts';

const MAX_ROWS = 100_000;
const VERSION = 'version';

/** Forgets what was changed; without a change, everything. */
export type Forget = (change: Change | undefined) => void;

/**
 * Tokens, accounts and trackers that requests look at again and again, remembered by this process
 * until one of them is changed, in whatever process. A request calls `refresh` first; what it finds
 * then is at least as new as that. Rows are shared: nobody may change them.
 */
export class Catalogue {
  readonly #sql: Sql;
  readonly #versions: BatchedLookup<string, number>;
  readonly #tokens = new RecentMap<string, AccessToken>(MAX_ROWS);
  readonly #accounts = new RecentMap<string, Account>(MAX_ROWS);
  readonly #accountKeys = new RecentMap<string, string>(MAX_ROWS);
  readonly #trackers = new RecentMap<string, TrackerDefinition>(MAX_ROWS);
  readonly #others: Forget[] = [];
  readonly #recent = new RecentChanges();
  #version = -1;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#versions = new BatchedLookup(
      async () => new Map([[VERSION, await readChangeVersion(sql)]]),
    );
  }

  /** Grows with every change that is heard of. */
  get version(): number {
    return this.#version;
  }

  /**
   * Whether a row was changed, as far as is heard of, since the catalogue had a version, or may have
   * been. What is read across its change may be of before: good for one answer, not to be kept.
   */
  isChanged(kind: Change['kind'], key: string | number, since: number): boolean {
    return this.#recent.isChanged(kind, key, since);
  }

  /** Has others who remember such rows forget them as well. */
  onChange(forget: Forget): void {
    this.#others.push(forget);
  }

  /** Forgets what was changed before the call. Requests that come together share the question. */
  async refresh(): Promise<void> {
    const version = await this.#versions.find(VERSION);
    if (version === undefined || version <= this.#version) return;
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#catchUp(version));
    await this.#refreshing;
  }

  tokenByHash(hash: string): Promise<AccessToken | undefined> {
    return this.#find(
      this.#tokens,
      hash,
      () => findTokenByHash(this.#sql, hash),
      () => ['token', hash],
    );
  }

  async account(userId: string, id: string): Promise<Account | undefined> {
    const key = `${userId} ${id}`;
    const found = await this.#find(
      this.#accounts,
      key,
      () => findAccount(this.#sql, userId, id),
      ({ number }) => ['account', number],
    );
    if (found && this.#accounts.has(key)) this.#accountKeys.set(String(found.number), key);
    return found;
  }

  tracker(accountNumber: number, id: string): Promise<TrackerDefinition | undefined> {
    const key = trackerKey(accountNumber, id);
    return this.#find(
      this.#trackers,
      key,
      () => findTracker(this.#sql, accountNumber, id),
      () => ['tracker', key],
    );
  }

  async #catchUp(version: number): Promise<void> {
    if (version <= this.#version) return;
    const known = this.#version;
    const changes = known < 0 ? undefined : await readChanges(this.#sql, known, version);
    if (!changes) this.#recent.forgetUpTo(version);
    changes?.forEach((change, index) => {
      this.#recent.add(change, known + index + 1);
    });
    for (const change of changes ?? [undefined]) this.#forget(change);
    this.#version = version;
  }

  #forget(change: Change | undefined): void {
    if (!change) {
      for (const rows of [this.#tokens, this.#accounts, this.#accountKeys, this.#trackers]) {
        rows.clear();
      }
    } else if (change.kind === 'token') this.#tokens.delete(change.key);
    else if (change.kind === 'tracker') this.#trackers.delete(change.key);
    else {
      this.#accounts.delete(this.#accountKeys.get(change.key) ?? '');
      this.#accountKeys.delete(change.key);
    }
    for (const forget of this.#others) forget(change);
  }

  async #find<T>(
    rows: RecentMap<string, T>,
    key: string,
    read: () => Promise<T | undefined>,
    rowOf: (found: T) => [Change['kind'], string | number],
  ): Promise<T | undefined> {
    const known = rows.get(key);
    if (known !== undefined) return known;
    const version = this.#version;
    const found = await read();
    if (found !== undefined && !this.isChanged(...rowOf(found), version)) rows.set(key, found);
    return found;
  }
}
