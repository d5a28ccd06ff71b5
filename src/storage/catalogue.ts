import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { type Account, findAccount } from './account-store.ts';
import { readCatalogueVersion } from './catalogue-store.ts';
import type { Sql } from './database.ts';
import { GatheredLookups } from './gathered-lookups.ts';
import { type AccessToken, findTokenByHash } from './token-store.ts';
import { findTracker } from './tracker-store.ts';

const MAX_ROWS = 100_000;
const VERSION = 'version';

/**
 * Tokens, accounts and trackers that requests look at again and again, remembered by this process
 * until one of them is changed, in whatever process. A request calls `refresh` first; what it finds
 * then is at least as new as that. Rows are shared: nobody may change them.
 */
export class Catalogue {
  readonly #sql: Sql;
  readonly #versions: GatheredLookups<number>;
  readonly #rows = new Map<string, unknown>();
  #version = -1;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#versions = new GatheredLookups(
      async () => new Map([[VERSION, await readCatalogueVersion(sql)]]),
    );
  }

  /** Forgets what was changed before the call. Requests that come together share the question. */
  async refresh(): Promise<void> {
    const version = await this.#versions.find(VERSION);
    if (version === undefined || version === this.#version) return;
    this.#rows.clear();
    this.#version = version;
  }

  tokenByHash(hash: string): Promise<AccessToken | undefined> {
    return this.#find(`token ${hash}`, () => findTokenByHash(this.#sql, hash));
  }

  account(id: string): Promise<Account | undefined> {
    return this.#find(`account ${id}`, () => findAccount(this.#sql, id));
  }

  tracker(accountId: string, id: string): Promise<TrackerDefinition | undefined> {
    return this.#find(`tracker ${accountId} ${id}`, () => findTracker(this.#sql, accountId, id));
  }

  /** What is read while the version changes is not kept: it may be of before or after. */
  async #find<T>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#rows.get(key);
    if (known !== undefined) return known as T;
    const version = this.#version;
    const found = await read();
    if (found === undefined || version !== this.#version) return found;
    if (this.#rows.size >= MAX_ROWS) this.#rows.clear();
    this.#rows.set(key, found);
    return found;
  }
}
