import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Deal } from '../domain/deal.ts';
import type { SymbolRecord } from '../domain/margin/read-market.ts';
import type { OrderType, PasswordKind, Platform } from '../words/accounts.ts';
import type { BALANCE_OPERATIONS } from '../words/deals.ts';

/**
 * The operations that Plimsoll needs of a trading platform, for any protocol. One gateway serves
 * one provisioning profile. Calls throw only PlatformError; every call ends within the gateway's
 * own time-outs.
 */
export interface Gateway extends PlatformReads, PlatformActions {
  readonly platform: Platform;
  close(): Promise<void>;
}

interface PlatformReads {
  /** Connects where needed and proves that the platform answers; returns its wall clock. */
  check(): Promise<{ brokerTimeMs: BrokerTimeMs }>;
  /** Groups of accounts that the profile's login sees, in the platform's order. */
  groups(): Promise<PlatformGroup[]>;
  /** p4 only: symbols of a security group (0–31), all when no group is given. */
  symbols(group: number | undefined): Promise<PlatformSymbol[]>;
  /** p5 only: symbols by masks of their paths (`Forex\*,!Forex\EURUSD`), all without. */
  p5Symbols(mask: string | undefined): Promise<Platform5Symbol[]>;
  user(login: number): Promise<PlatformUser | undefined>;
  /** Users of exactly one group; none when the group is empty or unknown. */
  usersOfGroup(group: string): Promise<PlatformUser[]>;
  accountInformation(login: number): Promise<AccountInformation | undefined>;
  /** The rights and the group of a login, as on the platform now. */
  settings(login: number): Promise<AccountSettings | undefined>;
  positions(login: number): Promise<PlatformPosition[]>;
  /** Orders that wait for their price. */
  pendingOrders(login: number): Promise<PendingOrder[]>;
  /**
   * Symbol settings and quotes needed for the margin of an order of this login; undefined: no such
   * login.
   */
  market(login: number, symbol: string): Promise<PlatformMarket | undefined>;
  /**
   * What an order would add to the margin of its login, as the platform itself calculates it with
   * all that the login holds: 0 or less for one that covers. Throws `unsupported` where the
   * platform cannot be asked.
   */
  addedMargin(order: PlatformOrder): Promise<number>;
  /**
   * Deals of one login with fromMs ≤ time < toMs in broker time, oldest first, money in units of
   * 10^-moneyDigits. Pages internally. p4 orders appear when closed, as two deals `<ticket>-in` and
   * `<ticket>-out`: both if the closing time is in the range, so that the opening deal may be older
   * than fromMs.
   */
  deals(query: DealQuery): Promise<Deal[]>;
  /**
   * Number of a login's bookings on the platform in a range: the deals of `deals`, without p4
   * opening deals. Both ends in whole seconds. Compared with the stored number, it proves a range
   * complete or shows that it must be read again.
   */
  countDeals(query: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<number>;
  /**
   * States of very many logins, batch by batch as they arrive, several requests at a time; one by
   * one if the platform only has single calls. By groups, accounts without a trading state on the
   * platform may be left out: idle ones on p5.
   */
  readStates(selection: Selection): AsyncIterable<(LoginState | LoginFault)[]>;
  /**
   * Deals of very many logins in a short range, batch by batch. Logins without deals are left out,
   * as are those unknown to `moneyDigits`.
   */
  readDeals(query: DealsQuery): AsyncIterable<(LoginDeals | LoginFault)[]>;
  /** Whether the password is the account's; undefined if the platform can't check it. */
  checkPassword(password: AccountPassword): Promise<boolean | undefined>;
}

/** Each takes effect completely or not at all: a lost answer is looked up before a retry. */
interface PlatformActions {
  /**
   * Opens an account. `requestId` names the attempt: if the platform can store it, a repeated call
   * with the same id finds the account opened by the first instead of opening another.
   */
  createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser>;
  /**
   * Changes only the given fields, and reads them back. `alsoChanged` lists other fields that
   * changed, too. Throws `invalid` for an unknown login and for values not accepted.
   */
  changeSettings(
    login: number,
    change: Partial<AccountSettings>,
  ): Promise<{ settings: AccountSettings; alsoChanged: string[] }>;
  /** Sets a password of an account; repeating it changes nothing. */
  setPassword(password: AccountPassword): Promise<void>;
  /**
   * Moves money on or off an account, once for each `requestId`: an earlier one is found by its
   * mark on the platform.
   */
  balanceOperation(operation: BalanceOperation): Promise<{ dealId: string }>;
  /** Closes open positions at the market, all of the login or those named. */
  closePositions(
    login: number,
    positionIds: readonly string[] | undefined,
  ): Promise<ClosingOutcome>;
  /** Cancels orders that wait for their price, all of the login or those named. */
  cancelOrders(login: number, orderIds: readonly string[] | undefined): Promise<ClosingOutcome>;
}

export type PlatformGroup = { name: string; currency: string };

/** Whether its holder may log in. */
export type AccountSettings = {
  /** Whether its holder may log in. */
  enabled: boolean;
  /** Whether its holder may trade. */
  tradingEnabled: boolean;
  group: string;
  leverage: number;
};

export type AccountPassword = { login: number; kind: PasswordKind; password: string };

export type BalanceOperation = {
  login: number;
  type: (typeof BALANCE_OPERATIONS)[number];
  /** In the account's currency; negative takes money away. */
  amount: number;
  /** Shown to the account's holder, before the mark; platforms cut it to about 15 characters. */
  comment?: string | undefined;
  requestId: string;
  /** When this id was first sent, in UTC: now, unless it is a repetition. */
  firstSentMs: number;
};

export type PendingOrder = {
  orderId: string;
  symbol: string;
  /** ORDER_TYPE_… */
  type: string;
  /** Lots. */
  volume: number;
  price: number;
};

/** Ids of positions or orders. Those already gone count as done. */
export type ClosingOutcome = { done: string[]; failed: { id: string; message: string }[] };

/** Accounts by their logins, or all of some groups (exact names or masks). */
export type Selection = { logins: readonly number[] } | { groups: readonly string[] };

export type LoginState = PlatformAccountState & { login: number };
export type LoginDeals = { login: number; deals: Deal[] };
/** The platform's data of a login can't be understood: `fault` says why. */
export type LoginFault = { login: number; fault: string };

export type DealsQuery = {
  selection: Selection;
  fromMs: BrokerTimeMs;
  toMs: BrokerTimeMs;
  /** Those of the login's currency; undefined: this login is not wanted. */
  moneyDigits: (login: number) => number | undefined;
};

export type DealQuery = {
  login: number;
  fromMs: BrokerTimeMs;
  toMs: BrokerTimeMs;
  moneyDigits: number;
};

export type PlatformAccountState = Pick<
  AccountInformation,
  'balance' | 'equity' | 'margin' | 'freeMargin' | 'credit'
>;

/** The settings of a symbol as answered by operation 2. Times in ms, numbers plain. */
export type PlatformSymbol = {
  symbol: string;
  description: string;
  source: string;
  currency: string;
  /** Index of the security group. */
  type: number;
  tickSize: number;
  tickValue: number;
  digits: number;
  marginMode: string;
  profitMode: string;
  freezeLevel: number;
  point: number;
  multiply: number;
  bidTickValue: number;
  askTickValue: number;
  stopsLevel: number;
  /** Epoch time in milliseconds; 0: never. */
  expiration: number;
  tradeMode: string;
};

/** Data of a p5 symbol for users. Volumes in lots, sizes plain, times in ms. */
export type Platform5Symbol = {
  symbol: string;
  /** Its path in the platform's tree, including its name. */
  path: string;
  description: string;
  currencyBase: string;
  currencyProfit: string;
  currencyMargin: string;
  digits: number;
  contractSize: number;
  /** Word of its margin mode, as in `PUT …/market`. */
  marginMode: string;
  /** SYMBOL_TRADE_MODE_… */
  tradeMode: string;
  volumeMin: number;
  volumeMax: number;
  volumeStep: number;
  tickSize: number;
  tickValue: number;
  /** Epoch time in milliseconds; 0: never. */
  expiration: number;
};

/** A client record; all strings, as both platforms' managers print them. */
export type PlatformUser = {
  login: string;
  address: string;
  balance: string;
  city: string;
  country: string;
  email: string;
  group: string;
  leverage: string;
  name: string;
  phone: string;
  state: string;
  zip: string;
  clientId: string;
  leadSource: string;
  leadCampaign: string;
};

export type AccountInformation = {
  platform: 'mt4' | 'mt5';
  broker: string;
  currency: string;
  balance: number;
  equity: number;
  margin: number;
  freeMargin: number;
  leverage: number;
  /** Percent; 0 while no margin is used. */
  marginLevel: number;
  tradeAllowed: boolean;
  marginMode: string;
  name: string;
  login: number;
  credit: number;
};

export type NewPlatformUser = {
  name: string;
  /** Likewise in parts, if they are known. */
  nameParts?: { first: string; middle: string; last: string } | undefined;
  email: string;
  group: string;
  leverage: number;
  address?: string | undefined;
  city?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  leadSource?: string | undefined;
  leadCampaign?: string | undefined;
  clientId?: number | undefined;
  enabled: boolean;
  password: string;
  investorPassword: string;
  /** This request id was tried before and its answer was lost: look for its account first. */
  repeated?: boolean | undefined;
};

export type CreatedUser = { login: string };

export type PlatformPosition = {
  positionId: string;
  symbol: string;
  type: 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL';
  /** Lots. */
  volume: number;
  openPrice: number;
  currentPrice: number;
  profit: number;
  swap: number;
  openTimeMs: BrokerTimeMs;
};

/** An order that is asked about; volume in lots. */
export type PlatformOrder = {
  login: number;
  symbol: string;
  type: OrderType;
  volume: number;
  openPrice: number;
};

/** The record of `PUT …/market`, so that both sources serve one margin calculation. */
export type PlatformMarket = {
  symbols: SymbolRecord[];
  quotes: { symbol: string; bid: number; ask: number; brokerTimeMs: BrokerTimeMs }[];
  /** Why a margin by these would not be the platform's own. */
  doubt?: string | undefined;
};

/**
 * invalid: the platform refused the values (bad group, password, leverage …): the caller's fault.
 * denied: the profile's own login was refused, so that nothing works until a person repairs it.
 * forbidden: it lacks the right for this one call. unavailable: network, time-out, overload;
 * `retryAfterSeconds` says when to retry. unsupported: this platform has no such call.
 */
export type PlatformErrorCode = 'invalid' | 'denied' | 'forbidden' | 'unavailable' | 'unsupported';

export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: PlatformErrorCode;
  readonly retryAfterSeconds: number | undefined;
  /** The call may have taken effect: the platform must be asked before it is repeated. */
  readonly outcomeUnknown: boolean;
  constructor(
    code: PlatformErrorCode,
    message: string,
    options: ErrorOptions & { retryAfterSeconds?: number; outcomeUnknown?: boolean } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}
