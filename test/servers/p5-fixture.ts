import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway, NewPlatformUser } from '../../src/platforms/gateway.ts';
import type { P5Limits } from '../../src/platforms/p5-web-api/limits.ts';
import { createP5WebApiGateway } from '../../src/platforms/p5-web-api/p5-web-api-gateway.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from './p5-server-process.ts';

/** Pauses short enough for tests; everything else as in production. */
export const QUICK: Partial<P5Limits> = { retryMs: 1, maxRetryMs: 2 };

export const newPlatformUser = (fields: Partial<NewPlatformUser> = {}): NewPlatformUser => ({
  name: 'Ada Byron Lovelace',
  email: 'ada@example.com',
  group: 'demo\\usd',
  leverage: 100,
  enabled: true,
  password: 'Aa1!aaaa',
  investorPassword: 'Bb2!bbbb',
  ...fields,
});

export type Seen = { requests: string[]; sessions: number; connections: number };

/** A TLS server process and the gateways that a test opened to it. */
export class P5Fixture {
  readonly server: P5ServerProcess;
  readonly #opened: Gateway[] = [];
  private constructor(server: P5ServerProcess) {
    this.server = server;
  }

  static async start(): Promise<P5Fixture> {
    return new P5Fixture(await startP5Server({ tls: true }));
  }

  gateway(limits: Partial<P5Limits> = {}, settings: object = {}): Gateway {
    const { url, fingerprint } = this.server;
    const made = createP5WebApiGateway(
      { server: url, allowPrivate: true, ...P5_MANAGER, tlsFingerprint: fingerprint, ...settings },
      { ...QUICK, ...limits },
    );
    this.#opened.push(made);
    return made;
  }

  async openAccount(fields: Partial<NewPlatformUser> = {}): Promise<number> {
    const user = newPlatformUser(fields);
    return Number((await this.gateway().createUser(user, crypto.randomUUID())).login);
  }

  async seen(): Promise<Seen> {
    return (await this.server.control('/seen')) as Seen;
  }

  async reset(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((one) => one.close()));
    await this.server.control('/faults/clear');
  }
}

const WITHIN_MS = 60_000;
const PAUSE_MS = 5;

/** Repeats a call while the gateway pauses between its tries to connect. */
export async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
