import { type BrokerTimeMs, DAY_MS } from '../domain/broker-time.ts';
import { CREDIT_TYPES, type Deal, isCredit, UNKNOWN_TYPES } from '../domain/deal.ts';
import type { Booking, CapitalDeal } from '../domain/live/capital-flow.ts';
import { CAPITAL_TYPES } from '../domain/metrics/transfers.ts';
import type { Money } from '../domain/money.ts';
import type { DealType } from '../words/deals.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { countFacts } from './holding-store.ts';
import { optional, plain, RecordTable } from './record-table.ts';
import { allIn, hiddenLimit, inSlices, numberOf, places, tuples } from './sql-text.ts';

const DEAL = new RecordTable<Deal>('deal', {
  id: plain('id'),
  timeMs: plain('time_ms'),
  positionId: optional('position_id'),
  type: plain('type'),
  entry: optional('entry'),
  symbol: optional('symbol'),
  volume: plain('volume'),
  volumeClosed: optional('volume_closed'),
  price: optional('price'),
  positionPrice: optional('position_price'),
  positionTimeMs: optional('position_time_ms'),
  profit: plain('profit'),
  swap: plain('swap'),
  commission: plain('commission'),
  fee: plain('fee'),
  digits: optional('digits'),
  contractSize: optional('contract_size'),
  comment: optional('comment'),
  magic: optional('magic'),
  stopLoss: optional('stop_loss'),
  takeProfit: optional('take_profit'),
});
const COLUMNS = `account_number, import_number, ${DEAL.list}`;

/**
 * Inserts the deals whose ids are new to the account, and returns those ids. Ids must be distinct.
 * @param importNumber the import that brings them
 */
export async function insertDeals(
  tx: Transaction,
  accountNumber: number,
  deals: readonly Deal[],
  importNumber?: number,
): Promise<Set<string>> {
  const inserted = new Set<string>();
  await inSlices(deals, async (slice) => {
    const rows = await tx.all<{ id: string }>(
      `insert into deal (${COLUMNS}) values ${tuples(slice.length, DEAL.width + 2)}
       on conflict (account_number, id) do nothing returning id`,
      slice.flatMap((deal) => [accountNumber, importNumber ?? null, ...DEAL.values(deal)]),
    );
    for (const row of rows) inserted.add(row.id);
  });
  await countFacts(tx, 'deal', [[accountNumber, inserted.size]]);
  return inserted;
}

/** A page of the account's deals in order of time and id text, after a given place. */
export async function listDeals(
  sql: Sql,
  accountNumber: number,
  after: { timeMs: number; id: string },
  limit: number,
): Promise<Deal[]> {
  // The first condition selects the index; without it, all earlier deals would be read, too.
  return DEAL.all(
    sql,
    `where account_number = $1 and time_ms >= $2 and (time_ms > $2 or id > $3)
     order by time_ms, id ${hiddenLimit('$4')}`,
    [accountNumber, after.timeMs, after.id, limit],
  );
}

/** The newest purchase or sale at or before a time. */
export const findLastTrade = (
  sql: Sql,
  accountNumber: number,
  timeMs: BrokerTimeMs,
): Promise<Deal | undefined> =>
  DEAL.get(
    sql,
    `where account_number = $1 and time_ms <= $2 and type in ('DEAL_TYPE_BUY', 'DEAL_TYPE_SELL')
     order by time_ms desc, id desc limit 1`,
    [accountNumber, timeMs],
  );

/**
 * How many bookings of an account are stored with fromMs ≤ time < toMs. The deal that opened a p4
 * order is not a separate booking.
 */
