import { type Account, updateAccount as writeAccount } from '../../storage/account-store.ts';
import { noteClock } from '../../storage/live-store.ts';
import { actorOf, type ChangeTransaction } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, forbidden, invalid } from '../errors.ts';
import { checkProfile } from '../profiles/check-profile.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import { accessAccount, locked } from './access-account.ts';
import { type AccountSettings, type NewAccount, readBrokerClock } from './create-account.ts';

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
  const faults: Fault[] = [];
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  const clock = change.brokerClock && readBrokerClock(change.brokerClock, faults);
  await checkProfile(context.database, account, change.profileId, faults);
  if (faults.length > 0) throw invalid(faults);
  return context.changes.make(actorOf(principal), async (tx) => {
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

/** What touches the user's quotas and platforms is beyond a token of some accounts. */
function requireWholeUser(principal: Principal, change: AccountChange): void {
  if (!principal.accountIds) return;
  const { profileId, tier, copy, dedicatedIpv4 } = change;
  const names = Object.entries({ profileId, tier, copy, dedicatedIpv4 })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (names.length > 0)
    throw forbidden(`A token of some accounts can not change ${names.join(', ')}`);
}

/** Snapshots up to now are folded by the clock before, those from now on by the new one. */
async function changeLiveClock(
  tx: ChangeTransaction,
  { number, brokerClock: before }: Account,
  { brokerClock: after }: Account,
): Promise<void> {
  if (before.zone === after.zone && before.shiftHours === after.shiftHours) return;
  await noteClock(tx, number, before);
  await tx.tell(number, { command: { kind: 'clock-changed', clock: after } });
}
