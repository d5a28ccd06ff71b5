import { formatBrokerTime } from '../../domain/broker-time.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import {
  type DealQuery,
  type DealsQuery,
  type LoginDeals,
  type LoginFault,
  type LoginState,
  PlatformError,
  type Selection,
} from '../gateway.ts';
import type { BridgeReader } from './bridge-reader.ts';
import type { BridgeClient } from './client.ts';
import type { BridgeLimits } from './limits.ts';
import { dealsOfOrders } from './orders.ts';
import type { BridgeOrder } from './wire.ts';
import { bridgeCount, bridgeLoginOrders, bridgeStates } from './wire-actions.ts';

/** States and closed orders of very many accounts, page by page, some requests at a time. */
export class BridgeStates {
  readonly #client: BridgeClient;
  readonly #reader: BridgeReader;
  readonly #limits: BridgeLimits;

  constructor(client: BridgeClient, reader: BridgeReader, limits: BridgeLimits) {
    this.#client = client;
    this.#reader = reader;
    this.#limits = limits;
  }

  readStates(selection: Selection, signal?: AbortSignal): AsyncIterable<LoginState[]> {
    return this.#read(selection, signal, async (part) => {
      const states: LoginState[] = [];
      for await (const page of this.#pages('/states', part, signal))
        for (const { login, balance, equity, margin, freeMargin, credit } of page)
          states.push({ login, balance, equity, margin, freeMargin, credit });
      return states;
    });
  }

  readDeals(query: DealsQuery, signal?: AbortSignal): AsyncIterable<(LoginDeals | LoginFault)[]> {
    const { selection, fromMs, toMs, moneyDigits } = query;
    const range = { from: formatBrokerTime(fromMs), to: formatBrokerTime(toMs) };
    return this.#read(selection, signal, async (part) => {
      const orders = new Map<number, BridgeOrder[]>();
      const request = { ...part, ...range };
      for await (const page of this.#orderPages('/closed-orders', request, signal))
        for (const { login, order } of page) {
          const known = orders.get(login);
          if (known) known.push(order);
          else orders.set(login, [order]);
        }
      return [...orders].flatMap(([login, found]): (LoginDeals | LoginFault)[] => {
        const digits = moneyDigits(login);
        if (digits === undefined) return [];
        try {
          return [{ login, deals: dealsOfOrders(found, { moneyDigits: digits, fromMs, toMs }) }];
        } catch (error) {
          if (!(error instanceof PlatformError)) throw error;
          return [{ login, fault: error.message }];
        }
      });
    });
  }

  async count(
    { login, fromMs, toMs }: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>,
    signal?: AbortSignal,
  ): Promise<number> {
    const range = { from: formatBrokerTime(fromMs), to: formatBrokerTime(toMs) };
    const query = new URLSearchParams({ login: String(login), ...range });
    const call = { method: 'GET', path: `/closed-orders/count?${query}`, signal } as const;
    return (await this.#client.call(bridgeCount, call))?.count ?? 0;
  }

  /** As with lists, that there is nothing at all is believed of a sane session only. */
  #read<T>(
    selection: Selection,
    signal: AbortSignal | undefined,
    read: (part: Selection) => Promise<T[]>,
  ): AsyncIterable<T[]> {
    return inParallel(this.#partsOf(selection), this.#limits.maxConnections, async (part) => {
      const found = await read(part);
      if (found.length > 0 || this.#reader.isSane) return found;
      await this.#reader.saneHealth(signal);
      return read(part);
    });
  }

  #partsOf(selection: Selection): Selection[] {
    if ('groups' in selection) return [selection];
    const { maxStates } = this.#limits;
    const parts = Math.ceil(selection.logins.length / maxStates);
    return Array.from({ length: parts }, (_, part) => ({
      logins: selection.logins.slice(part * maxStates, (part + 1) * maxStates),
    }));
  }

  #pages(path: string, body: object, signal?: AbortSignal) {
    return pagesOf(this.#limits, async (cursor) =>
      this.#client.call(bridgeStates, postOf(path, { ...body, ...cursor }, signal)),
    );
  }

  #orderPages(path: string, body: object, signal?: AbortSignal) {
    return pagesOf(this.#limits, async (cursor) =>
      this.#client.call(bridgeLoginOrders, postOf(path, { ...body, ...cursor }, signal)),
    );
  }
}

const postOf = (path: string, body: object, signal: AbortSignal | undefined) =>
  ({ method: 'POST', path, body, isRepeatable: true, signal }) as const;

async function* pagesOf<T>(
  { maxPages, maxRows }: BridgeLimits,
  read: (cursor: { cursor?: string }) => Promise<{ items: T[]; nextCursor?: string } | undefined>,
): AsyncGenerator<T[], void, undefined> {
  let cursor: string | undefined;
  let rows = 0;
  for (let page = 0; page < maxPages && rows <= maxRows; page += 1) {
    const answer = await read(cursor === undefined ? {} : { cursor });
    if (!answer) throw new PlatformError('unsupported', 'the p4 bridge reads one login at a time');
    rows += answer.items.length;
    yield answer.items;
    if (answer.nextCursor === undefined) return;
    if (answer.nextCursor === cursor) break;
    cursor = answer.nextCursor;
  }
  throw new PlatformError('unavailable', 'the list of the p4 bridge does not end', {
    retryAfterSeconds: 60,
  });
}
