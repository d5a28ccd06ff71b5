import type { PairQuote, QuotedPair } from '../domain/margin/exchange-rates.ts';
import type { Account } from './account-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import { inSlices, places } from './sql-text.ts';

type StoredQuote = QuotedPair & { accountNumber: number; userId: string };

const QUOTE = new RecordTable<StoredQuote>('pair_quote', {
  accountNumber: plain('account_number'),
  userId: plain('user_id'),
  base: plain('base'),
  profit: plain('profit'),
  symbol: plain('symbol'),
  bid: plain('bid'),
  ask: plain('ask'),
  quotedAtMs: plain('quoted_at_ms'),
});

/** Replaces the quotes of an account, one of a pair; after its market, whose row locks them. */
export async function replaceQuotes(
  tx: Transaction,
  { number: accountNumber, userId }: Pick<Account, 'number' | 'userId'>,
  quotes: readonly QuotedPair[],
): Promise<void> {
  await tx.run('delete from pair_quote where account_number = $1', [accountNumber]);
  await inSlices(quotes, async (slice) => {
    const values = slice.flatMap((quote) => QUOTE.values({ ...quote, accountNumber, userId }));
    await tx.run(QUOTE.insert(slice.length), values);
  });
}

/**
 * A user's newest quote of a pair, of equally new ones that of the older account; if given, only of
 * some of the accounts.
 */
export async function findQuote(
  sql: Sql,
  userId: string,
  [base, profit]: readonly [string, string],
  accountNumbers: ReadonlySet<number> | undefined,
): Promise<PairQuote | undefined> {
  const only = accountNumbers && [...accountNumbers];
  const among = only ? `and account_number in (${places(4, only.length)})` : '';
  const row = await sql.get<Row & { account_id: string }>(
    `select ${QUOTE.list}, (select id from account where number = account_number) as account_id
     from pair_quote
     where user_id = $1 and base = $2 and profit = $3 ${among}
       and exists (select 1 from account where number = account_number)
     order by quoted_at_ms desc, account_number limit 1`,
    [userId, base, profit, ...(only ?? [])],
  );
  return row && { ...QUOTE.read(row), accountId: row.account_id };
}
