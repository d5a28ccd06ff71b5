import type { ImportRecord } from '../../contract/operations/statements.ts';
import { computeTrades } from '../../histories/compute-trades.ts';
import { TradeComputer } from '../../histories/trade-computer.ts';
import { UNHURRIED } from '../../statements/thread/read-limits.ts';
import { findAccountsById } from '../../storage/account-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { type ImportOptions, importStatement } from './import-statement.ts';

export type { ImportRecord };

/** The operator's import: into any account, whose trades are computed when it returns. */
export async function importFile(
  context: Context,
  by: Actor,
  accountId: string,
  file: Uint8Array,
  options: ImportOptions,
): Promise<ImportRecord> {
  const [account, ...others] = await findAccountsById(context.database, accountId);
  if (!account) throw notFound(`Account ${accountId}`);
  if (others.length > 0) {
    throw conflict(
      `Several users have an account ${accountId}: import it over HTTP, with a token of its user`,
    );
  }
  const trades = new TradeComputer(context);
  const result = await importStatement({ ...context, trades }, by, account, file, {
    limits: UNHURRIED,
    ...options,
  });
  // A long computation is already running in the background: wait for it instead of repeating it.
  await trades.settle();
  // The account may have taken the report's facts.
  const [now = account] = await findAccountsById(context.database, accountId);
  await computeTrades(context, now);
  return result;
}
