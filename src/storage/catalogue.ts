import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { RecentMap } from '../domain/recent-map.ts';
import { type Account, findAccount } from './account-store.ts';
import { type Change, readChanges, readChangeVersion, trackerKey } from './change-store.ts';
import type { Sql } from './database.ts';
import { RecentChanges } from './recent-changes.ts';
import { SharedQuestion } from './shared-question.ts';
import { type AccessToken, findTokenByHash } from './token-store.ts';
import { findTracker } from './tracker-store.ts';

const MAX_ROWS = 100_000;
/** Some tokens name a thousand accounts. */
const MAX_TOKEN_BYTES = 64 * 1024 * 1024;
const TOKEN_BYTES = 700;
/** What an id takes as a text, besides its letters. */
const TEXT_BYTES = 40;
/** What a number takes in the list and in the set of those that a token reaches. */
const NUMBER_BYTES = 40;
const bytesOf = ({ accountIds, accountNumbers }: AccessToken): number =>
  (accountIds ?? []).reduce(
    (sum, id) => sum + id.length + TEXT_BYTES,
    TOKEN_BYTES + NUMBER_BYTES * (accountNumbers?.length ?? 0),
  );

/** Without waiting if it is remembered, as it nearly always is. */
type Found<T> = T | Promise<T | undefined>;

/** Forgets a row that was changed; without a change, everything. */
export type Forget = (change: Change | undefined) => void;

/**
 * Tokens, accounts and trackers that requests read again and again. This process remembers each
 * until it is changed, in any process. A request calls `refresh` first; the rows found then are at
 * least as new as that. Rows are shared: do not change them.
 */
export class Catalogue {
  readonly #sql: Sql;
  readonly #changes = new SharedQuestion(() => this.#catchUp());
  readonly #tokens = new RecentMap<string, AccessToken>(MAX_TOKEN_BYTES, bytesOf);

  /** By number, which is never reused, so an id's outdated number finds nothing here. */
  readonly #accounts = new RecentMap<number, Account>(MAX_ROWS);
  readonly #accountNumbers = new RecentMap<string, number>(MAX_ROWS);
  readonly #trackers = new RecentMap<string, TrackerDefinition>(MAX_ROWS);
  readonly #others: Forget[] = [];
  readonly #recent = new RecentChanges();
  #version = -1;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Differs after every change known to this process. */
  get version(): number {
    return this.#version;
  }

  /**
   * Whether a row was changed, or may have been, since the catalogue had a version, as far as this
   * process knows. A row read since may be outdated: fit for one answer, but not to be kept.
   */
  isChanged(kind: Change['kind'], key: string | number, since: number): boolean {
    return this.#recent.isChanged(kind, key, since);
  }

  /** Makes other caches of such rows forget them, too. */
  onChange(forget: Forget): void {
    this.#others.push(forget);
  }

  /** Forgets rows changed before the call. Concurrent requests share the question. */
  refresh(): Promise<void> {
    return this.#changes.ask();
  }

  /** Of the tokens that are remembered, as they are counted. */
  get tokenBytes(): number {
    return this.#tokens.weight;
  }

  tokenByHash(hash: string): Found<AccessToken> {
    return (
      this.#tokens.get(hash) ??
      this.#read('token', this.#tokens, findTokenByHash(this.#sql, hash), () => hash)
    );
  }

  account(userId: string, id: string): Found<Account> {
    const key = `${userId} ${id}`;
    const number = this.#accountNumbers.get(key);
    const known = number === undefined ? undefined : this.#accounts.get(number);
    return known ?? this.#readAccount(userId, id, key);
  }

  tracker(accountNumber: number, id: string): Found<TrackerDefinition> {
    const key = trackerKey(accountNumber, id);
    return (
      this.#trackers.get(key) ??
      this.#read('tracker', this.#trackers, findTracker(this.#sql, accountNumber, id), () => key)
    );
  }

  async #readAccount(userId: string, id: string, key: string): Promise<Account | undefined> {
    const read = findAccount(this.#sql, userId, id);
    const found = await this.#read('account', this.#accounts, read, ({ number }) => number);
    if (found) this.#accountNumbers.set(key, found.number);
    return found;
  }

  async #catchUp(): Promise<void> {
    const version = await readChangeVersion(this.#sql);
    if (version === this.#version) return;
    const known = this.#version;
    // A database that was restored to an earlier state counts versions from there again.
    const isFollowed = known >= 0 && known < version;
    const changes = isFollowed ? await readChanges(this.#sql, known, version) : undefined;
    if (!changes) this.#recent.forgetUpTo(version);
    changes?.forEach((change, index) => {
      this.#recent.add(change, known + index + 1);
    });
    for (const change of changes ?? [undefined]) this.#forget(change);
    this.#version = version;
  }

  #forget(change: Change | undefined): void {
    if (!change) {
      for (const rows of [this.#tokens, this.#accounts, this.#trackers]) rows.clear();
    } else if (change.kind === 'token') this.#tokens.delete(change.key);
    else if (change.kind === 'tracker') this.#trackers.delete(change.key);
    else if (change.kind !== 'incident') this.#accounts.delete(Number(change.key));
    for (const forget of this.#others) forget(change);
  }

  /** Remembers a row being read, unless it changes during the read. */
  async #read<K extends string | number, T>(
    kind: Change['kind'],
    rows: RecentMap<K, T>,
    read: Promise<T | undefined>,
    keyOf: (found: T) => K,
  ): Promise<T | undefined> {
    const version = this.#version;
    const found = await read;
    if (found === undefined) return undefined;
    const key = keyOf(found);
    if (!this.isChanged(kind, key, version)) rows.set(key, found);
    return found;
  }
}
