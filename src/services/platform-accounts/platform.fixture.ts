import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { systemTime } from '../../app/system-time.ts';
import { SimulatedBroker } from '../../demo/platform/broker.ts';
import { Histories } from '../../demo/platform/histories.ts';
import { SimulatedGateway } from '../../demo/platform/simulated-gateway.ts';
import { type Gateway, PlatformError } from '../../platforms/gateway.ts';
import { GatewayRegistry } from '../../platforms/gateway-registry.ts';
import type { Database } from '../../storage/database.ts';
import { insertProfile, type Profile } from '../../storage/profile-store.ts';
import { createSimulatedEventStore } from '../../storage/simulated-event-store.ts';
import { insertUser } from '../../storage/user-store.ts';
import { PROFILE_ACTIONS } from '../../words/actions.ts';
import type { Principal } from '../context.ts';
import type { PlatformContext } from './use-platform.ts';

/** A user with a profile of a simulated platform, whose gateway can be made to fail. */
export type PlatformFixture = {
  files: TestDatabase;
  clock: { nowMs: number };
  context: PlatformContext;
  principal: Principal;
  profile: Profile;
  broker: SimulatedBroker;
  real: SimulatedGateway;
  /** Replaces functions of the gateway for later calls. */
  overrides: Partial<Gateway>;
  close(): Promise<void>;
};

export async function platformFixture(
  databaseKind: Database['kind'] = 'sqlite',
): Promise<PlatformFixture> {
  const files = await openTestDatabase(databaseKind);
  const { database } = files;
  const clock = { nowMs: Date.UTC(2026, 5, 10, 12) };
  const now = (): number => clock.nowMs;
  const profile: Profile = {
    ...{ id: 'profile', userId: 'user', name: 'x', platform: 'p5', kind: 'simulated' },
    ...{ server: null, login: null, tlsFingerprint: null, tlsCa: null },
    ...{ secret: null, secretKeyId: null, createdAtMs: 0 },
    ...{ brokerClock: { zone: 'UTC', shiftHours: 0 }, allowedActions: [...PROFILE_ACTIONS] },
    ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null },
  };
  await database.transaction(async (tx) => {
    await insertUser(tx, { id: 'user', email: 'a@b.c', name: null, createdAtMs: 0 });
    await insertProfile(tx, profile);
  });
  const store = createSimulatedEventStore(database, profile.id);
  const broker = await SimulatedBroker.open({
    ...{ family: 'p5', store, now },
    ...{ userId: 'user', histories: new Histories(systemTime) },
  });
  const overrides: Partial<Gateway> = {};
  const real = new SimulatedGateway(broker);
  const gateway = new Proxy<Gateway>(real, {
    get: (target, name: keyof Gateway) => {
      const own = overrides[name] ?? target[name];
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  const context = await testContext(database, { now });
  const { secrets } = context;
  const gateways = new GatewayRegistry({
    ...{ open: () => gateway, secrets, time: { now, elapsed: now }, logger: silent },
    noteOutcome: async () => undefined,
  });
  return {
    ...{ files, clock, profile, broker, real, overrides },
    context: { ...context, gateways },
    principal: {
      ...{ userId: 'user', tokenId: 'token', scopes: new Set(), accountNumbers: undefined },
    },
    close: () => files.close(),
  };
}

/** Fails like a broken connection. */
export const broken = (outcomeUnknown: boolean) => async (): Promise<never> => {
  throw new PlatformError('unavailable', 'it broke', { outcomeUnknown });
};
