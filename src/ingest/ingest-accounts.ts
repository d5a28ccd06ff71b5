import type { BrokerClockView } from '../domain/live/broker-clock-view.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { moneyDigits } from '../domain/money.ts';
import { findSenders } from '../storage/account-store.ts';
import { BatchedLookup } from '../storage/batched-lookup.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import type { Database } from '../storage/database.ts';
import { RecentMap } from '../storage/recent-map.ts';
import type { AccountIds } from './snapshot-columns.ts';

/** What ingest must know of an account. */
export type IngestAccount = {
  readonly number: number;
  readonly id: string;
  readonly currency: string;
  readonly moneyDigits: number;
  readonly clock: BrokerClockView;
  /** Moment of the newest snapshot that this process knows of; NaN without one. */
  lastUtcMs: number;
};

/** Accounts that are remembered, and answers for whole lists of them. */
const MAX_ACCOUNTS = 400_000;
const MAX_LISTS = 256;
const LONG_LIST = 16;

/** The accounts of a list, in its order; undefined at the places of those that are unknown. */
export type Found = readonly (IngestAccount | undefined)[];

/**
 * Accounts that snapshots came for, remembered by this process until they are changed, in whatever
 * process. A request refreshes the catalogue before it asks: what it finds is as new as itself.
 */
export class IngestAccounts {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #clocks = new ClockViews();
  /** By user and id: those that send one by one are looked up together. */
  readonly #lookups = new BatchedLookup<string, IngestAccount>((keys) => this.#load(keys));
  readonly #accounts: RecentMap<string, IngestAccount>;
  readonly #keys: RecentMap<number, string>;
  /** Who sends the same accounts again need not have each of them looked up. */
  readonly #lists = new RecentMap<string, { bytes: Uint8Array; found: Found; version: number }>(
    MAX_LISTS,
  );

  constructor(database: Database, catalogue: Catalogue, maxAccounts = MAX_ACCOUNTS) {
    this.#database = database;
    this.#accounts = new RecentMap(maxAccounts);
    this.#keys = new RecentMap(maxAccounts);
    this.#catalogue = catalogue;
    catalogue.onChange((change) => {
      if (!change) this.#forgetAll();
      else if (change.kind === 'account' || change.kind === 'removed') {
        this.#forget(Number(change.key));
      }
    });
  }

  /** Those of the user's accounts that exist. */
  async find(userId: string, ids: AccountIds): Promise<Found> {
    const { version } = this.#catalogue;
    const isLong = ids.count >= LONG_LIST;
    const key = isLong ? `${userId} ${ids.count} ${startOf(ids.bytes)}` : '';
    const known = isLong ? this.#lists.get(key) : undefined;
    if (known?.version === version && isEqual(known.bytes, ids.bytes)) return known.found;
    const keys = ids.texts.map((id) => keyOf(userId, id));
    const remembered = keys.map((each) => this.#remembered(each));
    const missing = keys.filter((_, place) => !remembered[place]);
    const loaded = missing.length > 0 ? await this.#lookups.findAll(missing) : undefined;
    const found = keys.map(
      (each, place) => remembered[place] ?? this.#remembered(each) ?? loaded?.get(each),
    );
    if (isLong && version === this.#catalogue.version && found.every(Boolean)) {
      this.#lists.set(key, { bytes: ids.bytes, found, version });
    }
    return found;
  }

  /** Only one that can be forgotten by its number when it is changed. */
  #remembered(key: string): IngestAccount | undefined {
    const account = this.#accounts.get(key);
    return account && this.#keys.get(account.number) === key ? account : undefined;
  }

  async #load(keys: readonly string[]): Promise<Map<string, IngestAccount>> {
    const { version } = this.#catalogue;
    const loaded = new Map<string, IngestAccount>();
    for (const [userId, own] of Map.groupBy(keys, userOf)) {
      const ids = own.map((key) => key.slice(userId.length + 1));
      const found = await findSenders(this.#database, userId, ids);
      for (const { id, brokerClock, lastUtcMs, ...facts } of found) {
        loaded.set(keyOf(userId, id), {
          ...{ ...facts, id, moneyDigits: moneyDigits(facts.currency) },
          clock: this.#clocks.viewOf(brokerClock),
          lastUtcMs: lastUtcMs ?? Number.NaN,
        });
      }
    }
    for (const [key, account] of loaded) {
      // What is read while it changes is good for this request, but may be outdated for the next.
      if (this.#catalogue.isChanged('account', account.number, version)) continue;
      this.#accounts.set(key, account);
      this.#keys.set(account.number, key);
    }
    return loaded;
  }

  #forget(accountNumber: number): void {
    const key = this.#keys.get(accountNumber);
    if (key === undefined) return;
    this.#accounts.delete(key);
    this.#keys.delete(accountNumber);
  }

  #forgetAll(): void {
    this.#accounts.clear();
    this.#keys.clear();
    this.#lists.clear();
  }
}

/** Ids of users have no spaces; an account's own may. */
const keyOf = (userId: string, id: string): string => `${userId} ${id}`;
const userOf = (key: string): string => key.slice(0, key.indexOf(' '));

const KEY_BYTES = 64;
const startOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, KEY_BYTES)).toString('latin1');

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a === b || Buffer.compare(a, b) === 0;
