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
import { firstOf } from './bridge-calls.ts';
import type { BridgeReader, ReadPage } from './bridge-reader.ts';
import type { BridgeClient } from './client.ts';
import type { BridgeLimits } from './limits.ts';
import { dealsOfOrders, isBooking } from './orders.ts';
import {
  type BridgeOrder,
  type BridgeUser,
  bridgeAccount,
  bridgeOrders,
  bridgeUsers,
} from './wire.ts';
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

  readStates(selection: Selection): AsyncIterable<(LoginState | LoginFault)[]> {
    return this.#read(selection, (part) =>
      firstOf(
        async () => {
          const states: LoginState[] = [];
          for await (const page of this.#pages('/states', part))
            for (const account of page) states.push(stateOf(account));
          return states;
        },
        () => this.#oneByOne(part, (login) => this.#stateOf(login)),
      ),
    );
  }

  /** Closed orders of a login, from whichever of the two calls the bridge has. */
  orders({
    login,
    fromMs,
    toMs,
  }: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<BridgeOrder[]> {
    const range = { from: formatBrokerTime(fromMs), to: formatBrokerTime(toMs) };
    const read: ReadPage<BridgeOrder> = (call) => this.#client.call(bridgeOrders, call);
    return firstOf(
      () => this.#reader.list(read, '/closed-orders', { login: String(login), ...range }),
      async () => {
        const orders: BridgeOrder[] = [];
        const request = { logins: [login], ...range };
        for await (const page of this.#orderPages('/closed-orders', request))
          for (const { login: whose, order } of page) if (whose === login) orders.push(order);
        return orders;
      },
    );
  }

  async #stateOf(login: number): Promise<LoginState[]> {
    const call = { method: 'GET', path: `/accounts/${login}` } as const;
    const account = await this.#client.call(bridgeAccount, call);
    return account ? [stateOf(account)] : [];
  }

  /** Reads each login singly; a refused one must not prevent reading the others. */
  async #oneByOne<T>(
    part: Selection,
    read: (login: number) => Promise<(T | LoginFault)[]>,
  ): Promise<(T | LoginFault)[]> {
    const logins = 'logins' in part ? part.logins : await this.#loginsOf(part.groups);
    const found: (T | LoginFault)[] = [];
    const work = inParallel(logins, this.#limits.maxConnections, async (login) => {
      try {
        return await read(login);
      } catch (error) {
        if (!(error instanceof PlatformError && error.code === 'invalid')) throw error;
        return [{ login, fault: error.message }];
      }
    });
    for await (const rows of work) found.push(...rows);
    return found;
  }

  async #loginsOf(groups: readonly string[]): Promise<number[]> {
    const read: ReadPage<BridgeUser> = (call) => this.#client.call(bridgeUsers, call);
    const logins: number[] = [];
    for (const group of groups)
      for (const { login } of await this.#reader.list(read, '/users', { group }))
        logins.push(login);
    return logins;
  }

  readDeals(query: DealsQuery): AsyncIterable<(LoginDeals | LoginFault)[]> {
    const { selection, fromMs, toMs, moneyDigits } = query;
    const range = { from: formatBrokerTime(fromMs), to: formatBrokerTime(toMs) };
    const dealsOf = (login: number, found: readonly BridgeOrder[]): (LoginDeals | LoginFault)[] => {
      const digits = moneyDigits(login);
      if (digits === undefined || found.length === 0) return [];
      try {
        return [{ login, deals: dealsOfOrders(found, { moneyDigits: digits, fromMs, toMs }) }];
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        return [{ login, fault: error.message }];
      }
    };
    const together = async (part: Selection): Promise<(LoginDeals | LoginFault)[]> => {
      const orders = new Map<number, BridgeOrder[]>();
      const request = { ...part, ...range };
      for await (const page of this.#orderPages('/closed-orders', request))
        for (const { login, order } of page) {
          const known = orders.get(login);
          if (known) known.push(order);
          else orders.set(login, [order]);
        }
      return [...orders].flatMap(([login, found]) => dealsOf(login, found));
    };
    return this.#read(selection, (part) =>
      firstOf(
        () => together(part),
        () =>
          this.#oneByOne(part, async (login) =>
            dealsOf(login, await this.orders({ login, fromMs, toMs })),
          ),
      ),
    );
  }

  async count({
    login,
    fromMs,
    toMs,
  }: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<number> {
    const range = { from: formatBrokerTime(fromMs), to: formatBrokerTime(toMs) };
    const query = new URLSearchParams({ login: String(login), ...range });
    const call = { method: 'GET', path: `/closed-orders/count?${query}` } as const;
    return firstOf(
      async () => (await this.#client.call(bridgeCount, call))?.count ?? 0,
      async () => (await this.orders({ login, fromMs, toMs })).filter(isBooking).length,
    );
  }

  /** As with lists, an empty result is trusted only from a sane session. */
  #read<T>(selection: Selection, read: (part: Selection) => Promise<T[]>): AsyncIterable<T[]> {
    return inParallel(this.#partsOf(selection), this.#limits.maxConnections, async (part) => {
      const found = await read(part);
      if (found.length > 0 || this.#reader.isSane) return found;
      await this.#reader.saneHealth();
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

  #pages(path: string, body: object) {
    return pagesOf(this.#limits, async (cursor) =>
      this.#client.call(bridgeStates, postOf(path, { ...body, ...cursor })),
    );
  }

  #orderPages(path: string, body: object) {
    return pagesOf(this.#limits, async (cursor) =>
      this.#client.call(bridgeLoginOrders, postOf(path, { ...body, ...cursor })),
    );
  }
}

const stateOf = ({ login, balance, equity, margin, freeMargin, credit }: LoginState) => ({
  ...{ login, balance, equity, margin, freeMargin, credit },
});

const postOf = (path: string, body: object) =>
  ({ method: 'POST', path, body, isRepeatable: true }) as const;

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
