import { type AccountInformation, PlatformError } from '../../platforms/gateway.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Fault } from '../errors.ts';
import { serviceErrorOf } from './platform-errors.ts';
import type { PlatformContext } from './use-platform.ts';

/** An account is created or changed meanwhile: it waits no longer than this. */
const PATIENCE_MS = 10_000;

/**
 * `refused`: the account is not what the platform has; `faults` name the parameters. `unchecked`:
 * the platform could not be asked, so that the account is checked when it is first read.
 */
export type AccountCheck =
  | { outcome: 'confirmed'; information: AccountInformation }
  | { outcome: 'refused'; faults: Fault[] }
  | { outcome: 'unchecked'; reason: string };

/** Asks the platform of a profile whether an account is there as it is about to be stored. */
export async function checkAccountOnPlatform(
  context: PlatformContext,
  account: {
    userId: string;
    profileId: string;
    platform: 'p4' | 'p5';
    login: string;
    currency: string;
    leverage: number;
  },
): Promise<AccountCheck> {
  const profile = await findProfile(context.database, account.profileId);
  if (!profile || profile.userId !== account.userId || profile.platform !== account.platform)
    return refused('profileId', `must be one of your ${account.platform} provisioning profiles`);
  if (!/^[1-9]\d{0,14}$/.test(account.login))
    return refused('login', 'must be the number of an account on the platform');
  const login = Number(account.login);
  try {
    const information = await context.gateways.use(profile, (gateway) =>
      gateway.accountInformation(login, AbortSignal.timeout(PATIENCE_MS)),
    );
    if (!information) return refused('login', 'is not known to the platform of this profile');
    const faults = differences(account, information);
    return faults.length === 0
      ? { outcome: 'confirmed', information }
      : { outcome: 'refused', faults };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { outcome: 'unchecked', reason: serviceErrorOf(error).message };
  }
}

function differences(
  account: { currency: string; leverage: number },
  { currency, leverage }: AccountInformation,
): Fault[] {
  const faults: Fault[] = [];
  if (account.currency !== currency)
    faults.push({ parameter: 'currency', message: `must be ${currency}, as on the platform` });
  if (account.leverage !== leverage)
    faults.push({ parameter: 'leverage', message: `must be ${leverage}, as on the platform` });
  return faults;
}

const refused = (parameter: string, message: string): AccountCheck => ({
  ...{ outcome: 'refused', faults: [{ parameter, message }] },
});