export const countDeals = (
  sql: Sql,
  accountNumber: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number> =>
  numberOf(
    sql,
    `select count(*) as count from deal
     where account_number = $1 and time_ms >= $2 and time_ms < $3 and id not like '%-in'`,
    [accountNumber, fromMs, toMs],
  );

/** How many deals an account has from a time on, counted up to a bound. */
export const countDealsFrom = (
  sql: Sql,
  accountNumber: number,
  fromMs: number,
  bound: number,
): Promise<number> =>
  numberOf(
    sql,
    `select count(*) as count from
       (select 1 from deal where account_number = $1 and time_ms >= $2 limit $3) as counted`,
    [accountNumber, fromMs, bound],
  );

/** The account's deals with these ids; absent ones are left out. */
export async function findDeals(
  sql: Sql,
  accountNumber: number,
  ids: readonly string[],
): Promise<StoredDeal[]> {
  const rows = await allIn<Row & { import_number: number | null }>(
    sql,
    ids,
    (list) =>
      `select import_number, ${DEAL.list} from deal
       where account_number = $1 and id in (${list})`,
    [accountNumber],
  );
  return rows.map(storedDeal);
}

export async function deleteDealRow(
  tx: Transaction,
  accountNumber: number,
  id: string,
): Promise<boolean> {
  const deleted = await tx.run('delete from deal where account_number = $1 and id = $2', [
    accountNumber,
    id,
  ]);
  await countFacts(tx, 'deal', [[accountNumber, -deleted]]);
  return deleted > 0;
}

/** Replaces a deal, but not the import that brought it. False if the account has no such deal. */
export async function replaceDeal(sql: Sql, accountNumber: number, deal: Deal): Promise<boolean> {
  const changed = await sql.run(
    `update deal set ${DEAL.assign(3, 'id')} where account_number = $1 and id = $2`,
    [accountNumber, deal.id, ...DEAL.valuesWithout(deal, 'id')],
  );
  return changed > 0;
}

/** A stored deal, and the import that brought it. */
export type StoredDeal = Deal & { importNumber: number | undefined };

/** A page of deals with time < toMs after a given place, in order of time and id text. */
export async function listStoredDeals(
  sql: Sql,
  accountNumber: number,
  after: { timeMs: number; id: string },
  toMs: number,
  limit: number,
): Promise<StoredDeal[]> {
  const rows = await sql.all<Row & { import_number: number | null }>(
    `select import_number, ${DEAL.list} from deal
     where account_number = $1 and time_ms >= $2 and (time_ms > $2 or id > $3) and time_ms < $4
     order by time_ms, id limit $5`,
    [accountNumber, after.timeMs, after.id, toMs, limit],
  );
  return rows.map(storedDeal);
}

/** All deals of these positions, with the imports that brought them. */
export async function listPositionDeals(
  sql: Sql,
  accountNumber: number,
  positionIds: readonly string[],
): Promise<StoredDeal[]> {
  const rows = await allIn<Row & { import_number: number | null }>(
    sql,
    positionIds,
    (list) =>
      `select import_number, ${DEAL.list} from deal
       where account_number = $1 and position_id in (${list})`,
    [accountNumber],
  );
  return rows.map(storedDeal);
}

/** Ranges of time in one statement. */
const RANGES_AT_ONCE = 50;

/**
 * Deals with fromMs ≤ time < toMs of some range, without those that opened positions. Ranges do not
 * overlap. Each is read by itself: for a list of conditions SQLite goes through all deals of the
 * account.
 */
export async function listClosings(
  sql: Sql,
  accountNumber: number,
  ranges: readonly { fromMs: number; toMs: number }[],
): Promise<StoredDeal[]> {
  const distinct = [...new Map(ranges.map((range) => [range.fromMs, range])).values()];
  const found: StoredDeal[] = [];
  for (let at = 0; at < distinct.length; at += RANGES_AT_ONCE) {
    const some = distinct.slice(at, at + RANGES_AT_ONCE);
    const each = some.map(
      (_, index) =>
        `select import_number, ${DEAL.list} from deal
         where account_number = $1 and (entry is null or entry <> 'DEAL_ENTRY_IN')
           and time_ms >= $${index * 2 + 2} and time_ms < $${index * 2 + 3}`,
    );
    const rows = await sql.all<Row & { import_number: number | null }>(each.join(' union all '), [
      accountNumber,
      ...some.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
    ]);
    found.push(...rows.map(storedDeal));
  }
  return found;
}

/** Whether the account has deals of another source than this import. */
export async function hasOtherDeals(
  sql: Sql,
  accountNumber: number,
  importNumber: number,
): Promise<boolean> {
  const row = await sql.get(
    `select 1 from deal where account_number = $1
       and (import_number is null or import_number <> $2) limit 1`,
    [accountNumber, importNumber],
  );
  return row !== undefined;
}

const storedDeal = (row: Row & { import_number: number | null }): StoredDeal => ({
  ...DEAL.read(row),
  importNumber: row.import_number ?? undefined,
});

export type StoredCapitalDeal = CapitalDeal & { accountNumber: number; id: string };

/** Worded like the indexes deal_capital and deal_unknown, so that databases use them. */
const isOneOf = (types: readonly DealType[]): string =>
  `type in (${types.map((type) => `'${type}'`).join(', ')})`;
const IS_CAPITAL = isOneOf(CAPITAL_TYPES);
const IS_UNKNOWN = isOneOf(UNKNOWN_TYPES);

/** How many deals of unknown kinds accounts have; those without any are left out. */
export async function countUnknownDeals(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<Map<number, number>> {
  const rows = await allIn<Row & { account_number: number; count: number }>(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, count(*) as count from deal
       where ${IS_UNKNOWN} and account_number in (${list}) group by account_number`,
  );
  return new Map(rows.map((row) => [row.account_number, row.count]));
}

/** The sums of an account's stored deals before a time, for the balance and for the credit. */
export async function sumDeals(
  sql: Sql,
  accountNumber: number,
  beforeMs: BrokerTimeMs = Number.MAX_SAFE_INTEGER,
): Promise<{ balance: Money; credit: Money }> {
  const money = 'profit + swap + commission + fee';
  const row = await sql.get<{ balance: number; credit: number }>(
    `select coalesce(sum(case when ${isOneOf(CREDIT_TYPES)} then 0 else ${money} end), 0) as balance,
       coalesce(sum(case when ${isOneOf(CREDIT_TYPES)} then ${money} else 0 end), 0) as credit
     from deal where account_number = $1 and time_ms < $2`,
    [accountNumber, beforeMs],
  );
  return { balance: Number(row?.balance ?? 0), credit: Number(row?.credit ?? 0) };
}

/** Deposits, withdrawals and credit of accounts since a time; in order of time for each account. */
export async function listCapitalDeals(
  sql: Sql,
  accountNumbers: readonly number[],
  sinceMs: BrokerTimeMs,
): Promise<StoredCapitalDeal[]> {
  const rows = await allIn<
    Row & { account_number: number; id: string; type: DealType; time_ms: number; money: number }
  >(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, id, type, time_ms, profit + swap + commission + fee as money from deal
       where ${IS_CAPITAL} and time_ms >= $1 and account_number in (${list})
       order by account_number, time_ms, id`,
    [sinceMs],
  );
  return rows.map(({ account_number: accountNumber, id, type, time_ms: timeMs, money }) => ({
    ...{ accountNumber, id, timeMs, money },
    // As in the journal.
    type: isCredit({ type }) ? ('DEAL_TYPE_CREDIT' as const) : type,
  }));
}

/** Money of an account's other deals with fromMs ≤ time < toMs, in order of time. */
export async function listTradeBookings(
  sql: Sql,
  accountNumber: number,
  { fromMs, toMs }: { fromMs: BrokerTimeMs; toMs: BrokerTimeMs },
  limit: number,
): Promise<Booking[]> {
  const rows = await sql.all<Row & { time_ms: number; money: number }>(
    `select time_ms, profit + swap + commission + fee as money from deal
     where account_number = $1 and time_ms >= $2 and time_ms < $3 and not (${IS_CAPITAL})
     order by time_ms, id limit $4`,
    [accountNumber, fromMs, toMs, limit],
  );
  return rows.map(({ time_ms: timeMs, money }) => ({ timeMs, money }));
}

/** Days of broker time, since 1970, with deals of other types than these in [start, end]. */
export async function listDaysWithDeals(
  sql: Sql,
  accountNumber: number,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  except: readonly DealType[],
): Promise<number[]> {
  const rows = await sql.all<Row & { day: number }>(
    `select distinct time_ms / ${DAY_MS} as day from deal
     where account_number = $1 and time_ms >= $2 and time_ms <= $3
       and type not in (${places(4, except.length)}) order by day`,
    [accountNumber, startMs, endMs, ...except],
  );
  return rows.map(({ day }) => day);
}
