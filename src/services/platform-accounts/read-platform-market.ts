import {
  type AccountInformation,
  PlatformError,
  type PlatformMarket,
  type PlatformOrder,
} from '../../platforms/gateway.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Account } from '../accounts/access-account.ts';
import { notFound } from '../errors.ts';
import { type PlatformContext, usePlatform } from './use-platform.ts';

/**
 * Data for the margin of an order from the platform of an account with a profile; undefined if the
 * platform has no such login. Throws `notFound` if the profile is gone.
 */
export async function readPlatformMarket(
  context: PlatformContext,
  account: Account & { profileId: string },
  symbol: string,
): Promise<{ market: PlatformMarket; information: AccountInformation } | undefined> {
  const profile = await profileOf(context, account);
  const login = Number(account.login);
  return usePlatform(context, profile, async (gateway) => {
    const information = await gateway.accountInformation(login);
    const market = information && (await gateway.market(login, symbol));
    return information && market && { market, information };
  });
}

/** What the platform itself says of the margin of an order, or why it cannot be asked. */
export async function readAddedMargin(
  context: PlatformContext,
  account: Account & { profileId: string },
  order: Omit<PlatformOrder, 'login'>,
): Promise<{ margin: number } | { unavailable: string }> {
  const profile = await profileOf(context, account);
  return usePlatform(context, profile, async (gateway) => {
    try {
      return { margin: await gateway.addedMargin({ ...order, login: Number(account.login) }) };
    } catch (error) {
      if (!(error instanceof PlatformError && error.code === 'unsupported')) throw error;
      return { unavailable: error.message };
    }
  });
}

async function profileOf(context: PlatformContext, account: Account & { profileId: string }) {
  const profile = await findProfile(context.database, account.profileId);
  if (profile?.userId === account.userId) return profile;
  throw notFound('Provisioning profile');
}
