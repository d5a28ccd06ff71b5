import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Deal } from '../domain/deal.ts';

/**
 * What Plimsoll needs of a trading platform, whichever protocol reaches it. One gateway serves one
 * provisioning profile. Every call may throw PlatformError and nothing else; every call ends within
 * the gateway's own time-outs and honours the signal.
 */
export interface Gateway {
  readonly platform: 'p4' | 'p5';
  /** Connects where needed and proves that the platform answers; its wall clock right now. */
  check(signal?: AbortSignal): Promise<{ brokerTimeMs: BrokerTimeMs }>;
  /** Symbols of a security group (p4: 0–31), all when no group is given. */
  symbols(group: number | undefined, signal?: AbortSignal): Promise<PlatformSymbol[]>;
  user(login: number, signal?: AbortSignal): Promise<PlatformUser | undefined>;
  /** Users of exactly one group; none when the group is empty or unknown. */
  usersOfGroup(group: string, signal?: AbortSignal): Promise<PlatformUser[]>;
  accountInformation(login: number, signal?: AbortSignal): Promise<AccountInformation | undefined>;
  /**
   * Opens an account. `requestId` names the attempt: where the platform can store it, a repeated call
   * with the same id finds the account that the first one opened instead of opening another.
   */
  createUser(user: NewPlatformUser, requestId: string, signal?: AbortSignal): Promise<CreatedUser>;
  /**
   * Deals of one login with fromMs ≤ time < toMs in broker time, oldest first, money in units of
   * 10^-moneyDigits. Pages internally. p4 orders come when they are closed, as two deals
   * `<ticket>-in` and `<ticket>-out`: both where the closing time is in the range, so that the
   * opening deal may be older than fromMs.
   */
  deals(query: DealQuery, signal?: AbortSignal): Promise<Deal[]>;
  /**
   * States and deals of many logins in a few requests, where the platform can; without it logins are
   * read one by one, as they are when it throws `unsupported`. Holds those logins only whose state and
   * deals are of the same moment.
   */
  readMany?(query: ManyQuery, signal?: AbortSignal): Promise<Map<number, LoginReading>>;
  positions(login: number, signal?: AbortSignal): Promise<PlatformPosition[]>;
  /** Symbol settings and quotes that the margin of an order of this login needs; undefined: no such login. */
  market(login: number, symbol: string, signal?: AbortSignal): Promise<PlatformMarket | undefined>;
  close(): Promise<void>;
}

export type DealQuery = {
  login: number;
  fromMs: BrokerTimeMs;
  toMs: BrokerTimeMs;
  moneyDigits: number;
};

/** Deals as in DealQuery; `moneyDigits` are those of each login's currency. */
export type ManyQuery = {
  logins: readonly { login: number; moneyDigits: number }[];
  fromMs: BrokerTimeMs;
  toMs: BrokerTimeMs;
};

export type PlatformAccountState = Pick<
  AccountInformation,
  'balance' | 'equity' | 'margin' | 'freeMargin' | 'credit'
>;

export type LoginReading = { state: PlatformAccountState; deals: Deal[] };

/** The settings of a symbol as the wire of operation 2 shows them. Times in ms, numbers plain. */
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
  /** Percent; absent while no margin is used. */
  marginLevel?: number | undefined;
  tradeAllowed: boolean;
  marginMode: string;
  name: string;
  login: number;
  credit: number;
};

export type NewPlatformUser = {
  name: string;
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
  /** The same request id was tried before and its answer got lost: look for its account first. */
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

/** The record that `PUT …/market` takes, so that both sources feed the same margin calculation. */
export type PlatformMarket = {
  symbols: PlatformMarginSymbol[];
  quotes: { symbol: string; bid: number; ask: number; brokerTimeMs: BrokerTimeMs }[];
};

export type PlatformMarginSymbol = {
  symbol: string;
  marginMode: string;
  contractSize: number;
  currencyBase: string;
  currencyProfit: string;
  currencyMargin: string;
  digits: number;
  volumeMin: number;
  volumeMax: number;
  volumeStep: number;
  tickSize?: number | undefined;
  tickValue?: number | undefined;
  marginInitial?: number | undefined;
  marginMaintenance?: number | undefined;
  marginHedged?: number | undefined;
  marginRates?: Record<string, number> | undefined;
  percentage?: number | undefined;
  faceValue?: number | undefined;
  /** p5 FORTS futures: clearing price of the last session. */
  priceSettle?: number | undefined;
  /** p5 FORTS futures: radius in percent in which the contract's currency may move. */
  marginCurrencyRate?: number | undefined;
};

/**
 * invalid: the platform refused the values (bad group, password, leverage …): the caller's fault.
 * denied: the profile's own login was refused or lacks a right. unavailable: network, time-out,
 * overload; `retryAfterSeconds` tells when to try again. unsupported: this platform has no such call.
 */
export type PlatformErrorCode = 'invalid' | 'denied' | 'unavailable' | 'unsupported';

export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: PlatformErrorCode;
  readonly retryAfterSeconds: number | undefined;
  constructor(
    code: PlatformErrorCode,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number },
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}
