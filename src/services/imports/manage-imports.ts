import type { ImportRecord } from '../../contract/operations/statements.ts';
import { countUnsettled, historyLock } from '../../storage/history-store.ts';
import {
  countImports,
  findImport,
  leaveImport,
  listImports,
  type StatementImport,
} from '../../storage/import-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { notFound, unavailable } from '../errors.ts';
import { type Page, readPage } from '../page.ts';
import { presentImport } from './present-import.ts';
import { yieldFigures } from './settle-conflicts.ts';

/** An account's imports, newest first. */
export async function readImports(
  context: Context,
  principal: Principal,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<StatementImport>> {
  const { database } = context;
  const { number } = await accessAccount(context, principal, accountId);
  const total = await countImports(database, number);
  return readPage(
    { limit, total },
    (most) => listImports(database, number, most, offset),
    (_, n) => ({ offset: offset + n }),
  );
}

export async function readImport(
  context: Context,
  principal: Principal,
  accountId: string,
  importId: string,
): Promise<ImportRecord> {
  const { number } = await accessAccount(context, principal, accountId);
  const found = await findImport(context.database, number, importId);
  if (!found) throw notFound('Import');
  return presentImport(found);
}

/**
 * Takes an import back: its deals are removed, except those that another import lists. They are
 * removed in the background, a few at a time; until the last is gone, trades and statistics count
 * as being computed.
 */
export async function deleteImport(
  context: Context,
  principal: Principal,
  accountId: string,
  importId: string,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  await context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(historyLock(number));
    const found = await findImport(tx, number, importId);
    if (!found) throw notFound('Import');
    if (found.state === 'storing') throw unavailable('The import is being stored', 5);
    if (found.state === 'leaving') return { result: undefined, audit: 'unchanged' };
    await yieldFigures(tx, account, found);
    await leaveImport(tx, found.number, found.state);
    await countUnsettled(tx, number, 1);
    const { contentHash, record } = found;
    const details = { importId, contentHash, ...pick(record) };
    return {
      result: undefined,
      audit: [{ action: 'statement.taken-back', userId, accountId, details }],
    };
  });
}

const pick = (record: object): Record<string, unknown> => {
  const { kind, deals, added } = record as Partial<ImportRecord>;
  return { kind, deals, added };
};
