import type { Static, TSchema } from 'typebox';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { CallCheck, type Tell } from '../call-check.ts';
import { parseServerAddress } from '../connection/server-address.ts';
import { callName, isUnsupported } from './bridge-calls.ts';
import { BridgeClient } from './client.ts';
import { DEFAULT_BRIDGE_LIMITS } from './limits.ts';
import { readBrokerTime } from './orders.ts';
import type { P4BridgeOptions } from './p4-bridge-gateway.ts';
import * as wire from './wire.ts';
import * as actions from './wire-actions.ts';

const DAYS_BACK_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;

/** Calls that make changes: only health tells whether they exist. */
const CHANGES = [
  'POST /session',
  'POST /users',
  'PATCH /users/{login}/settings',
  'POST /users/{login}/password',
  'POST /users/{login}/password/check',
  'POST /users/{login}/balance-operations',
  'POST /positions/close',
  'POST /pending-orders/cancel',
];

/**
 * Every call of a bridge that only reads, with its answer; for those that make changes, whether
 * health lists them. Figures of two calls are compared.
 * @param login the account to read; undefined: the first user of the first group that has any
 */
export async function checkBridge(
  options: P4BridgeOptions,
  login: number | undefined,
): Promise<CallCheck> {
  const address = parseServerAddress(options.server, options);
  const client = new BridgeClient(address, options.token, DEFAULT_BRIDGE_LIMITS);
  try {
    return await new BridgeCheck(client).run(login);
  } finally {
    client.close();
  }
}

class BridgeCheck {
  readonly #client: BridgeClient;
  readonly #check = new CallCheck(isUnsupported);

  constructor(client: BridgeClient) {
    this.#client = client;
  }

  async run(wanted: number | undefined): Promise<CallCheck> {
    const health = await this.#get('/health', wire.bridgeHealth, (answer) =>
      answer.connected
        ? `version ${answer.version}, ${answer.symbols} symbols, ${answer.brokerTime}`
        : new Error('its manager session is not connected'),
    );
    const nowMs = health ? readBrokerTime(health.brokerTime) : 0;
    const groups = await this.#get('/groups', actions.bridgeGroups, countOf('groups'));
    const symbols = await this.#get('/symbols', wire.bridgeSymbols, countOf('symbols'));
    let login = wanted;
    for (const { name } of groups?.items ?? []) {
      const path = `/users?${new URLSearchParams({ group: name })}`;
      const users = await this.#get(path, wire.bridgeUsers, countOf(`users of ${name}`));
      login ??= users?.items[0]?.login;
      if (login !== undefined) break;
    }
    if (login === undefined)
      this.#check.note('GET /users/{login}', 'not called', 'no login is known');
    else await this.#ofLogin(login, nowMs, symbols?.items[0]?.symbol);
    for (const call of CHANGES) {
      const isListed = !health?.calls || health.calls.includes(call);
      const detail = isListed ? 'it changes something' : 'health does not list it';
      this.#check.note(call, isListed ? 'not called' : 'missing', detail);
    }
    return this.#check;
  }

  async #ofLogin(login: number, nowMs: number, symbol: string | undefined): Promise<void> {
    const from = formatBrokerTime(Math.max(0, nowMs - DAYS_BACK_MS));
    const range = { from, to: formatBrokerTime(nowMs + DAY_MS) };
    const query = new URLSearchParams({ login: String(login), ...range });
    const own = `login=${login}`;
    await this.#get(`/users/${login}`, wire.bridgeUser, ({ group }) => `of ${group}`);
    await this.#get(`/users/${login}/settings`, actions.bridgeSettings, () => '');
    const account = await this.#get(`/accounts/${login}`, wire.bridgeAccount, (answer) => {
      const { balance, credit, equity, currency } = answer;
      return `balance ${balance}, credit ${credit}, equity ${equity} ${currency}`;
    });
    await this.#get(`/positions?${own}`, wire.bridgePositions, countOf('positions'));
    await this.#get(`/pending-orders?${own}`, actions.bridgePendingOrders, countOf('orders'));
    const orders = await this.#get(`/closed-orders?${query}`, wire.bridgeOrders, countOf('orders'));
    await this.#get(`/closed-orders/count?${query}`, actions.bridgeCount, ({ count }) => {
      // Of several pages only the first was read.
      const first = orders && !orders.nextCursor ? orders.items.length : undefined;
      return first === undefined || first >= count
        ? `${count} orders`
        : new Error(`it counts ${count} orders, GET /closed-orders has ${first}`);
    });
    const logins = [login];
    await this.#post('/states', actions.bridgeStates, { logins }, ({ items: [state] }) =>
      state?.login === login && (!account || account.balance === state.balance)
        ? 'as GET /accounts/{login}'
        : new Error('its balance differs from GET /accounts/{login}'),
    );
    const many = { logins, ...range };
    await this.#post('/closed-orders', actions.bridgeLoginOrders, many, countOf('orders'));
    if (symbol === undefined) return;
    const market = `/market?${own}&${new URLSearchParams({ symbol })}`;
    await this.#get(market, wire.bridgeMarket, (answer) => `${answer.quotes.length} quotes`);
  }

  #get<S extends TSchema>(path: string, schema: S, tell: Tell<Static<S>>) {
    const ask = () => this.#client.call(schema, { method: 'GET', path });
    return this.#check.make(callName('GET', path), ask, tell);
  }

  #post<S extends TSchema>(path: string, schema: S, body: object, tell: Tell<Static<S>>) {
    const ask = () => this.#client.call(schema, { method: 'POST', path, body, isRepeatable: true });
    return this.#check.make(`POST ${path}`, ask, tell);
  }
}

const countOf =
  (what: string) =>
  ({ items, nextCursor }: { items: readonly unknown[]; nextCursor?: string }): string =>
    `${items.length} ${what}${nextCursor === undefined ? '' : ', and more pages'}`;
