import type { Deal, DealEntry, DealType } from '../domain/deal.ts';
import type { Row, Sql, SqlValue } from './database.ts';
import { inSlices, tuples } from './sql-text.ts';

type DealRow = Row & {
  id: string;
  time_ms: number;
  position_id: string | null;
  type: DealType;
  entry: DealEntry | null;
  symbol: string | null;
  volume: number;
  volume_closed: number | null;
  price: number | null;
  position_price: number | null;
  profit: number;
  swap: number;
  commission: number;
  fee: number;
  digits: number | null;
  contract_size: number | null;
  comment: string | null;
};

const COLUMNS = [
  'account_id',
  'id',
  'time_ms',
  'position_id',
  'type',
  'entry',
  'symbol',
  'volume',
  'volume_closed',
  'price',
  'position_price',
  'profit',
  'swap',
  'commission',
  'fee',
  'digits',
  'contract_size',
  'comment',
];
const IDS_PER_QUERY = 50;

/** Inserts the deals whose ids are new to the account, and tells those ids. Ids must be distinct. */
export async function insertDeals(
  sql: Sql,
  accountId: string,
  deals: readonly Deal[],
): Promise<Set<string>> {
  const inserted = new Set<string>();
  await inSlices(deals, async (slice) => {
    const rows = await sql.all<{ id: string }>(
      insertStatement(slice.length),
      slice.flatMap((deal) => valuesOf(accountId, deal)),
    );
    for (const row of rows) inserted.add(row.id);
  });
  return inserted;
}

/** A page of the account's deals in order of time and id text, after a given place. */
export async function listDeals(
  sql: Sql,
  accountId: string,
  after: { timeMs: number; id: string },
  limit: number,
): Promise<Deal[]> {
  const rows = await sql.all<DealRow>(
    `select * from deal where account_id = $1 and (time_ms > $2 or (time_ms = $2 and id > $3))
     order by time_ms, id limit $4`,
    [accountId, after.timeMs, after.id, limit],
  );
  return rows.map(dealOf);
}

/** Those of the ids that the account has. */
export async function findDeals(
  sql: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<Deal[]> {
  const deals: Deal[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const part = ids.slice(start, start + IDS_PER_QUERY);
    // One size only, so that one statement is prepared; missing places repeat the first id.
    const params = Array.from(
      { length: IDS_PER_QUERY },
      (_, place) => part[place] ?? part[0] ?? '',
    );
    const places = params.map((_, place) => `$${place + 2}`).join(', ');
    const rows = await sql.all<DealRow>(
      `select * from deal where account_id = $1 and id in (${places})`,
      [accountId, ...params],
    );
    deals.push(...rows.map(dealOf));
  }
  return deals;
}

export async function deleteDeals(sql: Sql, accountId: string): Promise<void> {
  await sql.run('delete from deal where account_id = $1', [accountId]);
}

export async function deleteDeal(sql: Sql, accountId: string, id: string): Promise<boolean> {
  return (await sql.run('delete from deal where account_id = $1 and id = $2', [accountId, id])) > 0;
}

function insertStatement(rows: number): string {
  return `insert into deal (${COLUMNS.join(', ')}) values ${tuples(rows, COLUMNS.length)}
    on conflict (account_id, id) do nothing returning id`;
}

const valuesOf = (accountId: string, deal: Deal): SqlValue[] => [
  accountId,
  deal.id,
  deal.timeMs,
  deal.positionId ?? null,
  deal.type,
  deal.entry ?? null,
  deal.symbol ?? null,
  deal.volume,
  deal.volumeClosed ?? null,
  deal.price ?? null,
  deal.positionPrice ?? null,
  deal.profit,
  deal.swap,
  deal.commission,
  deal.fee,
  deal.digits ?? null,
  deal.contractSize ?? null,
  deal.comment ?? null,
];

const dealOf = (row: DealRow): Deal => ({
  id: row.id,
  positionId: row.position_id ?? undefined,
  type: row.type,
  entry: row.entry ?? undefined,
  symbol: row.symbol ?? undefined,
  volume: row.volume,
  volumeClosed: row.volume_closed ?? undefined,
  price: row.price ?? undefined,
  positionPrice: row.position_price ?? undefined,
  profit: row.profit,
  swap: row.swap,
  commission: row.commission,
  fee: row.fee,
  timeMs: row.time_ms,
  comment: row.comment ?? undefined,
  digits: row.digits ?? undefined,
  contractSize: row.contract_size ?? undefined,
});

/** Deletes the deals from a time on whose ids begin with a prefix of plain characters; how many. */
export async function deleteDealsFrom(
  sql: Sql,
  accountId: string,
  idPrefix: string,
  fromMs: number,
): Promise<number> {
  return sql.run('delete from deal where account_id = $1 and id like $2 and time_ms >= $3', [
    accountId,
    `${idPrefix}%`,
    fromMs,
  ]);
}

/**
 * What all deals before a time made of the balance; not a safe integer when that is beyond what can
 * be held exactly.
 */
export async function sumMoneyBefore(sql: Sql, accountId: string, timeMs: number): Promise<number> {
  const row = await sql.get<{ money: number | null }>(
    `select sum(cast(profit + swap + commission + fee as double precision)) as money from deal
     where account_id = $1 and time_ms < $2 and type <> 'DEAL_TYPE_CREDIT'`,
    [accountId, timeMs],
  );
  return row?.money ?? 0;
}
