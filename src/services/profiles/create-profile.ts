import type { NewProfile } from '../../contract/operations/profiles.ts';
import { DEFAULT_BROKER_CLOCK } from '../../domain/broker-time.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import type { GatewayRegistry, OpenGateway } from '../../platforms/gateway-registry.ts';
import type { Transaction } from '../../storage/database.ts';
import type { KeyRing } from '../../storage/key-ring.ts';
import { countProfiles, insertProfile, type Profile } from '../../storage/profile-store.ts';
import type { SealedSecret } from '../../storage/secret-box.ts';
import type { Platform } from '../../words/accounts.ts';
import { clockFaults, clockOf } from '../accounts/create-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, type Fault, forbidden, invalid, invalidParameter } from '../errors.ts';
import { profileUserOf } from './access-profile.ts';

/** Used by verbs on profiles besides the context. */
export type ProfileContext = Context & {
  gateways: GatewayRegistry;
  openGateway: OpenGateway;
  /** Whether the operator allows simulated platforms. */
  simulates: boolean;
};

const MAX_PROFILES_PER_USER = 100;
const MAX_SIMULATED_PER_USER = 20;

/** Fields of each kind; a simulated platform has none. */
const NEEDS: Record<Profile['kind'], readonly ('server' | 'login' | 'password')[]> = {
  simulated: [],
  'p5-web-api': ['server', 'login', 'password'],
  'p4-bridge': ['server', 'password'],
};
const ONLY_PLATFORM: Partial<Record<Profile['kind'], Platform>> = {
  'p5-web-api': 'p5',
  'p4-bridge': 'p4',
};

/**
 * Creates a profile of the caller. Its settings are checked without connecting. The password is
 * stored encrypted. Throws `validation`, also if there is no key to encrypt it, and `forbidden` for
 * a simulated platform if the operator forbids them.
 */
export async function createProfile(
  context: ProfileContext,
  principal: Principal,
  input: NewProfile,
): Promise<{ id: string }> {
  const userId = profileUserOf(principal);
  const profile = readProfile(context, userId, input);
  if (profile.kind === 'simulated' && !context.simulates)
    throw forbidden('The operator of the server has turned PLIMSOLL_SIMULATED_PLATFORMS off');
  const { password } = input;
  if (profile.kind !== 'simulated' && password !== undefined) {
    await checkSettings(context.openGateway, profile, password);
  }
  await context.changes.make(actorOf(principal), async (tx) => {
    await tx.lock(`profiles:${userId}`);
    const { all, simulated } = await countProfiles(tx, userId);
    if (all >= MAX_PROFILES_PER_USER)
      throw limitReached(MAX_PROFILES_PER_USER, 'provisioning profiles');
    if (profile.kind === 'simulated' && simulated >= MAX_SIMULATED_PER_USER)
      throw limitReached(MAX_SIMULATED_PER_USER, 'simulated platforms');
    const sealed =
      profile.kind !== 'simulated' && password !== undefined
        ? await sealPassword(context.secrets, tx, profile.id, password)
        : {};
    await insertProfile(tx, { ...profile, ...sealed });
    const { id, platform, kind, server, allowedActions } = profile;
    const details = { profileId: id, platform, kind, server, allowedActions };
    return { result: undefined, audit: [{ action: 'profile.created', userId, details }] };
  });
  return { id: profile.id };
}

const limitReached = (limit: number, of: string): Error =>
  conflict(`The limit of ${limit} ${of} is reached: delete one first`);

/** The record without its secret. Throws `validation` with every fault. */
function readProfile({ newId, now }: Context, userId: string, input: NewProfile): Profile {
  const faults = profileFaults(input);
  if (faults.length > 0) throw invalid(faults);
  const reached = input.kind === 'simulated' ? undefined : input;
  return {
    id: newId(),
    userId,
    name: input.name,
    platform: input.platform,
    kind: input.kind,
    server: reached?.server ?? null,
    login: reached?.login === undefined ? null : String(reached.login),
    tlsFingerprint: reached?.tlsFingerprint ?? null,
    tlsCa: reached?.tlsCa ?? null,
    secret: null,
    secretKeyId: null,
    brokerClock: clockOf(input.brokerClock) ?? DEFAULT_BROKER_CLOCK,
    allowedActions: input.allowedActions ?? [],
    createdAtMs: now(),
    lastSuccessMs: null,
    lastErrorMs: null,
    lastError: null,
  };
}

/** The faults of the given fields of a new profile. */
export function profileFaults(input: Partial<NewProfile>): Fault[] {
  const { kind, platform, login } = input;
  const faults = clockFaults(input.brokerClock);
  for (const parameter of kind ? NEEDS[kind] : [])
    if ((input[parameter] ?? '') === '')
      faults.push({ parameter, message: `is required for the kind ${kind}` });
  const only = kind && ONLY_PLATFORM[kind];
  if (only !== undefined && platform !== undefined && platform !== only)
    faults.push({ parameter: 'platform', message: `must be ${only} for the kind ${kind}` });
  const isNumber = login === undefined || /^[1-9]\d{0,14}$/.test(String(login));
  if (kind === 'p5-web-api' && !isNumber)
    faults.push({ parameter: 'login', message: 'must be the number of the manager account' });
  return faults;
}

/** The password in stored form. Throws `validation` if there is no key to encrypt it. */
export function sealPassword(
  secrets: KeyRing,
  tx: Transaction,
  profileId: string,
  password: string,
): Promise<SealedSecret> {
  if (secrets.settingIds.length === 0)
    throw invalidParameter(
      'password',
      'cannot be stored safely: PLIMSOLL_SECRET_KEY is not set on the server',
    );
  return secrets.seal(tx, password, profileId);
}

/** Making a gateway does not connect, but it checks the address and the trust settings. */
async function checkSettings(
  openGateway: OpenGateway,
  profile: Profile,
  password: string,
): Promise<void> {
  try {
    const gateway = await openGateway({ ...profile, password });
    await gateway.close();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const parameter = /^tls\w+/.exec(error.message)?.[0] ?? 'server';
    throw invalid([{ parameter, message: error.message }]);
  }
}
