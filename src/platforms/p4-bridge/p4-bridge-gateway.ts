import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { parseServerAddress, type TrustSettings } from '../connection/server-address.ts';
import type {
  AccountInformation,
  AccountPassword,
  AccountSettings,
  BalanceOperation,
  ClosingOutcome,
  CreatedUser,
  DealQuery,
  DealsQuery,
  Gateway,
  LoginDeals,
  LoginFault,
  LoginState,
  NewPlatformUser,
  PendingOrder,
  Platform5Symbol,
  PlatformGroup,
  PlatformMarket,
  PlatformPosition,
  PlatformSymbol,
  PlatformUser,
  Selection,
} from '../gateway.ts';
import { PlatformError } from '../gateway.ts';
import { marginLevel } from '../margin-level.ts';
import {
  balanceOperation,
  changeSettings,
  checkPassword,
  closeAll,
  readSettings,
  setPassword,
} from './actions.ts';
import { firstOf } from './bridge-calls.ts';
import { BridgeReader, type ReadPage } from './bridge-reader.ts';
import { BridgeClient } from './client.ts';
import { type BridgeLimits, DEFAULT_BRIDGE_LIMITS } from './limits.ts';
import { dealsOfOrders, readBrokerTime } from './orders.ts';
import { BridgeStates } from './states.ts';
import type { BridgePosition, BridgeUser } from './wire.ts';
import {
  bridgeAccount,
  bridgeCreated,
  bridgeMarket,
  bridgePositions,
  bridgeSymbols,
  bridgeUser,
  bridgeUsers,
} from './wire.ts';
import { type BridgePendingOrder, bridgeGroups, bridgePendingOrders } from './wire-actions.ts';

export type P4BridgeOptions = TrustSettings & {
  /** `https://host[:port]`; `http://` to a loopback address only. */
  server: string;
  /** The bridge's bearer token, which is the password of the profile. */
  token: string;
  limits?: Partial<BridgeLimits>;
};

/** The gateway to a p4 server behind a bridge process; see docs/p4-bridge.md. */
export class P4BridgeGateway implements Gateway {
  readonly platform = 'p4';
  readonly #client: BridgeClient;
  readonly #reader: BridgeReader;
  readonly #states: BridgeStates;

  /** Throws PlatformError `invalid` for an address or trust settings that can't be used. */
  constructor(options: P4BridgeOptions) {
    const limits = { ...DEFAULT_BRIDGE_LIMITS, ...options.limits };
    const address = parseServerAddress(options.server, options);
    this.#client = new BridgeClient(address, options.token, limits);
    this.#reader = new BridgeReader(this.#client, limits);
    this.#states = new BridgeStates(this.#client, this.#reader, limits);
  }

  async check(signal?: AbortSignal): Promise<{ brokerTimeMs: BrokerTimeMs }> {
    const health = await this.#reader.saneHealth(signal);
    return { brokerTimeMs: readBrokerTime(health.brokerTime) };
  }

  groups(signal?: AbortSignal): Promise<PlatformGroup[]> {
    const read: ReadPage<PlatformGroup> = (call) => this.#client.call(bridgeGroups, call);
    return this.#reader.list(read, '/groups', {}, signal);
  }

  async p5Symbols(): Promise<Platform5Symbol[]> {
    throw new PlatformError('unsupported', 'a p4 platform lists its symbols by security group');
  }

  symbols(group: number | undefined, signal?: AbortSignal): Promise<PlatformSymbol[]> {
    const query = group === undefined ? {} : { group: String(group) };
    const read: ReadPage<PlatformSymbol> = (call) => this.#client.call(bridgeSymbols, call);
    return this.#reader.list(read, '/symbols', query, signal);
  }

