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

  async check(): Promise<{ brokerTimeMs: BrokerTimeMs }> {
    const health = await this.#reader.saneHealth();
    return { brokerTimeMs: readBrokerTime(health.brokerTime) };
  }

  groups(): Promise<PlatformGroup[]> {
    const read: ReadPage<PlatformGroup> = (call) => this.#client.call(bridgeGroups, call);
    return this.#reader.list(read, '/groups', {});
  }

  async p5Symbols(): Promise<Platform5Symbol[]> {
    throw new PlatformError('unsupported', 'a p4 platform lists its symbols by security group');
  }

  symbols(group: number | undefined): Promise<PlatformSymbol[]> {
    const query = group === undefined ? {} : { group: String(group) };
    const read: ReadPage<PlatformSymbol> = (call) => this.#client.call(bridgeSymbols, call);
    return this.#reader.list(read, '/symbols', query);
  }

  async user(login: number): Promise<PlatformUser | undefined> {
    const user = await this.#client.call(bridgeUser, {
      method: 'GET',
      path: `/users/${login}`,
    });
    return user && platformUser(user);
  }

  async usersOfGroup(group: string): Promise<PlatformUser[]> {
    const read: ReadPage<BridgeUser> = (call) => this.#client.call(bridgeUsers, call);
    const users = await this.#reader.list(read, '/users', { group });
    return users.filter((user) => user.group === group).map(platformUser);
  }

  /**
   * Without `GET /accounts/{login}`, from the state, the user and the group; also if it finds none,
   * because a bridge without the call may answer the same.
   */
  async accountInformation(login: number): Promise<AccountInformation | undefined> {
    const account = await firstOf(
      () => this.#account(login),
      () => this.#accountOfParts(login),
    );
    return account ?? this.#accountOfParts(login);
  }

  async #accountOfParts(login: number): Promise<AccountInformation | undefined> {
    const states = (await Array.fromAsync(this.#states.readStates({ logins: [login] }))).flat();
    const state = states.find((each) => each.login === login);
    if (!state || 'fault' in state) return undefined;
    const user = await firstOf<PlatformUser | undefined>(
      () => this.user(login),
      async () => undefined,
    );
    const groups = await firstOf<PlatformGroup[]>(
      () => this.groups(),
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

  async #account(login: number): Promise<AccountInformation | undefined> {
    const call = { method: 'GET', path: `/accounts/${login}` } as const;
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

  async createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser> {
    // A p4 server knows lead sources, but no campaigns.
    const { clientId, leadCampaign: _, repeated: __, nameParts: ___, ...record } = user;
    const created = await this.#client.call(bridgeCreated, {
      method: 'POST',
      path: '/users',
      body: { ...record, ...(clientId === undefined ? {} : { id: String(clientId) }) },
      idempotencyKey: requestId,
    });
    if (!created) throw new PlatformError('unsupported', 'The p4 bridge cannot open accounts');
    return { login: String(created.login) };
  }

  async deals(query: DealQuery): Promise<Deal[]> {
    return dealsOfOrders(await this.#states.orders(query), query);
  }

  async positions(login: number): Promise<PlatformPosition[]> {
    const query = { login: String(login) };
    const read: ReadPage<BridgePosition> = (call) => this.#client.call(bridgePositions, call);
    const positions = await this.#reader.list(read, '/positions', query);
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

  async pendingOrders(login: number): Promise<PendingOrder[]> {
    const query = { login: String(login) };
    const read: ReadPage<BridgePendingOrder> = (call) =>
      this.#client.call(bridgePendingOrders, call);
    const orders = await this.#reader.list(read, '/pending-orders', query);
    return orders.map(({ order, type, symbol, lots, price }) => ({
      ...{ orderId: String(order), symbol, volume: lots, price },
      type: `ORDER_TYPE_${type.toUpperCase().replace('-', '_')}`,
    }));
  }

  settings(login: number): Promise<AccountSettings | undefined> {
    return readSettings(this.#client, login);
  }

  changeSettings(
    login: number,
    change: Partial<AccountSettings>,
  ): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
    return changeSettings(this.#client, login, change);
  }

  setPassword(password: AccountPassword): Promise<void> {
    return setPassword(this.#client, password);
  }

  checkPassword(password: AccountPassword): Promise<boolean | undefined> {
    return checkPassword(this.#client, password);
  }

  balanceOperation(operation: BalanceOperation): Promise<{ dealId: string }> {
    return balanceOperation(this.#client, operation);
  }

  closePositions(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    return closeAll(this.#client, { kind: 'position', login, ...(ids ? { ids } : {}) });
  }

  cancelOrders(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    return closeAll(this.#client, { kind: 'order', login, ...(ids ? { ids } : {}) });
  }

  readStates(selection: Selection): AsyncIterable<(LoginState | LoginFault)[]> {
    return this.#states.readStates(selection);
  }

  readDeals(query: DealsQuery): AsyncIterable<(LoginDeals | LoginFault)[]> {
    return this.#states.readDeals(query);
  }

  countDeals(query: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<number> {
    return this.#states.count(query);
  }

  async market(login: number, symbol: string): Promise<PlatformMarket | undefined> {
    const query = new URLSearchParams({ login: String(login), symbol });
    const call = { method: 'GET', path: `/market?${query}` } as const;
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
