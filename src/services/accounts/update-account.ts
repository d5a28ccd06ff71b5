import { type Account, updateAccount as writeAccount } from '../../storage/account-store.ts';
import { noteClock } from '../../storage/live-store.ts';
import { actorOf, type ChangeTransaction } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { type Fault, invalid } from '../errors.ts';
import { boundProfileFaults, holdBoundProfile } from '../profiles/bound-profile-faults.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import { accessAccount, locked } from './access-account.ts';
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
  const account = await accessAccount(context, principal, accountId);
  requireWholeUser(principal, change);
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  const clock = clockOf(change.brokerClock);
  const faults = await faultsOf(context, account, change);
  if (faults.length > 0) throw invalid(faults);
  return context.changes.make(actorOf(principal), async (tx) => {
    // Before the account, as who deletes the profile takes them in this order.
    await holdBoundProfile(tx, change.profileId);
    const before = await locked(tx, account);
    const after: Account = { ...before, ...given, brokerClock: clock ?? before.brokerClock };
    await enforceQuotas(context, tx, before, after);
    await writeAccount(tx, after);
    if (clock) await changeLiveClock(tx, before, after);
    const { userId } = before;
    const audit = [{ action: 'account.changed', userId, accountId, details: given }] as const;
    return { result: after, audit };
  });
}

/** What is wrong with those fields of a change that are given. */
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

/** What touches the user's quotas and platforms is beyond a token of some accounts. */
function requireWholeUser(principal: Principal, change: AccountChange): void {
  const { profileId, tier, copy, dedicatedIpv4 } = change;
  const names = Object.entries({ profileId, tier, copy, dedicatedIpv4 })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (names.length > 0) wholeUserOf(principal, `change ${names.join(', ')}`);
}

/** Snapshots up to now are folded by the clock before, those from now on by the new one. */
async function changeLiveClock(
  tx: ChangeTransaction,
  { number, brokerClock: before }: Account,
  { brokerClock: after }: Account,
): Promise<void> {
  const isSame = before.zone === after.zone && before.shiftHours === after.shiftHours;
  // Whoever set this clock before may have died before the live side knew it.
  if (isSame) return tx.tell(number, {});
  await noteClock(tx, number, before);
  await tx.tell(number, { command: { kind: 'clock-changed', clock: after } });
}