  async user(login: number, signal?: AbortSignal): Promise<PlatformUser | undefined> {
    const user = await this.#client.call(bridgeUser, {
      method: 'GET',
      path: `/users/${login}`,
      signal,
    });
    return user && platformUser(user);
  }

  async usersOfGroup(group: string, signal?: AbortSignal): Promise<PlatformUser[]> {
    const read: ReadPage<BridgeUser> = (call) => this.#client.call(bridgeUsers, call);
    const users = await this.#reader.list(read, '/users', { group }, signal);
    return users.filter((user) => user.group === group).map(platformUser);
  }

  /**
   * Without `GET /accounts/{login}`, from the state, the user and the group; also if it finds none,
   * because a bridge without the call may answer the same.
   */
  async accountInformation(
    login: number,
    signal?: AbortSignal,
  ): Promise<AccountInformation | undefined> {
    const account = await firstOf(
      () => this.#account(login, signal),
      () => this.#accountOfParts(login, signal),
    );
    return account ?? this.#accountOfParts(login, signal);
  }

  async #accountOfParts(
    login: number,
    signal: AbortSignal | undefined,
  ): Promise<AccountInformation | undefined> {
    const states = (
      await Array.fromAsync(this.#states.readStates({ logins: [login] }, signal))
    ).flat();
    const state = states.find((each) => each.login === login);
    if (!state || 'fault' in state) return undefined;
    const user = await firstOf<PlatformUser | undefined>(
      () => this.user(login, signal),
      async () => undefined,
    );
    const groups = await firstOf<PlatformGroup[]>(
      () => this.groups(signal),
      async () => [],
    );
    const { name = '', group = '', leverage = '0' } = user ?? {};
    return {
      ...{ ...state, platform: 'mt4', broker: '', name, leverage: Number(leverage) },
      currency: groups.find((each) => each.name === group)?.currency ?? '',
      marginLevel: marginLevel(state.equity, state.margin),
      tradeAllowed: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    };
  }

  async #account(
    login: number,
    signal: AbortSignal | undefined,
  ): Promise<AccountInformation | undefined> {
    const call = { method: 'GET', path: `/accounts/${login}`, signal } as const;
    const account = await this.#client.call(bridgeAccount, call);
    if (!account) return undefined;
    const { margin, equity } = account;
    return {
      platform: 'mt4',
      broker: account.company,
      currency: account.currency,
      balance: account.balance,
      equity,
      margin,
      freeMargin: account.freeMargin,
      leverage: account.leverage,
      tradeAllowed: account.tradeAllowed,
      name: account.name,
      login: account.login,
      credit: account.credit,
      marginLevel: marginLevel(equity, margin),
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    };
  }

  async createUser(
    user: NewPlatformUser,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<CreatedUser> {
    // A p4 server knows lead sources, but no campaigns.
    const { clientId, leadCampaign: _, repeated: __, nameParts: ___, ...record } = user;
    const created = await this.#client.call(bridgeCreated, {
      method: 'POST',
      path: '/users',
      body: { ...record, ...(clientId === undefined ? {} : { id: String(clientId) }) },
      idempotencyKey: requestId,
      signal,
    });
    if (!created) throw new PlatformError('unsupported', 'The p4 bridge cannot open accounts');
    return { login: String(created.login) };
  }

  async deals(query: DealQuery, signal?: AbortSignal): Promise<Deal[]> {
    return dealsOfOrders(await this.#states.orders(query, signal), query);
  }

  async positions(login: number, signal?: AbortSignal): Promise<PlatformPosition[]> {
    const query = { login: String(login) };
    const read: ReadPage<BridgePosition> = (call) => this.#client.call(bridgePositions, call);
    const positions = await this.#reader.list(read, '/positions', query, signal);
    return positions.map((position) => ({
      positionId: String(position.order),
      symbol: position.symbol,
      type: position.type === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      volume: position.lots,
      openPrice: position.openPrice,
      currentPrice: position.currentPrice,
      profit: position.profit,
      swap: position.swap,
      openTimeMs: readBrokerTime(position.openTime),
    }));
  }

  async pendingOrders(login: number, signal?: AbortSignal): Promise<PendingOrder[]> {
    const query = { login: String(login) };
    const read: ReadPage<BridgePendingOrder> = (call) =>
      this.#client.call(bridgePendingOrders, call);
    const orders = await this.#reader.list(read, '/pending-orders', query, signal);
    return orders.map(({ order, type, symbol, lots, price }) => ({
      ...{ orderId: String(order), symbol, volume: lots, price },
      type: `ORDER_TYPE_${type.toUpperCase().replace('-', '_')}`,
    }));
  }

  settings(login: number, signal?: AbortSignal): Promise<AccountSettings | undefined> {
    return readSettings(this.#client, login, signal);
  }

  changeSettings(
    login: number,
    change: Partial<AccountSettings>,
    signal?: AbortSignal,
  ): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
    return changeSettings(this.#client, login, change, signal);
  }

  setPassword(password: AccountPassword, signal?: AbortSignal): Promise<void> {
    return setPassword(this.#client, password, signal);
  }

  checkPassword(password: AccountPassword, signal?: AbortSignal): Promise<boolean | undefined> {
    return checkPassword(this.#client, password, signal);
  }

  balanceOperation(operation: BalanceOperation, signal?: AbortSignal): Promise<{ dealId: string }> {
    return balanceOperation(this.#client, operation, signal);
  }

  closePositions(
    login: number,
    ids: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<ClosingOutcome> {
    return closeAll(this.#client, { kind: 'position', login, ...(ids ? { ids } : {}) }, signal);
  }

  cancelOrders(
    login: number,
    ids: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<ClosingOutcome> {
    return closeAll(this.#client, { kind: 'order', login, ...(ids ? { ids } : {}) }, signal);
  }

  readStates(
    selection: Selection,
    signal?: AbortSignal,
  ): AsyncIterable<(LoginState | LoginFault)[]> {
    return this.#states.readStates(selection, signal);
  }

  readDeals(query: DealsQuery, signal?: AbortSignal): AsyncIterable<(LoginDeals | LoginFault)[]> {
    return this.#states.readDeals(query, signal);
  }

  countDeals(
    query: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>,
    signal?: AbortSignal,
  ): Promise<number> {
    return this.#states.count(query, signal);
  }

  async market(
    login: number,
    symbol: string,
    signal?: AbortSignal,
  ): Promise<PlatformMarket | undefined> {
    const query = new URLSearchParams({ login: String(login), symbol });
    const call = { method: 'GET', path: `/market?${query}`, signal } as const;
    const market = await this.#client.call(bridgeMarket, call);
    return (
      market && {
        symbols: market.symbols,
        quotes: market.quotes.map(({ symbol: name, bid, ask, brokerTime }) => ({
          symbol: name,
          bid,
          ask,
          brokerTimeMs: readBrokerTime(brokerTime),
        })),
      }
    );
  }

  async addedMargin(): Promise<number> {
    throw new PlatformError('unsupported', 'a p4 platform cannot be asked for margin');
  }

  async close(): Promise<void> {
    this.#client.close();
  }
}

/** Field by field: a bridge may send more than clients should see. */
function platformUser(user: BridgeUser): PlatformUser {
  return {
    login: String(user.login),
    address: user.address,
    balance: user.balance,
    city: user.city,
    country: user.country,
    email: user.email,
    group: user.group,
    leverage: String(user.leverage),
    name: user.name,
    phone: user.phone,
    state: user.state,
    zip: user.zip,
    clientId: user.id,
    leadSource: user.leadSource,
    leadCampaign: '',
  };
}
