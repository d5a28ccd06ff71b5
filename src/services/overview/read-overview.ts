import type { Static } from 'typebox';
import type {
  accountsOverviewOperation,
  OVERVIEW_SORTS,
  OverviewAccount,
} from '../../contract/operations/accounts-overview.ts';
import { formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import { type HourEquity, readRecentEquity } from '../../storage/hour-store.ts';
import type { Context, Principal } from '../context.ts';
import { isoTime } from '../present-time.ts';
import { readLossRates } from './loss-rates.ts';
import type { OverviewRow, OverviewRows } from './overview-rows.ts';
import { isBreached, isUnwatched, NEAR, nearestLimit, stateOf } from './standing.ts';

type Query = Static<typeof accountsOverviewOperation.querystring>;
type Answer = Static<(typeof accountsOverviewOperation.response)[200]>;
type Filter = NonNullable<Query['filter']>;

const RECENT_HOURS = 72;

/** A page of accounts with their live figures, searched and sorted. */
export async function readOverview(
  context: Context & { overview: OverviewRows },
  principal: Principal,
  query: Query,
): Promise<Answer> {
  const { limit = 100, offset = 0, filter = 'all', search = '' } = query;
  const { rows, madeAtMs } = await context.overview.of(principal);
  const nowMs = context.now();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    (row) => isIn(row, filter, nowMs) && words.every((word) => textOf(row).includes(word)),
  );
  const sign = query.order === 'descending' ? -1 : 1;
  const sortValue = VALUES[query.sort ?? 'name'];
  found.sort((a, b) => compare(sortValue(a), sortValue(b), sign));
  const count = (what: Filter): number => rows.filter((row) => isIn(row, what, nowMs)).length;
  return {
    asOf: isoTime(madeAtMs),
    total: found.length,
    all: rows.length,
    exceeded: count('exceeded'),
    near: count('near'),
    stale: count('stale'),
    unwatched: count('unwatched'),
    accounts: await presentPage(context, found.slice(offset, offset + limit), nowMs),
  };
}

const textOf = ({ account }: OverviewRow): string =>
  `${account.id} ${account.name} ${account.login} ${account.broker} ${account.currency} ${account.platform}`.toLowerCase();

function isIn({ account, standing, trackers }: OverviewRow, filter: Filter, nowMs: number) {
  if (filter === 'all') return true;
  if (filter === 'unwatched') return isUnwatched(account, standing, trackers);
  if (filter === 'exceeded' || filter === 'near') {
    const nearest = nearestLimit(standing);
    if (filter === 'exceeded') return isBreached(nearest);
    return !isBreached(nearest) && (nearest?.used ?? 0) >= NEAR;
  }
  return stateOf(account, standing, nowMs) === filter;
}

type Sortable = string | number | undefined;

const plain = ({ account }: OverviewRow, units: Money | undefined): number | undefined =>
  units === undefined ? undefined : fromUnits(units, moneyDigits(account.currency));

/** What was exceeded comes before all that was only used. */
const EXCEEDED_FIRST = 1_000_000;

const VALUES: Record<(typeof OVERVIEW_SORTS)[number], (row: OverviewRow) => Sortable> = {
  name: ({ account }) => account.name,
  login: ({ account }) => account.login,
  balance: (row) => plain(row, row.standing.balance),
  equity: (row) => plain(row, row.standing.equity),
  profit: (row) => plain(row, openProfit(row)),
  usedLimit: ({ standing }) => {
    const nearest = nearestLimit(standing);
    return nearest && (nearest.used ?? 0) + (isBreached(nearest) ? EXCEEDED_FIRST : 0);
  },
  lastUpdate: ({ standing }) => standing.lastUtcMs,
};

function openProfit({ standing: { equity, balance } }: OverviewRow): Money | undefined {
  return equity === undefined || balance === undefined ? undefined : equity - balance;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Rows without a value come last in both orders. */
function compare(a: Sortable, b: Sortable, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign;
  return collator.compare(String(a), String(b)) * sign;
}

async function presentPage(
  { database }: Context,
  rows: readonly OverviewRow[],
  nowMs: number,
): Promise<OverviewAccount[]> {
  const read = rows.map(async ({ account, standing }) => {
    const sinceMs = (standing.lastTimeMs ?? Number.POSITIVE_INFINITY) - RECENT_HOURS * HOUR_MS;
    const hours = Number.isFinite(sinceMs)
      ? await readRecentEquity(database, account.number, sinceMs, RECENT_HOURS)
      : [];
    return { accountNumber: account.number, standing, hours };
  });
  const losing = await Promise.all(read);
  // An old snapshot tells no present rate.
  const fresh = losing.filter((_, index) => {
    const row = rows[index];
    return row && stateOf(row.account, row.standing, nowMs) === 'live';
  });
  const rates = await readLossRates(database, fresh);
  return rows.map((row, index) =>
    present(row, losing[index]?.hours ?? [], rates.get(row.account.number), nowMs),
  );
}

function present(
  row: OverviewRow,
  hours: readonly HourEquity[],
  lossPerHour: Money | undefined,
  nowMs: number,
): OverviewAccount {
  const { account, standing } = row;
  const { balance, equity, lastTimeMs, lastUtcMs } = standing;
  const { id, name, login, platform, broker, currency } = account;
  const digits = moneyDigits(currency);
  const money = (units: number) => fromUnits(units, digits);
  const nearest = nearestLimit(standing);
  return {
    ...{ id, name, login, platform, broker, currency },
    state: stateOf(account, standing, nowMs),
    ...(balance === undefined ? {} : { balance: money(balance) }),
    ...(equity === undefined ? {} : { equity: money(equity) }),
    ...(lastTimeMs === undefined ? {} : { lastUpdate: formatBrokerTime(lastTimeMs) }),
    ...(lastUtcMs === undefined ? {} : { ageSeconds: (nowMs - lastUtcMs) / 1000 }),
    ...(lossPerHour === undefined ? {} : { lossPerHour: money(lossPerHour) }),
    trackers: row.trackers,
    unwatched: isUnwatched(account, standing, row.trackers),
    ...(nearest
      ? {
          worstTracker: {
            id: nearest.trackerId,
            name: nearest.name,
            used: nearest.used ?? 0,
            exceeded: isBreached(nearest),
            floor: money(nearest.floor ?? 0),
            toFloor: money(nearest.toFloor ?? 0),
            ...(nearest.resetUtcMs === undefined
              ? {}
              : { secondsToReset: Math.max(0, (nearest.resetUtcMs - nowMs) / 1000) }),
          },
        }
      : {}),
    recentEquity: [
      ...hours.map(({ lastEquity }) => lastEquity),
      ...(equity === undefined ? [] : [equity]),
    ].map(money),
  };
}
