import type { Static } from 'typebox';
import { PlatformError } from '../gateway.ts';
import { firstOf, isUnsupported } from './bridge-calls.ts';
import type { BridgeCall, BridgeClient } from './client.ts';
import type { BridgeLimits } from './limits.ts';
import { BRIDGE_VERSION, bridgeHealth } from './wire.ts';

type Page<T> = { items: T[]; nextCursor?: string };
export type ReadPage<T> = (call: BridgeCall) => Promise<Page<T> | undefined>;

/** Lists of a bridge, and whether its manager session can be trusted when it sees nothing. */
export class BridgeReader {
  readonly #client: BridgeClient;
  readonly #limits: BridgeLimits;
  #saneUntilMs = 0;

  constructor(client: BridgeClient, limits: BridgeLimits) {
    this.#client = client;
    this.#limits = limits;
  }

  /** Whether the session was recently found sane. */
  get isSane(): boolean {
    return performance.now() < this.#saneUntilMs;
  }

  /**
   * All pages of a list. A manager session that was logged out for idling still counts as connected
   * and sees empty lists, so an empty list is trusted only if the session was found sane.
   */
  async list<T>(read: ReadPage<T>, path: string, query: Record<string, string>): Promise<T[]> {
    const items = await this.#pages(read, path, query);
    if (items.length > 0 || this.isSane) return items;
    await this.saneHealth();
    return this.#pages(read, path, query);
  }

  async #pages<T>(read: ReadPage<T>, path: string, query: Record<string, string>): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    const { maxPages, maxRows } = this.#limits;
    for (let page = 0; page < maxPages && items.length <= maxRows; page += 1) {
      const search = new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      const call = { method: 'GET', path: `${path}?${search}` } as const;
      const answer = await read(call);
      if (!answer) throw new PlatformError('invalid', 'the p4 bridge does not know this login');
      for (const item of answer.items) items.push(item);
      if (answer.nextCursor === undefined) return items;
      if (answer.nextCursor === cursor) break;
      cursor = answer.nextCursor;
    }
    throw new PlatformError('unavailable', 'the list of the p4 bridge does not end', {
      retryAfterSeconds: 60,
    });
  }

  /** Health of a session that sees something; one that does not is logged in again, once. */
  async saneHealth(): Promise<Static<typeof bridgeHealth>> {
    let health = await this.#health('GET', '/health');
    if (!health.connected || health.symbols === 0)
      health = await firstOf(
        () => this.#health('POST', '/session'),
        // A bridge without a login call logs in on its own, sooner or later.
        async () => health,
      );
    if (!health.connected || health.symbols === 0)
      throw new PlatformError('unavailable', 'the p4 bridge is not connected to its server', {
        retryAfterSeconds: 30,
      });
    this.#saneUntilMs = performance.now() + this.#limits.saneMs;
    return health;
  }

  async #health(method: 'GET' | 'POST', path: string): Promise<Static<typeof bridgeHealth>> {
    const health = await this.#client.call(bridgeHealth, { method, path }).catch((error) => {
      // A bridge without it can't be read at all, so the platform counts as failing.
      if (!isUnsupported(error) || method === 'POST') throw error;
      throw new PlatformError('unavailable', error.message, { retryAfterSeconds: 30 });
    });
    if (health) this.#client.calls.state(health.calls);
    if (health?.version !== BRIDGE_VERSION)
      throw new PlatformError('unavailable', 'the server is not a p4 bridge of version 1');
    return health;
  }
}
