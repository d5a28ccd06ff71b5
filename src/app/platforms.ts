import type { SimulatedBroker } from '../demo/platform/broker.ts';
import { Histories } from '../demo/platform/histories.ts';
import type { SimulatedProfile } from '../demo/prepare-demo.ts';
import { hostOfServer } from '../platforms/connection/server-address.ts';
import { type Gateway, PlatformError } from '../platforms/gateway.ts';
import {
  GatewayRegistry,
  type GatewayRequest,
  type OpenGateway,
} from '../platforms/gateway-registry.ts';
import type { P4BridgeOptions } from '../platforms/p4-bridge/p4-bridge-gateway.ts';
import type { P5WebApiSettings } from '../platforms/p5-web-api/p5-web-api-gateway.ts';
import type { Context } from '../services/context.ts';
import type { Database } from '../storage/database.ts';
import { noteProfileError, noteProfileSuccess } from '../storage/profile-store.ts';
import { createSimulatedEventStore } from '../storage/simulated-event-store.ts';
import type { RecordReadings } from '../workers/platform-reader/account-reading.ts';
import { AccountSyncer } from '../workers/platform-reader/account-syncer.ts';
import type { Settings } from './settings.ts';
import { systemTime } from './system-time.ts';

export type Platforms = {
  gateways: GatewayRegistry;
  openGateway: OpenGateway;
  /** Whether users may have simulated platforms. */
  simulates: boolean;
  /** The simulated platform of a profile. */
  openSimulated(profile: SimulatedProfile): Promise<SimulatedBroker>;
  syncer: AccountSyncer;
};

type PlatformSettings = Pick<
  Settings,
  'PLIMSOLL_PRIVATE_PLATFORMS' | 'PLIMSOLL_SIMULATED_PLATFORMS'
>;

const SWITCHED_OFF = 'the operator has turned PLIMSOLL_SIMULATED_PLATFORMS off';

/**
 * The ways to every kind of platform. Nothing connects before it is needed, and the code of each
 * kind is loaded on first use. `record` sends readings of accounts to the live side.
 */
export function createPlatforms(
  database: Database,
  context: Context,
  settings: PlatformSettings,
  record: RecordReadings,
): Platforms {
  const { now, logger, secrets } = context;
  const histories = new Histories(systemTime);
  const openSimulated: Platforms['openSimulated'] = async ({ id, userId, platform }) => {
    if (!settings.PLIMSOLL_SIMULATED_PLATFORMS) throw new PlatformError('denied', SWITCHED_OFF);
    const { SimulatedBroker } = await import('../demo/platform/broker.ts');
    const store = createSimulatedEventStore(database, id);
    return SimulatedBroker.open({ family: platform, userId, store, histories, now });
  };
  const openGateway: OpenGateway = async (request) => {
    const allowPrivate = settings.PLIMSOLL_PRIVATE_PLATFORMS(hostOfServer(request.server ?? ''));
    switch (request.kind) {
      case 'simulated':
        return openSimulatedGateway(await openSimulated(request));
      case 'p5-web-api':
        return openP5WebApi(request, allowPrivate);
      case 'p4-bridge':
        return openP4Bridge(request, allowPrivate);
    }
  };
  const gateways = new GatewayRegistry({
    open: openGateway,
    ...{ secrets, time: systemTime, logger },
    noteOutcome: (profileId, atMs, failure) =>
      failure === undefined
        ? noteProfileSuccess(database, profileId, atMs)
        : noteProfileError(database, profileId, atMs, failure),
  });
  const syncer = new AccountSyncer({ ...context, gateways }, systemTime, record);
  const simulates = settings.PLIMSOLL_SIMULATED_PLATFORMS;
  return { gateways, openGateway, simulates, openSimulated, syncer };
}

async function openSimulatedGateway(broker: SimulatedBroker): Promise<Gateway> {
  const { SimulatedGateway } = await import('../demo/platform/simulated-gateway.ts');
  return new SimulatedGateway(broker);
}

async function openP4Bridge(request: GatewayRequest, allowPrivate: boolean): Promise<Gateway> {
  const options = bridgeOptions(request, allowPrivate);
  const { P4BridgeGateway } = await import('../platforms/p4-bridge/p4-bridge-gateway.ts');
  return new P4BridgeGateway(options);
}

async function openP5WebApi(request: GatewayRequest, allowPrivate: boolean): Promise<Gateway> {
  const settings = webApiSettings(request, allowPrivate);
  const { createP5WebApiGateway } = await import('../platforms/p5-web-api/p5-web-api-gateway.ts');
  return createP5WebApiGateway(settings);
}

/** How the bridge of a profile is reached. Throws PlatformError if the profile does not say. */
export function bridgeOptions(
  { server, password, tlsFingerprint, tlsCa }: GatewayRequest,
  allowPrivate: boolean,
): P4BridgeOptions {
  if (server === null || password === undefined)
    throw new PlatformError('denied', 'the profile has no server or password');
  const trust = { tlsFingerprint: tlsFingerprint ?? undefined, tlsCa: tlsCa ?? undefined };
  return { server, token: password, allowPrivate, ...trust };
}

/** The same for a p5 access server. */
export function webApiSettings(
  { server, login, password, tlsFingerprint, tlsCa }: GatewayRequest,
  allowPrivate: boolean,
): P5WebApiSettings {
  if (server === null || login === null || password === undefined)
    throw new PlatformError('denied', 'the profile has no server, login or password');
  const trust = { tlsFingerprint: tlsFingerprint ?? undefined, tlsCa: tlsCa ?? undefined };
  return { server, login: Number(login), password, allowPrivate, ...trust };
}
