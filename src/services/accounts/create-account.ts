import type { NewAccount } from '../../contract/operations/accounts.ts';
import { type BrokerClock, DEFAULT_BROKER_CLOCK, isKnownZone } from '../../domain/broker-time.ts';
import { VALID_ZONE } from '../../domain/formats.ts';
import { type Account, insertAccount } from '../../storage/account-store.ts';
import { UniqueViolation } from '../../storage/database.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, userOf, wholeUserOf } from '../context.ts';
import { conflict, type Fault, invalid } from '../errors.ts';
import { boundProfileFaults, holdBoundProfile } from '../profiles/bound-profile-faults.ts';
import { enforceQuotas } from '../quotas/enforce-quotas.ts';
import type { QuotaSettings } from '../quotas/quota-settings.ts';

export type AccountSettings = Pick<QuotaSettings, 'regions' | 'quotaDefaults'>;

/**
 * Creates an account of the caller. A taken id is a `conflict`; region and zone must be known;
 * exceeding a quota is `forbidden`.
 */
export async function createAccount(
  { database, changes, now, newId, regions, quotaDefaults }: Context & AccountSettings,
  principal: Principal,
  input: NewAccount,
): Promise<{ id: string }> {
  const userId = wholeUserOf(principal, 'create accounts');
  const faults = await accountFaults({ database, regions }, principal, input);
  if (faults.length > 0) throw invalid(faults);
  const account: Omit<Account, 'number'> = {
    id: input.id ?? newId(),
    userId,
    name: input.name,
    platform: input.platform,
    login: String(input.login),
    broker: input.broker,
    currency: input.currency,
    leverage: input.leverage,
    brokerClock: clockOf(input.brokerClock) ?? DEFAULT_BROKER_CLOCK,
    region: input.region ?? regions[0] ?? '',
    tier: input.tier ?? 'g1',
    copy: input.copy ?? false,
    dedicatedIpv4: input.dedicatedIpv4 ?? false,
    deployed: input.deployed ?? true,
    statisticsEnabled: input.statisticsEnabled ?? true,
    marginMode: input.marginMode ?? 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    profileId: input.profileId ?? null,
    labels: input.labels ?? [],
    silentAfterSeconds: input.silentAfterSeconds,
    createdAtMs: now(),
  };
  try {
    await changes.make(actorOf(principal), async (tx) => {
      await holdBoundProfile(tx, account.profileId);
      await enforceQuotas({ quotaDefaults }, tx, undefined, account);
      await insertAccount(tx, account);
      const { id: accountId, name, platform, login, region, profileId } = account;
      const details = { name, platform, login, region, profileId };
      return {
        result: undefined,
        audit: [{ action: 'account.created', userId, accountId, details }],
      };
    });
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw conflict(`An account with the id ${account.id} already exists`);
    throw error;
  }
  return { id: account.id };
}

/** The faults of the given fields of a new account. */
export async function accountFaults(
  { database, regions }: Pick<Context, 'database'> & Pick<AccountSettings, 'regions'>,
  principal: Principal,
  { region, brokerClock, platform, profileId }: Partial<NewAccount>,
): Promise<Fault[]> {
  const faults = clockFaults(brokerClock);
  if (region !== undefined && !regions.includes(region)) {
    faults.push({ parameter: 'region', message: `must be one of ${regions.join(', ')}` });
  }
  const account = { userId: userOf(principal), platform };
  return [...faults, ...(await boundProfileFaults(database, account, profileId))];
}

export type ClockInput = { zone: string; shiftHours?: number | undefined };

export const clockFaults = (clock: ClockInput | undefined): Fault[] =>
  clock === undefined || isKnownZone(clock.zone)
    ? []
    : [{ parameter: 'brokerClock.zone', message: VALID_ZONE }];

export const clockOf = (clock: ClockInput | undefined): BrokerClock | undefined =>
  clock && { zone: clock.zone, shiftHours: clock.shiftHours ?? 0 };
