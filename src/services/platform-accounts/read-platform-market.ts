import type { AccountInformation, PlatformMarket } from '../../platforms/gateway.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Account } from '../accounts/access-account.ts';
import { notFound } from '../errors.ts';
import { type PlatformContext, usePlatform } from './use-platform.ts';

/**
 * What the margin of an order needs from the platform of an account with a profile; undefined if
 * the platform has no such login. Throws `notFound` if the profile is gone.
 */
export async function readPlatformMarket(
  context: PlatformContext,
  account: Account & { profileId: string },
  symbol: string,
): Promise<{ market: PlatformMarket; information: AccountInformation } | undefined> {
  const profile = await findProfile(context.database, account.profileId);
  if (!profile || profile.userId !== account.userId) throw notFound('Provisioning profile');
  const login = Number(account.login);
  return usePlatform(context, profile, async (gateway) => {
    const information = await gateway.accountInformation(login);
    const market = information && (await gateway.market(login, symbol));
    return information && market && { market, information };
  });
}
