import type { PlatformSymbol } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

/** Symbols of a p4 security group, of all groups when none is given. */
export async function readSymbols(
  context: PlatformContext,
  principal: Principal,
  profileId: string,
  group: number | undefined,
): Promise<PlatformSymbol[]> {
  const profile = await accessProfile(context, principal, profileId, 'p4');
  return context.gateways.use(profile, (gateway) => gateway.symbols(group));
}
