import { formatBrokerTime } from '../../domain/broker-time.ts';
import {
  type AccountInformation,
  type AccountSettings,
  type Gateway,
  type PendingOrder,
  type Platform5Symbol,
  PlatformError,
  type PlatformGroup,
  type PlatformPosition,
  type PlatformSymbol,
  type PlatformUser,
} from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import {
  type LoginPlace,
  type PlatformContext,
  type ProfilePlace,
  usePlatformAt,
} from './use-platform.ts';

export type { PlatformUser };

/** Groups that the profile's login sees. */
export const readGroups = (
  context: PlatformContext,
  principal: Principal,
  place: ProfilePlace,
): Promise<PlatformGroup[]> =>
  usePlatformAt(context, principal, place, (gateway) => gateway.groups());

/** Symbols of a p4 security group; of all groups, if none is given. */
export const readP4Symbols = (
  context: PlatformContext,
  principal: Principal,
  { profileId, group }: { profileId: string; group: number | undefined },
): Promise<PlatformSymbol[]> =>
  usePlatformAt(context, principal, { platform: 'p4', profileId }, (gateway) =>
    gateway.symbols(group),
  );

/** Symbols of a p5 platform whose paths match the masks; all, if none are given. */
export const readP5Symbols = (
  context: PlatformContext,
  principal: Principal,
  { profileId, mask }: { profileId: string; mask: string | undefined },
): Promise<Platform5Symbol[]> =>
  usePlatformAt(context, principal, { platform: 'p5', profileId }, (gateway) =>
    gateway.p5Symbols(mask),
  );

/** Client records of exactly one group; none for a group that is empty or unknown. */
export const readGroupUsers = (
  context: PlatformContext,
  principal: Principal,
  { group, ...place }: ProfilePlace & { group: string },
): Promise<PlatformUser[]> =>
  usePlatformAt(context, principal, place, (gateway) => gateway.usersOfGroup(group));

type ReadOfLogin<T> = (
  context: PlatformContext,
  principal: Principal,
  place: LoginPlace,
) => Promise<T>;

/** A read of one login, which throws `notFound` if the platform has no such login. */
const readOfLogin =
  <T>(read: (gateway: Gateway, login: number) => Promise<T | undefined>): ReadOfLogin<T> =>
  async (context, principal, { login, ...place }) => {
    const found = await usePlatformAt(context, principal, place, (gateway) => read(gateway, login));
    if (found === undefined) throw notFound('Account');
    return found;
  };

/** The client record of a login. */
export const readPlatformUser: ReadOfLogin<PlatformUser> = readOfLogin((gateway, login) =>
  gateway.user(login),
);

/** Balance, equity and margin of a login now. */
export const readAccountInformation: ReadOfLogin<AccountInformation> = readOfLogin(
  (gateway, login) => gateway.accountInformation(login),
);

/** The rights and the group of a login. */
export const readAccountSettings: ReadOfLogin<AccountSettings> = readOfLogin((gateway, login) =>
  gateway.settings(login),
);

/** Whether there is a login; assumed if the platform has no call for that. */
async function isKnown(gateway: Gateway, login: number): Promise<boolean> {
  for (const call of ['user', 'accountInformation', 'settings'] as const)
    try {
      return (await gateway[call](login)) !== undefined;
    } catch (error) {
      if (!(error instanceof PlatformError && error.code === 'unsupported')) throw error;
    }
  return true;
}

export type Position = Omit<PlatformPosition, 'openTimeMs'> & { openBrokerTime: string };

/** The open positions of a login. */
export const readPositions: ReadOfLogin<Position[]> = readOfLogin(async (gateway, login) => {
  if (!(await isKnown(gateway, login))) return undefined;
  const positions = await gateway.positions(login);
  return positions.map(({ openTimeMs, ...position }) => ({
    ...position,
    openBrokerTime: formatBrokerTime(openTimeMs),
  }));
});

/** The pending orders of a login. */
export const readPendingOrders: ReadOfLogin<PendingOrder[]> = readOfLogin(async (gateway, login) =>
  (await isKnown(gateway, login)) ? gateway.pendingOrders(login) : undefined,
);
