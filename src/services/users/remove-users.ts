import { lockAccount } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import {
  forgetUser,
  listAccountNumbers,
  listRemovedUsers,
  type RemovedUser,
  sweepUser,
} from '../../storage/removed-user-store.ts';
import { removeWithActions } from '../accounts/remove-account.ts';
import { type AuditNote, auditOf } from '../changes.ts';
import type { Context } from '../context.ts';

/** Interval of checks for deleted users. */
export const REMOVE_USERS_EVERY_MS = 1000;
const USERS_AT_ONCE = 10;
/** Accounts per transaction, so that others wait for it some hundredths of a second at most. */
const ACCOUNTS_PER_STEP = 20;
/** Lock that lets one process at a time do it. */
const LOCK = 'plimsoll:removed-users';

type RemovingContext = Pick<Context, 'changes' | 'now'> & { database: Database };

/**
 * Removes the remains of deleted users: their accounts, each like deleteAccount, then the rest, and
 * the user's own row last, so that after a crash it still shows the remaining work.
 */
export async function removeUsers(context: RemovingContext, signal: AbortSignal): Promise<void> {
  let failure: unknown;
  for (const user of await listRemovedUsers(context.database, USERS_AT_ONCE)) {
    try {
      while (!signal.aborted && (await removeStep(context, user)));
    } catch (error) {
      // The others do not wait for what is wrong with one.
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

/** Does a part of it. Returns whether there may be more to do now. */
export async function removeStep(context: RemovingContext, user: RemovedUser): Promise<boolean> {
  const removed = await removeSomeAccounts(context, user);
  if (removed !== 0) return removed !== 'by another';
  if (await sweepUser(context.database, user)) return true;
  return !(await context.changes.record((tx) => forgetUser(tx, user.id)));
}

/** Returns how many accounts it removed. */
async function removeSomeAccounts(
  { changes, now }: RemovingContext,
  { id: userId, removedBy }: RemovedUser,
): Promise<number | 'by another'> {
  return changes.make<number | 'by another'>({ actor: removedBy, tokenId: null }, async (tx) => {
    if (!(await tx.tryLock(LOCK))) return { result: 'by another', audit: 'unchanged' };
    const notes: AuditNote[] = [];
    let removed = 0;
    for (const number of await listAccountNumbers(tx, userId, ACCOUNTS_PER_STEP)) {
      const account = await lockAccount(tx, number);
      if (!account) continue;
      notes.push(...(await removeWithActions(tx, account, now())));
      removed += 1;
    }
    return { result: removed, audit: auditOf(notes) };
  });
}
