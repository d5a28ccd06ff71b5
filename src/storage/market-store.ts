import type { MarketRecord } from '../domain/margin/read-market.ts';
import type { Sql } from './database.ts';

/** Replaces the market of an account. */
export async function saveMarket(
  sql: Sql,
  accountNumber: number,
  market: MarketRecord,
  updatedAtMs: number,
): Promise<void> {
  await sql.run(
    `insert into account_market (account_number, body, updated_at_ms) values ($1, $2, $3)
     on conflict (account_number) do update set body = excluded.body, updated_at_ms = excluded.updated_at_ms`,
    [accountNumber, JSON.stringify(market), updatedAtMs],
  );
}

/** The market as it was saved; undefined if none ever was. */
export async function findMarket(
  sql: Sql,
  accountNumber: number,
): Promise<MarketRecord | undefined> {
  const row = await sql.get<{ body: string }>(
    'select body from account_market where account_number = $1',
    [accountNumber],
  );
  return row && (JSON.parse(row.body) as MarketRecord);
}
