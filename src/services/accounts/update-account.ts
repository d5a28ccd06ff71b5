import {
  type Account,
  findAccount,
  updateAccount as writeAccount,
} from '../../storage/account-store.ts';
import type { Context, Principal } from '../context.ts';
import { type Fault, invalid, notFound } from '../errors.ts';
import { checkProfile } from '../profiles/check-profile.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import { accessAccount } from './access-account.ts';
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
  const faults: Fault[] = [];
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  const clock = change.brokerClock && readBrokerClock(change.brokerClock, faults);
  await checkProfile(context.database, account, change.profileId, faults);
  if (faults.length > 0) throw invalid(faults);
  return context.database.transaction(async (tx) => {
    await tx.lock(`account:${accountId}`);
    const before = await findAccount(tx, accountId);
    if (!before) throw notFound('Account');
    const after: Account = { ...before, ...given, brokerClock: clock ?? before.brokerClock };
    await enforceQuotas(context, tx, before, after);
    await writeAccount(tx, after);
    return after;
  });
}
