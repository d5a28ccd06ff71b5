import type { Static } from 'typebox';
import type {
  accountsOverviewOperation,
  OVERVIEW_SORTS,
  OverviewAccount,
} from '../../contract/operations/accounts-overview.ts';
import { formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import { readRecentEquity } from '../../storage/hour-store.ts';
import type { Context, Principal } from '../context.ts';
import type { OverviewRow, OverviewRows } from './overview-rows.ts';

type Query = Static<typeof accountsOverviewOperation.querystring>;
type Answer = Static<(typeof accountsOverviewOperation.response)[200]>;

const LIVE_WITHIN_MS = 300_000;
const NEAR = 0.75;
const RECENT_HOURS = 72;

/** A page of accounts with their live figures, searched and sorted. */
export async function readOverview(
  context: Context & { overview: OverviewRows },
  principal: Principal,
  query: Query,
): Promise<Answer> {
  const { limit = 100, offset = 0, filter = 'all', search = '' } = query;
  const rows = await context.overview.rowsOf(principal);
  const nowMs = context.now();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    (row) => isIn(row, filter, nowMs) && words.every((word) => textOf(row).includes(word)),
  );
  const sign = query.order === 'descending' ? -1 : 1;
  const sortValue = VALUES[query.sort ?? 'name'];
  found.sort((a, b) => compare(sortValue(a), sortValue(b), sign));
  const page = found.slice(offset, offset + limit);
  return {
    total: found.length,
    all: rows.length,
    exceeded: rows.filter((row) => isIn(row, 'exceeded', nowMs)).length,
    near: rows.filter((row) => isIn(row, 'near', nowMs)).length,
    accounts: await Promise.all(page.map((row) => present(context, row, nowMs))),
  };
}

const textOf = ({ account }: OverviewRow): string =>
  `${account.id} ${account.name} ${account.login} ${account.broker} ${account.currency} ${account.platform}`.toLowerCase();

function isIn(row: OverviewRow, filter: NonNullable<Query['filter']>, nowMs: number): boolean {
  const { worst } = row;
  if (filter === 'all') return true;
  if (filter === 'exceeded') return worst?.exceeded ?? false;
  if (filter === 'near') return worst !== undefined && !worst.exceeded && worst.used >= NEAR;
  return stateOf(row, nowMs) === filter;
}

function stateOf(row: OverviewRow, nowMs: number): OverviewAccount['state'] {
  if (!row.account.deployed) return 'undeployed';
  if (row.lastUtcMs === undefined) return 'waiting';
  return nowMs - row.lastUtcMs <= LIVE_WITHIN_MS ? 'live' : 'quiet';
}

type Sortable = string | number | undefined;

const moneyOf = (row: OverviewRow, units: number | undefined): number | undefined =>
  units === undefined ? undefined : fromUnits(units, moneyDigits(row.account.currency));

const VALUES: Record<(typeof OVERVIEW_SORTS)[number], (row: OverviewRow) => Sortable> = {
  name: ({ account }) => account.name,
  login: ({ account }) => account.login,
  balance: (row) => moneyOf(row, row.balance),
  equity: (row) => moneyOf(row, row.equity),
  profit: (row) =>
    row.equity === undefined || row.balance === undefined
      ? undefined
      : moneyOf(row, row.equity - row.balance),
  usedLimit: ({ worst }) => worst && worst.used + (worst.exceeded ? 1_000_000 : 0),
  lastUpdate: ({ lastUtcMs }) => lastUtcMs,
};

const collator = new Intl.Collator('en', { numeric: true });

/** Rows without a value come last in both orders. */
function compare(a: Sortable, b: Sortable, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign;
  return collator.compare(String(a), String(b)) * sign;
}

async function present(
  { database }: Context,
  row: OverviewRow,
  nowMs: number,
): Promise<OverviewAccount> {
  const { id, number, name, login, platform, broker, currency } = row.account;
  const digits = moneyDigits(currency);
  const money = (units: number) => fromUnits(units, digits);
  const recent =
    row.lastTimeMs === undefined
      ? []
      : await readRecentEquity(
          database,
          number,
          row.lastTimeMs - RECENT_HOURS * HOUR_MS,
          RECENT_HOURS,
        );
  const { balance, equity, lastTimeMs, worst } = row;
  return {
    id,
    name,
    login,
    platform,
    broker,
    currency,
    state: stateOf(row, nowMs),
    ...(balance === undefined ? {} : { balance: money(balance) }),
    ...(equity === undefined ? {} : { equity: money(equity) }),
    ...(lastTimeMs === undefined ? {} : { lastUpdate: formatBrokerTime(lastTimeMs) }),
    trackers: row.trackers,
    ...(worst
      ? {
          worstTracker: {
            id: worst.trackerId,
            name: worst.name,
            used: worst.used,
            exceeded: worst.exceeded,
          },
        }
      : {}),
    recentEquity: [...recent, ...(equity === undefined ? [] : [equity])].map(money),
  };
}
