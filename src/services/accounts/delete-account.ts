import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { accessAccount, locked } from './access-account.ts';
import { removeWithActions } from './remove-account.ts';

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
    const audit = await removeWithActions(tx, await locked(tx, account), now());
    return { result: undefined, audit };
  });
}
