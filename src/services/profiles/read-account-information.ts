import type { AccountInformation } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

/** Balance, equity and margin of a login now. Throws `notFound` for a login that nobody has. */
export async function readAccountInformation(
  context: PlatformContext,
  principal: Principal,
  place: { platform: 'p4' | 'p5'; profileId: string; login: number },
): Promise<AccountInformation> {
  const profile = await accessProfile(context, principal, place.profileId, place.platform);
  const information = await context.gateways.use(profile, (gateway) =>
    gateway.accountInformation(place.login),
  );
  if (!information) throw notFound('Account');
  return information;
}
