import {
  type Account,
  findAccount,
  updateAccount as writeAccount,
} from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { changeDirectory } from '../../storage/journal-store.ts';
import { noteClock } from '../../storage/live-store.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, invalid, notFound } from '../errors.ts';
import { boundProfileFaults } from '../profiles/bound-profile-faults.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import { appendCommand } from '../snapshots/append-to-journal.ts';
import { accessAccount } from './access-account.ts';
import { type AccountSettings, clockFaults, clockOf, type NewAccount } from './create-account.ts';

export type AccountChange = Partial<
  Omit<NewAccount, 'id' | 'platform' | 'login' | 'currency' | 'region'>
>;

/** Changes the fields that are given, all at once or none; beyond a quota it is `forbidden`. */
export async function updateAccount(
  context: Context & AccountSettings,
  principal: Principal,
  accountId: string,
  change: AccountChange,
): Promise<Account> {
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  const clock = clockOf(change.brokerClock);
  const faults = await accountChangeFaults(context, principal, accountId, change);
  if (faults.length > 0) throw invalid(faults);
  return context.database.transaction(async (tx) => {
    await tx.lock(`account:${accountId}`);
    const before = await findAccount(tx, accountId);
    if (!before) throw notFound('Account');
    const after: Account = { ...before, ...given, brokerClock: clock ?? before.brokerClock };
    await enforceQuotas(context, tx, before, after);
    await writeAccount(tx, after);
    if (clock) await changeLiveClock(tx, before, after);
    return after;
  });
}

/** What is wrong with those fields of a change that are given. */
export async function accountChangeFaults(
  context: Context,
  principal: Principal,
  accountId: string,
  { brokerClock, profileId }: AccountChange,
): Promise<Fault[]> {
  const account = await accessAccount(context, principal, accountId);
  const ofProfile = await boundProfileFaults(context.database, account, profileId);
  return [...clockFaults(brokerClock), ...ofProfile];
}

/** Snapshots up to now are folded by the clock before, those from now on by the new one. */
async function changeLiveClock(tx: Transaction, before: Account, after: Account): Promise<void> {
  const { id: accountId, createdAtMs, brokerClock } = before;
  const isSame =
    brokerClock.zone === after.brokerClock.zone &&
    brokerClock.shiftHours === after.brokerClock.shiftHours;
  if (isSame) return;
  await noteClock(tx, { accountId, createdAtMs, clock: brokerClock });
  await appendCommand(tx, accountId, { kind: 'clock-changed', clock: after.brokerClock });
  await changeDirectory(tx);
}
