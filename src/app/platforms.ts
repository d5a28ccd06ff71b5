import { type Gateway, PlatformError } from '../platforms/gateway.ts';
import { P4BridgeGateway } from '../platforms/p4-bridge/p4-bridge-gateway.ts';
import { createP5WebApiGateway } from '../platforms/p5-web-api/p5-web-api-gateway.ts';
import { SimulatedBroker } from '../platforms/simulated/broker.ts';
import { SimulatedGateway } from '../platforms/simulated/simulated-gateway.ts';
import type { Context } from '../services/context.ts';
import {
  GatewayRegistry,
  type GatewayRequest,
  type OpenGateway,
} from '../services/profiles/gateway-registry.ts';
import { SecretBox } from '../services/profiles/secret-box.ts';
import { AccountSyncer, type RecordReadings } from '../services/sync/account-syncer.ts';
import type { Database } from '../storage/database.ts';
import { createSimulatedStateStore } from '../storage/simulated-state-store.ts';

export type Platforms = {
  gateways: GatewayRegistry;
  openGateway: OpenGateway;
  /** Undefined while no key is set: then no password can be stored. */
  secrets: SecretBox | undefined;
  /** The one simulated broker of a family in this process. */
  simulatedBroker(family: 'p4' | 'p5'): Promise<SimulatedBroker>;
  syncer: AccountSyncer;
  /** Ends the connections and what runs on them. */
  stop(): Promise<void>;
};

/**
 * The ways to every kind of platform. Nothing connects before it is asked for; `record` takes what
 * is read of accounts to the live side.
 */
export function createPlatforms(
  database: Database,
  context: Context,
  secretKey: Buffer | undefined,
  record: RecordReadings,
): Platforms {
  const secrets = secretKey && new SecretBox(secretKey);
  const brokers = new Map<'p4' | 'p5', Promise<SimulatedBroker>>();
  const simulatedBroker = (family: 'p4' | 'p5'): Promise<SimulatedBroker> => {
    const known = brokers.get(family);
    if (known) return known;
    const store = createSimulatedStateStore(database, family);
    const broker = SimulatedBroker.open({ family, store, now: context.now });
    brokers.set(family, broker);
    // A database that was away for a moment must not stay the broker's fate.
    broker.catch(() => brokers.delete(family));
    return broker;
  };
  const openGateway: OpenGateway = async (request) => {
    switch (request.kind) {
      case 'simulated':
        return new SimulatedGateway(await simulatedBroker(request.platform));
      case 'p5-web-api':
        return openP5WebApi(request);
      case 'p4-bridge':
        return openP4Bridge(request);
    }
  };
  const gateways = new GatewayRegistry(context, openGateway, secrets);
  const syncer = new AccountSyncer({ ...context, gateways }, record);
  const stop = async (): Promise<void> => {
    await Promise.all([syncer.stop(), gateways.closeAll()]);
  };
  return { gateways, openGateway, secrets, simulatedBroker, syncer, stop };
}

function openP4Bridge({ server, password, tlsFingerprint, tlsCa }: GatewayRequest): Gateway {
  if (server === null || password === undefined)
    throw new PlatformError('denied', 'the profile has no server or password');
  return new P4BridgeGateway({
    server,
    token: password,
    tlsFingerprint: tlsFingerprint ?? undefined,
    tlsCa: tlsCa ?? undefined,
  });
}

function openP5WebApi({ server, login, password, ...trust }: GatewayRequest): Gateway {
  if (server === null || login === null || password === undefined)
    throw new PlatformError('denied', 'the profile has no server, login or password');
  return createP5WebApiGateway({
    server,
    login: Number(login),
    password,
    tlsFingerprint: trust.tlsFingerprint ?? undefined,
    tlsCa: trust.tlsCa ?? undefined,
  });
}
