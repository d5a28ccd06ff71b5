import type { Static } from 'typebox';
import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../contract/operations/accounts-overview.ts';
import { formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import { isBreached, nearestLimit } from '../../domain/live/standing-figures.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import type { Sql } from '../../storage/database.ts';
import type { HourEnds } from '../../storage/hour-store.ts';
import { readTransitions } from '../../storage/transition-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { isOver } from '../enrolments/enrolment-states.ts';
import { isoTime } from '../present-time.ts';
import { filterInSlices } from './in-slices.ts';
import { readLossRates } from './loss-rates.ts';
import { matcherOf, type OverviewEntry } from './overview-entry.ts';
import { countsOf, type OverviewTable, orderOf } from './overview-table.ts';
import type { OverviewTables } from './overview-tables.ts';
import { type OverviewRow, readPageRows } from './page-rows.ts';
import type { RecentHours } from './recent-hours.ts';
import { hasMeasuredLimit, isUnwatched, presentAge, standingStateOf } from './standing.ts';

type Query = Static<typeof accountsOverviewOperation.querystring>;
type Answer = Static<(typeof accountsOverviewOperation.response)[200]>;
/** Interval between checkpoints. */
const SHARED_MS = 1000;

type OverviewContext = Context & { overviews: OverviewTables; recentHours: RecentHours };

export type AskedOverview = {
  /** Bound of the request. */
  key: string;
  /** Bound of its answer, which all requests in this second share. */
  version: string;
  read(): Promise<Answer>;
};

/** A page of accounts with their live figures, searched and sorted. */
export async function askOverview(
  context: OverviewContext,
  principal: Principal,
  query: Query,
): Promise<AskedOverview> {
  const userId = userOf(principal);
  const table = await context.overviews.of(userId);
  const nowMs = context.now();
  const key = JSON.stringify([userId, principal.accountNumbers && principal.tokenId, query]);
  const version = `${Math.floor(nowMs / SHARED_MS)} ${table.version}`;
  return { key, version, read: () => readPage(context, table, principal, query, nowMs) };
}

async function readPage(
  context: OverviewContext,
  table: OverviewTable,
  principal: Principal,
  query: Query,
  nowMs: number,
): Promise<Answer> {
  const { madeAtMs } = table;
  const seen = entriesFor(table, principal);
  const { total, entries } = await find(table, seen, query, nowMs);
  const page = entries.map(({ number }) => number);
  const rows = await readPageRows(context, page);
  return {
    asOf: isoTime(madeAtMs),
    total,
    ...(await (seen ? countsOf(seen, nowMs) : table.counts(nowMs))),
    accounts: await presentPage(context, rows, nowMs),
  };
}

/** The accounts that a token is restricted to; undefined if it sees all. */
export function entriesFor(
  table: OverviewTable,
  { accountNumbers }: Principal,
): OverviewEntry[] | undefined {
  return accountNumbers && [...accountNumbers].flatMap((number) => table.entry(number) ?? []);
}

type Page = { total: number; entries: OverviewEntry[] };

/** How many entries match, and a page of them in the requested order. */
async function find(
  table: OverviewTable,
  seen: readonly OverviewEntry[] | undefined,
  { sort = 'name', order, limit = 100, offset = 0, ...which }: Query,
  nowMs: number,
): Promise<Page> {
  const matches = matcherOf(which, nowMs);
  const all = seen ? await orderOf(seen, sort) : await table.orderBy(sort);
  const valued = matches ? await filterInSlices(all.valued, matches) : all.valued;
  const without = matches ? await filterInSlices(all.without, matches) : all.without;
  const total = valued.length + without.length;
  const entries: OverviewEntry[] = [];
  for (let place = offset; place < Math.min(total, offset + limit); place += 1) {
    const fromEnd = order === 'descending' ? valued.length - 1 - place : place;
    const entry = place < valued.length ? valued[fromEnd] : without[place - valued.length];
    if (entry) entries.push(entry);
  }
  return { total, entries };
}

async function presentPage(
  { database, recentHours }: OverviewContext,
  rows: readonly OverviewRow[],
  nowMs: number,
): Promise<OverviewAccount[]> {
  const read = rows.map(async (row) => {
    const hours = await recentHours.read(database, row);
    return { accountNumber: row.account.number, standing: row.standing, hours };
  });
  const losing = await Promise.all(read);
  // An old snapshot has no present rate.
  const fresh = losing.filter((_, index) => {
    const row = rows[index];
    return row && standingStateOf(row.account, row.standing, nowMs) === 'live';
  });
  const rates = await readLossRates(database, fresh);
  const ended = await readEnded(database, rows);
  return rows.map((row, index) => ({
    ...present(row, losing[index]?.hours ?? [], rates.get(row.account.number), nowMs),
    ...ended.get(row.account.number),
  }));
}

type Ended = Pick<OverviewAccount, 'endedEnrolment'>;

/** Why accounts are unwatched: the last of their ended enrolments, by account number. */
async function readEnded(database: Sql, rows: readonly OverviewRow[]): Promise<Map<number, Ended>> {
  const unwatched = rows.filter((row) => row.enrolments.length > 0 && isRowUnwatched(row));
  const numbers = unwatched.map(({ account }) => account.number);
  const changes = await readTransitions(database, numbers);
  const states = new Map(changes.map(({ enrolmentId, to }) => [enrolmentId, to]));
  const ended = new Map<number, Ended>();
  for (const { account, enrolments } of unwatched) {
    for (const { id, phase } of enrolments) {
      const state = states.get(id) ?? 'running';
      const endedEnrolment = { id, phaseName: phase.name, state };
      if (isOver(state)) ended.set(account.number, { endedEnrolment });
    }
  }
  return ended;
}

const isRowUnwatched = ({ account, standing, trackers }: OverviewRow): boolean =>
  isUnwatched(account, standing, { trackers, isMeasured: hasMeasuredLimit(standing) });

/** Hours between two times, to a tenth; none below 0. */
const hoursBetween = (fromMs: number, toMs = fromMs): number =>
  Math.max(0, Math.round(((toMs - fromMs) / HOUR_MS) * 10) / 10);

function present(
  row: OverviewRow,
  hours: readonly HourEnds[],
  lossPerHour: Money | undefined,
  nowMs: number,
): OverviewAccount {
  const { account, standing } = row;
  const { balance, equity, lastTimeMs } = standing;
  const { id, name, login, platform, broker, currency } = account;
  const digits = moneyDigits(currency);
  const money = (units: number) => fromUnits(units, digits);
  const nearest = nearestLimit(standing.limits);
  return {
    ...{ id, name, login, platform, broker, currency, labels: account.labels },
    state: standingStateOf(account, standing, nowMs),
    ...(balance === undefined ? {} : { balance: money(balance) }),
    ...(equity === undefined ? {} : { equity: money(equity) }),
    ...(lastTimeMs === undefined ? {} : { lastUpdate: formatBrokerTime(lastTimeMs) }),
    ...presentAge(standing, nowMs),
    clockOff: standing.isClockOff,
    ...(lossPerHour === undefined ? {} : { lossPerHour: money(lossPerHour) }),
    trackers: row.trackers,
    unwatched: isRowUnwatched(row),
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
    recentHoursAgo: [
      ...hours.map(({ startTimeMs }) => hoursBetween(startTimeMs + HOUR_MS, lastTimeMs)),
      ...(equity === undefined ? [] : [0]),
    ],
  };
}
