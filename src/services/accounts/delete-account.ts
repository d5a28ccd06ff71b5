import { removeAccount } from '../../storage/account-store.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { accessAccount, locked } from './access-account.ts';

/**
 * Deletes the account. From then on all of it is hidden, in every process: its trades, hours,
 * trackers, events and their evidence. Its rows are removed in the background, a few at a time; the
 * numbers of its events are not reused.
 */
export async function deleteAccount(
  { catalogue, changes, now }: Context,
  principal: Principal,
  accountId: string,
): Promise<void> {
  const account = await accessAccount({ catalogue }, principal, accountId);
  await changes.make(actorOf(principal), async (tx) => {
    const { number, userId, name, login } = await locked(tx, account);
    await removeAccount(tx, number, now());
    // The engine's memory of it must go, too.
    await tx.tell(number, { command: { kind: 'account-removed' } });
    return {
      result: undefined,
      audit: [{ action: 'account.deleted', userId, accountId, details: { name, login } }],
    };
  });
}
