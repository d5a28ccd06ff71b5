import { findNumbered } from '../../storage/account-store.ts';
import { deleteDamagedEntry } from '../../storage/damaged-entry-store.ts';
import { findParkedAccount } from '../../storage/live-store.ts';
import type { Actor, AuditNote, ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { findDamaged, readDamaged, type Target } from './set-aside.ts';

type EntryTarget = Extract<Target, { kind: 'entry' }>;

/**
 * Folds data set aside again, for example after an upgrade. Data that breaks again stays set aside.
 * Throws ServiceError if it is gone, or still cannot be read.
 */
export async function retrySetAside(context: Context, by: Actor, target: Target): Promise<void> {
  await context.changes.make(by, async (tx) =>
    target.kind === 'account'
      ? endQuarantine(tx, target.accountNumber, 'journal.retried', false)
      : retryEntry(tx, target),
  );
}

/**
 * Skips the entry that could not be folded or read, and continues after it: its snapshots count for
 * no chart and no tracker. Throws ServiceError.
 */
export async function skipSetAside(context: Context, by: Actor, target: Target): Promise<void> {
  await context.changes.make(by, async (tx) =>
    target.kind === 'account'
      ? endQuarantine(tx, target.accountNumber, 'journal.skipped', true)
      : skipEntry(tx, target),
  );
}

async function endQuarantine(
  tx: ChangeTransaction,
  accountNumber: number,
  action: 'journal.retried' | 'journal.skipped',
  isSkipped: boolean,
) {
  const parked = await findParkedAccount(tx, accountNumber);
  const [account] = await findNumbered(tx, [accountNumber]);
  if (!parked || !account) throw notFound('Quarantined account');
  const { position, reason } = JSON.parse(parked.park) as { position: number; reason: string };
  const without = isSkipped ? { withoutPosition: position } : {};
  await tx.tell(accountNumber, { command: { kind: 'quarantine-ended', ...without } });
  const { userId, id: accountId } = account;
  return audited({ action, userId, accountId, details: { accountNumber, position, reason } });
}

/** Appends its contents to the journal; snapshots that are late by then are folded as late. */
async function retryEntry(tx: ChangeTransaction, target: EntryTarget) {
  const entry = readDamaged(target, await findDamaged({ database: tx }, target));
  if (entry) {
    const { receivedUtcMs } = entry;
    await tx.append({ receivedUtcMs, entries: new Map([[target.partition, entry]]) });
  }
  await deleteDamagedEntry(tx, target.partition, target.position);
  return audited({ action: 'journal.retried', details: placeOf(target) });
}

async function skipEntry(tx: ChangeTransaction, target: EntryTarget) {
  await findDamaged({ database: tx }, target);
  await deleteDamagedEntry(tx, target.partition, target.position);
  return audited({ action: 'journal.skipped', details: placeOf(target) });
}

const audited = (note: AuditNote): { result: undefined; audit: [AuditNote] } => ({
  result: undefined,
  audit: [note],
});

const placeOf = ({ partition, position }: EntryTarget) => ({ partition, position });
