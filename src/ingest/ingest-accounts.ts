import type { BrokerClockView } from '../domain/live/broker-clock-view.ts';
import type { ClockViews } from '../domain/live/clock-views.ts';
import { moneyDigits } from '../domain/money.ts';
import { bytesHeld, type OwnBytes, ownBytes } from '../domain/own-bytes.ts';
import { RecentMap } from '../domain/recent-map.ts';
import { findSenders } from '../storage/account-store.ts';
import { BatchedLookup } from '../storage/batched-lookup.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import type { Database } from '../storage/database.ts';
import type { AccountIds } from './account-ids.ts';

/** UTC moment of an account's newest snapshot known to this process; NaN without one. */
export type Newest = { utcMs: number };

/** Data of an account that ingest needs. */
export type IngestAccount = {
  readonly number: number;
  readonly id: string;
  readonly currency: string;
  readonly moneyDigits: number;
  readonly clock: BrokerClockView;
  /** One object per account, even if the account is changed or looked up again. */
  readonly newest: Newest;
};

/** Kept when an account changes. */
type Remembered = Newest & { readonly key: string };

/** How many accounts are remembered, and how many answers for whole lists of ids. */
const MAX_ACCOUNTS = 400_000;
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const LONG_LIST = 16;
/** An account, which its lists may be the last to hold. */
const ACCOUNT_BYTES = 300;

/** The accounts of a list of ids, in its order; undefined for unknown ids. */
export type Found = readonly (IngestAccount | undefined)[];

/**
 * The accounts of incoming snapshots, cached by this process until any process changes them. Each
 * request refreshes the catalogue first, so the accounts found are never older than the request.
 */
export class IngestAccounts {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #clocks: ClockViews;
  /** By user and id: concurrent requests for single accounts share a lookup. */
  readonly #lookups = new BatchedLookup<string, IngestAccount>((keys) => this.#load(keys));
  readonly #accounts: RecentMap<string, IngestAccount>;
  /** By account number: owns the newest moments. */
  readonly #newest: RecentMap<number, Remembered>;
  /** Whole lists: a user who sends the same accounts again needs no lookup for each. */
  readonly #lists = new RecentMap<string, { bytes: OwnBytes; found: Found; version: number }>(
    MAX_LIST_BYTES,
    ({ bytes, found }, key) => bytesHeld(key, bytes.length + ACCOUNT_BYTES * found.length),
  );

  constructor(
    database: Database,
    catalogue: Catalogue,
    clocks: ClockViews,
    maxAccounts = MAX_ACCOUNTS,
  ) {
    this.#database = database;
    this.#clocks = clocks;
    this.#accounts = new RecentMap(maxAccounts);
    this.#newest = new RecentMap(maxAccounts);
    this.#catalogue = catalogue;
    catalogue.onChange((change) => {
      if (!change) this.#forgetAll();
      else if (change.kind === 'account' || change.kind === 'removed') {
        this.#forget(Number(change.key));
      }
    });
  }

  /** The user's accounts with these ids. */
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
      this.#lists.set(key, { bytes: ownBytes(ids.bytes), found, version });
    }
    return found;
  }

  /** A cached account, but only one that can still be dropped by its number when it changes. */
  #remembered(key: string): IngestAccount | undefined {
    const account = this.#accounts.get(key);
    return account && this.#newest.get(account.number) === account.newest ? account : undefined;
  }

  async #load(keys: readonly string[]): Promise<Map<string, IngestAccount>> {
    const { version } = this.#catalogue;
    const loaded = new Map<string, IngestAccount>();
    for (const [userId, own] of Map.groupBy(keys, userOf)) {
      const ids = own.map((key) => key.slice(userId.length + 1));
      const found = await findSenders(this.#database, userId, ids);
      for (const { id, brokerClock, lastUtcMs, ...facts } of found) {
        const key = keyOf(userId, id);
        loaded.set(key, {
          ...{ ...facts, id, moneyDigits: moneyDigits(facts.currency) },
          clock: this.#clocks.viewOf(brokerClock),
          newest: this.#newestOf(facts.number, key, lastUtcMs ?? Number.NaN),
        });
      }
    }
    for (const [key, account] of loaded) {
      // If it changed during the read, it serves this request but not the next.
      if (this.#catalogue.isChanged('account', account.number, version)) continue;
      this.#accounts.set(key, account);
    }
    return loaded;
  }

  /** The newest moment; the stored one may lag behind snapshots accepted by this process. */
  #newestOf(accountNumber: number, key: string, storedUtcMs: number): Remembered {
    const known = this.#newest.get(accountNumber) ?? { key, utcMs: storedUtcMs };
    if (Number.isNaN(known.utcMs) || storedUtcMs > known.utcMs) known.utcMs = storedUtcMs;
    this.#newest.set(accountNumber, known);
    return known;
  }

  #forget(accountNumber: number): void {
    const known = this.#newest.get(accountNumber);
    if (known) this.#accounts.delete(known.key);
  }

  #forgetAll(): void {
    this.#accounts.clear();
    this.#newest.clear();
    this.#lists.clear();
  }
}

/** User ids have no spaces; account ids may. */
const keyOf = (userId: string, id: string): string => `${userId} ${id}`;
const userOf = (key: string): string => key.slice(0, key.indexOf(' '));

const KEY_BYTES = 64;
const startOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, KEY_BYTES)).toString('latin1');

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a === b || Buffer.compare(a, b) === 0;
