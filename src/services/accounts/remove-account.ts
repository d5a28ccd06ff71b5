import { type Account, removeAccount } from '../../storage/account-store.ts';
import { stopActions } from '../../storage/breach-action-store.ts';
import type { AuditNote, ChangeTransaction } from '../changes.ts';

/**
 * Removes an account, and ends the actions on its platform that are not over: each is in the
 * audit with its login, for nothing else tells of it afterwards.
 */
export async function removeWithActions(
  tx: ChangeTransaction,
  { number, id: accountId, userId, name, login }: Account,
  nowMs: number,
): Promise<[AuditNote, ...AuditNote[]]> {
  const stopped = await stopActions(tx, number, nowMs);
  await removeAccount(tx, number, nowMs);
  // The engine's memory of it must go, too.
  await tx.tell(number, { command: { kind: 'account-removed' } });
  return [
    { action: 'account.deleted', userId, accountId, details: { name, login } },
    ...stopped.map(({ id: breachActionId, trackerId, action, attempts }) => ({
      action: 'breach-action.stopped' as const,
      ...{ userId, accountId },
      details: {
        ...{ breachActionId, trackerId, login, action, attempts },
        message: `The account was deleted before this was ${attempts > 0 ? 'known to be ' : ''}done`,
      },
    })),
  ];
}
