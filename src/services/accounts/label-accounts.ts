import { MAX_LABELS_PER_ACCOUNT } from '../../contract/operations/accounts.ts';
import { lockAccount, setLabels } from '../../storage/account-store.ts';
import { type AuditNote, actorOf, auditOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { accessAccount } from './access-account.ts';

export type Labelling = {
  accountIds: readonly string[];
  add?: readonly string[] | undefined;
  remove?: readonly string[] | undefined;
};

/**
 * Adds and removes labels of accounts, all at once or none. Returns how many accounts changed.
 * Throws `notFound` for a missing account, and `conflict` for one with too many labels.
 */
export async function labelAccounts(
  context: Context,
  principal: Principal,
  { accountIds, add = [], remove = [] }: Labelling,
): Promise<{ changed: number }> {
  const accounts = [];
  for (const id of accountIds) accounts.push(await accessAccount(context, principal, id));
  // Always in the same order, so that two of these cannot deadlock.
  const numbers = accounts.map(({ number }) => number).sort((a, b) => a - b);
  return context.changes.make(actorOf(principal), async (tx) => {
    const notes: AuditNote[] = [];
    for (const number of numbers) {
      const account = await lockAccount(tx, number);
      if (!account) throw notFound('Account');
      const { id: accountId, userId, labels: before } = account;
      const labels = [...new Set([...before, ...add])].filter((each) => !remove.includes(each));
      if (labels.length > MAX_LABELS_PER_ACCOUNT) {
        throw conflict(
          `The account ${accountId} would have more than ${MAX_LABELS_PER_ACCOUNT} labels`,
        );
      }
      if (labels.join('\n') === before.join('\n')) continue;
      await setLabels(tx, { number, labels });
      notes.push({ action: 'account.changed', userId, accountId, details: { labels } });
    }
    const result = { changed: notes.length };
    return { result, audit: auditOf(notes) };
  });
}
