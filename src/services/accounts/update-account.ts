import type { NewAccount } from '../../contract/operations/accounts.ts';
import { isSameClock } from '../../domain/broker-time.ts';
import { type Account, updateAccountRow } from '../../storage/account-store.ts';
import { historyLock, noteDealsChanged } from '../../storage/history-store.ts';
import { noteClock } from '../../storage/live-store.ts';
import { actorOf, type ChangeTransaction } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { type Fault, invalid } from '../errors.ts';
import { boundProfileFaults, holdBoundProfile } from '../profiles/bound-profile-faults.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import { accessAccount, locked } from './access-account.ts';
import { type AccountSettings, clockFaults, clockOf } from './create-account.ts';

export type AccountChange = Partial<
  Omit<NewAccount, 'id' | 'platform' | 'login' | 'currency' | 'region'>
>;

/** Changes the given fields, all at once or none; exceeding a quota is `forbidden`. */
export async function updateAccount(
  context: Context & AccountSettings,
  principal: Principal,
  accountId: string,
  change: AccountChange,
): Promise<Account> {
  const account = await accessAccount(context, principal, accountId);
  requireWholeUser(principal, change);
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  const clock = clockOf(change.brokerClock);
  const faults = await faultsOf(context, account, change);
  if (faults.length > 0) throw invalid(faults);
  return context.changes.make(actorOf(principal), async (tx) => {
    // Before the account: deleting the profile locks them in this order, too.
    await holdBoundProfile(tx, change.profileId);
    const before = await locked(tx, account);
    const after: Account = { ...before, ...given, brokerClock: clock ?? before.brokerClock };
    await enforceQuotas(context, tx, before, after);
    await updateAccountRow(tx, after);
    if (clock) await changeLiveClock(tx, before, after);
    const { userId } = before;
    const audit = [{ action: 'account.changed', userId, accountId, details: given }] as const;
    return { result: after, audit };
  });
}

/** The faults of the given fields of a change. */
export async function accountChangeFaults(
  context: Context,
  principal: Principal,
  accountId: string,
  change: AccountChange,
): Promise<Fault[]> {
  return faultsOf(context, await accessAccount(context, principal, accountId), change);
}

async function faultsOf(
  { database }: Context,
  account: Account,
  { brokerClock, profileId }: AccountChange,
): Promise<Fault[]> {
  const ofProfile = await boundProfileFaults(database, account, profileId);
  return [...clockFaults(brokerClock), ...ofProfile];
}

/** A token restricted to some accounts must not touch the user's quotas and platforms. */
function requireWholeUser(principal: Principal, change: AccountChange): void {
  const { profileId, tier, copy, dedicatedIpv4 } = change;
  const names = Object.entries({ profileId, tier, copy, dedicatedIpv4 })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (names.length > 0) wholeUserOf(principal, `change ${names.join(', ')}`);
}

/** Earlier snapshots are folded with the old clock, later ones with the new one. */
async function changeLiveClock(
  tx: ChangeTransaction,
  { number, brokerClock: before }: Account,
  { brokerClock: after }: Account,
): Promise<void> {
  // The process that set this clock may have died before the command was in the journal.
  if (isSameClock(before, after)) return tx.tell(number, {});
  await noteClock(tx, number, before);
  // Which deals lie in wall times that are shown twice.
  await tx.lock(historyLock(number));
  await noteDealsChanged(tx, number, true);
  await tx.tell(number, { command: { kind: 'clock-changed', clock: after } });
}
