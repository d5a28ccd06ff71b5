import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { compareDeals, type Deal } from '../../domain/deal.ts';
import { currencyDigits, fromUnits, moneyDigits, toUnits } from '../../domain/money.ts';
import type {
  AccountInformation,
  CreatedUser,
  DealQuery,
  Gateway,
  LoginReading,
  ManyQuery,
  NewPlatformUser,
  PlatformMarket,
  PlatformPosition,
  PlatformSymbol,
  PlatformUser,
} from '../gateway.ts';
import { PlatformError } from '../gateway.ts';
import type { SimulatedAccount } from './account.ts';
import { platformUser } from './account.ts';
import type { SimulatedBroker } from './broker.ts';
import type { BrokerCalendar } from './calendar.ts';
import { bookedDeals } from './deals.ts';
import type { Ledger } from './ledger.ts';
import { accountMargin } from './live-snapshots.ts';
import { platformMarket, platformSymbol } from './market.ts';

/** The gateway to a simulated broker; it answers at once and is never unavailable. */
export class SimulatedGateway implements Gateway {
  readonly platform: 'p4' | 'p5';
  readonly broker: SimulatedBroker;

  constructor(broker: SimulatedBroker) {
    this.platform = broker.family;
    this.broker = broker;
  }

  async check(signal?: AbortSignal): Promise<{ brokerTimeMs: BrokerTimeMs }> {
    throwIfAborted(signal);
    return { brokerTimeMs: this.broker.calendar.brokerTime(this.broker.now()) };
  }

  async symbols(group: number | undefined, signal?: AbortSignal): Promise<PlatformSymbol[]> {
    throwIfAborted(signal);
    const { instruments, quotes } = this.broker;
    const utcMs = this.broker.now();
    return instruments
      .filter((each) => group === undefined || each.securityGroup === group)
      .map((each) => platformSymbol(each, quotes, utcMs));
  }

  async user(login: number, signal?: AbortSignal): Promise<PlatformUser | undefined> {
    throwIfAborted(signal);
    const account = this.broker.account(login);
    return account && this.#user(account, this.broker.now());
  }

  async usersOfGroup(group: string, signal?: AbortSignal): Promise<PlatformUser[]> {
    const utcMs = this.broker.now();
    const users: PlatformUser[] = [];
    for (const account of this.broker.accountsOfGroup(group)) {
      throwIfAborted(signal);
      users.push(this.#user(account, utcMs));
      // The first look at an account works out months of trading: let others have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return users;
  }

  async accountInformation(
    login: number,
    signal?: AbortSignal,
  ): Promise<AccountInformation | undefined> {
    throwIfAborted(signal);
    return this.#information(login, this.broker.now());
  }

  async createUser(
    user: NewPlatformUser,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<CreatedUser> {
    throwIfAborted(signal);
    return this.broker.createUser(user, requestId);
  }

  async deals(query: DealQuery, signal?: AbortSignal): Promise<Deal[]> {
    throwIfAborted(signal);
    const ledger = this.broker.ledger(query.login, this.broker.now());
    if (!ledger) throw new PlatformError('invalid', `There is no login ${query.login}`);
    return dealsIn(ledger, this.broker.calendar, query);
  }

  async readMany(
    { logins, fromMs, toMs }: ManyQuery,
    signal?: AbortSignal,
  ): Promise<Map<number, LoginReading>> {
    throwIfAborted(signal);
    const utcMs = this.broker.now();
    const readings = new Map<number, LoginReading>();
    for (const { login, moneyDigits: digits } of logins) {
      const ledger = this.broker.ledger(login, utcMs);
      const information = this.#information(login, utcMs);
      if (!ledger || !information) continue;
      const { balance, equity, margin, freeMargin, credit } = information;
      const query = { fromMs, toMs, moneyDigits: digits };
      const deals = dealsIn(ledger, this.broker.calendar, query);
      readings.set(login, { state: { balance, equity, margin, freeMargin, credit }, deals });
    }
    return readings;
  }

  async positions(login: number, signal?: AbortSignal): Promise<PlatformPosition[]> {
    throwIfAborted(signal);
    const account = this.broker.account(login);
    const state = this.broker.state(login, this.broker.now());
    if (!account || !state) throw new PlatformError('invalid', `There is no login ${login}`);
    const plain = (units: number) => fromUnits(units, moneyDigits(account.group.currency));
    return state.positions.map(({ ticket, position, lots, currentPrice, profit, swap }) => ({
      positionId: ticket,
      symbol: position.instrument.symbol,
      type: position.side === 1 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      volume: lots,
      openPrice: position.openPrice,
      currentPrice,
      profit: plain(profit),
      swap: plain(swap),
      openTimeMs: this.broker.calendar.brokerTime(position.openUtcMs),
    }));
  }

  async market(
    login: number,
    symbol: string,
    signal?: AbortSignal,
  ): Promise<PlatformMarket | undefined> {
    throwIfAborted(signal);
    if (!this.broker.account(login)) return undefined;
    const { instruments, quotes, calendar } = this.broker;
    return platformMarket(instruments, symbol, quotes, calendar, this.broker.now());
  }

  async close(): Promise<void> {}

  #information(login: number, utcMs: number): AccountInformation | undefined {
    const account = this.broker.account(login);
    const state = this.broker.state(login, utcMs);
    if (!account || !state) return undefined;
    const { currency, marginMode } = account.group;
    const margin = accountMargin(this.broker, account, state);
    const plain = (units: number) => fromUnits(units, moneyDigits(currency));
    return {
      platform: this.platform === 'p4' ? 'mt4' : 'mt5',
      broker: 'Plimsoll Simulated Markets',
      currency,
      balance: plain(state.balance),
      equity: plain(state.equity),
      margin: plain(margin),
      freeMargin: plain(state.equity - margin),
      leverage: account.leverage,
      ...(margin > 0 ? { marginLevel: toUnits((state.equity / margin) * 100, 2) / 100 } : {}),
      tradeAllowed: account.enabled,
      marginMode,
      name: account.holder.name,
      login,
      credit: plain(state.credit),
    };
  }

  #user(account: SimulatedAccount, utcMs: number): PlatformUser {
    const { currency } = account.group;
    const balance = this.broker.ledger(account.login, utcMs)?.balanceAt(utcMs).balance ?? 0;
    const plain = fromUnits(balance, moneyDigits(currency));
    return platformUser(account, plain.toFixed(currencyDigits(currency)));
  }
}

/** The deals that the account felt in a range of broker time, money in other digits. */
function dealsIn(
  ledger: Ledger,
  calendar: BrokerCalendar,
  query: Omit<DealQuery, 'login'>,
): Deal[] {
  const digits = moneyDigits(ledger.account.group.currency);
  const held = (units: number) =>
    digits === query.moneyDigits ? units : toUnits(fromUnits(units, digits), query.moneyDigits);
  return bookedDeals(ledger, calendar)
    .filter(({ utcMs }) => {
      const timeMs = calendar.brokerTime(utcMs);
      return timeMs >= query.fromMs && timeMs < query.toMs;
    })
    .map(({ deal }) => ({
      ...deal,
      profit: held(deal.profit),
      swap: held(deal.swap),
      commission: held(deal.commission),
    }))
    .sort(compareDeals);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new PlatformError('unavailable', 'The call was called off', { cause: signal.reason });
}
