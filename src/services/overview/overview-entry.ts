import type { OVERVIEW_SORTS } from '../../contract/operations/accounts-overview.ts';
import { NO_FIGURES } from '../../domain/live/standing-figures.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { StoredFigures } from '../../storage/live-store.ts';
import type { AccountState } from '../../words/accounts.ts';
import { isUnwatched, NEAR, standingStateOf } from './standing.ts';

/**
 * The data by which an account is found, filtered and sorted, and no more: one for each account.
 */
export type OverviewEntry = StoredFigures &
  Pick<Account, 'number' | 'id' | 'name' | 'login' | 'deployed' | 'profileId' | 'currency'> & {
    labels: readonly string[];
    /** The text for searches, in lower case. */
    text: string;
    moneyDigits: number;
    /** The version of the trades that gave the balance; undefined if it is live. */
    tradeVersion: number | undefined;
  };

/** Most accounts have none: they share it. */
const NO_LABELS: readonly string[] = [];

export function entryOf(account: Account): OverviewEntry {
  const { number, id, name, login, deployed, profileId, broker, currency, platform } = account;
  const labels = account.labels.length > 0 ? account.labels : NO_LABELS;
  return {
    ...{ number, id, name, login, deployed, profileId, currency, labels },
    text: [id, name, login, broker, currency, platform, ...labels].join(' ').toLowerCase(),
    moneyDigits: moneyDigits(currency),
    tradeVersion: undefined,
    ...NO_FIGURES,
  };
}

export type Filter = 'all' | 'exceeded' | 'near' | 'unwatched' | 'clockOff' | AccountState;

export function isIn(entry: OverviewEntry, filter: Filter, nowMs: number): boolean {
  const { usedLimit, exceeded, trackers } = entry;
  if (filter === 'all') return true;
  if (filter === 'unwatched') {
    return isUnwatched(entry, entry, { trackers, isMeasured: usedLimit !== undefined });
  }
  if (filter === 'exceeded') return exceeded;
  if (filter === 'clockOff') return entry.deployed === true && entry.clockOffMs !== undefined;
  if (filter === 'near') return !exceeded && (usedLimit ?? 0) >= NEAR;
  return standingStateOf(entry, entry, nowMs) === filter;
}

/** The requested accounts. */
export type Which = {
  search?: string | undefined;
  label?: string | undefined;
  filter?: Filter | undefined;
};

/** Whether an entry is requested; undefined if all are. */
export function matcherOf(
  { search = '', label = '', filter = 'all' }: Which,
  nowMs: number,
): ((entry: OverviewEntry) => boolean) | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && label === '' && filter === 'all') return undefined;
  return (entry) =>
    (label === '' || entry.labels.includes(label)) &&
    isIn(entry, filter, nowMs) &&
    words.every((word) => entry.text.includes(word));
}

export type Sort = (typeof OVERVIEW_SORTS)[number];
type Sortable = string | number | undefined;

const plain = (entry: OverviewEntry, units: Money | undefined): number | undefined =>
  units === undefined ? undefined : fromUnits(units, entry.moneyDigits);

/** Exceeded limits come before used ones; after them, where it is asked what can be saved. */
const EXCEEDED_FIRST = 1_000_000;

/** The sort keys of entries; those without a value come last in both orders. */
export const VALUES: Record<Sort, (entry: OverviewEntry) => Sortable> = {
  name: ({ name }) => name,
  login: ({ login }) => login,
  balance: (entry) => plain(entry, entry.balance),
  equity: (entry) => plain(entry, entry.equity),
  profit: (entry) => plain(entry, openProfit(entry)),
  usedLimit: ({ usedLimit, exceeded }) =>
    usedLimit === undefined ? undefined : usedLimit + (exceeded ? EXCEEDED_FIRST : 0),
  savable: ({ usedLimit, exceeded }) =>
    usedLimit === undefined ? undefined : usedLimit - (exceeded ? EXCEEDED_FIRST : 0),
  lastUpdate: ({ freshUtcMs }) => freshUtcMs,
};

function openProfit({ equity, balance }: OverviewEntry): Money | undefined {
  return equity === undefined || balance === undefined ? undefined : equity - balance;
}

const collator = new Intl.Collator('en', { numeric: true });

export function compareValues(a: Sortable, b: Sortable): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}
