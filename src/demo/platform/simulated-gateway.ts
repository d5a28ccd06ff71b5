import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { compareDeals, type Deal } from '../../domain/deal.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { currencyDigits, fromUnits, fromVolume, moneyDigits, toUnits } from '../../domain/money.ts';
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
} from '../../platforms/gateway.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import { marginLevel } from '../../platforms/margin-level.ts';
import { matchesMasks } from '../../platforms/masks.ts';
import { markedComment, operationMark } from '../../platforms/operation-mark.ts';
import type { Platform } from '../../words/accounts.ts';
import type { SimulatedAccount } from './account.ts';
import { platformUser } from './account.ts';
import { accountMargin } from './account-margin.ts';
import type { SimulatedBroker } from './broker.ts';
import type { BrokerCalendar } from './calendar.ts';
import { bookedDeals } from './deals.ts';
import type { Ledger } from './ledger.ts';
import { platform5Symbol, platformMarket, platformSymbol } from './market.ts';

/** Accounts of one batch of states. */
const BATCH = 20;

/** The gateway to a simulated broker; it answers at once. */
export class SimulatedGateway implements Gateway {
  readonly platform: Platform;
  readonly broker: SimulatedBroker;

  constructor(broker: SimulatedBroker) {
    this.platform = broker.family;
    this.broker = broker;
  }

  async check(): Promise<{ brokerTimeMs: BrokerTimeMs }> {
    return { brokerTimeMs: this.broker.calendar.brokerTime(this.broker.now()) };
  }

  async groups(): Promise<PlatformGroup[]> {
    return this.broker.groups.map(({ name, currency }) => ({ name, currency }));
  }

  async symbols(group: number | undefined): Promise<PlatformSymbol[]> {
    const { instruments, quotes } = this.broker;
    const utcMs = this.broker.now();
    return instruments
      .filter((each) => group === undefined || each.securityGroup === group)
      .map((each) => platformSymbol(each, quotes, utcMs));
  }

  async p5Symbols(mask: string | undefined): Promise<Platform5Symbol[]> {
    if (this.platform === 'p4')
      throw new PlatformError('unsupported', 'a p4 platform lists its symbols by security group');
    const symbols = this.broker.instruments.map(platform5Symbol);
    return mask === undefined ? symbols : symbols.filter(({ path }) => matchesMasks(path, mask));
  }

  async user(login: number): Promise<PlatformUser | undefined> {
    await this.broker.refresh();
    const account = this.broker.account(login);
    return account && (await this.#user(account));
  }

  async usersOfGroup(group: string): Promise<PlatformUser[]> {
    await this.broker.refresh();
    const users: PlatformUser[] = [];
    for (const account of this.broker.accounts()) {
      if (account.group.name !== group) continue;
      users.push(await this.#user(account));
    }
    return users;
  }

  async accountInformation(login: number): Promise<AccountInformation | undefined> {
    await this.broker.refresh();
    return this.#information(login);
  }

  async settings(login: number): Promise<AccountSettings | undefined> {
    await this.broker.refresh();
    const account = this.broker.account(login);
    return account && settingsOf(account);
  }

  async createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser> {
    return this.broker.createUser(user, requestId);
  }

  async changeSettings(
    login: number,
    change: Partial<AccountSettings>,
  ): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
    await this.broker.operate(login, () => ({ kind: 'settings', login, ...change }));
    const account = this.broker.account(login);
    if (!account) throw new PlatformError('invalid', `there is no login ${login}`);
    return { settings: settingsOf(account), alsoChanged: [] };
  }

  async setPassword(password: AccountPassword): Promise<void> {
    await this.broker.setPassword(password);
  }

  async checkPassword(password: AccountPassword): Promise<boolean> {
    await this.broker.refresh();
    return this.broker.checkPassword(password);
  }

  async balanceOperation({
    login,
    type,
    amount,
    comment,
    requestId,
  }: BalanceOperation): Promise<{ dealId: string }> {
    const mark = operationMark(requestId);
    const find = (ledger: Ledger) => ledger.cash.find((entry) => entry.comment.endsWith(mark));
    await this.broker.operate(login, (ledger) => {
      const done = find(ledger);
      if (!done)
        return { kind: 'cash', login, type, amount, comment: markedComment(comment, requestId) };
      if (done.type !== type || done.amount !== ledger.valuation.money(amount))
        throw new PlatformError('invalid', 'this id was used for an operation with another amount');
      return undefined;
    });
    const ledger = await this.broker.ledger(login, this.broker.moment(login));
    const entry = ledger && find(ledger);
    if (!entry) throw new PlatformError('invalid', 'the platform does not accept this amount');
    return { dealId: String(entry.ticket) };
  }

  async closePositions(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    let tickets: number[] = [];
    await this.broker.operate(login, (_, { positions }) => {
      tickets = chosen(
        positions.map(({ ticket }) => ticket),
        ids,
      );
      return tickets.length === 0 ? undefined : { kind: 'close', login, tickets };
    });
    return { done: [...(ids ?? tickets.map(String))], failed: [] };
  }

  async cancelOrders(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    let tickets: number[] = [];
    await this.broker.operate(login, ({ waiting }) => {
      tickets = chosen(
        waiting.map(({ ticket }) => String(ticket)),
        ids,
      );
      return tickets.length === 0 ? undefined : { kind: 'cancel', login, tickets };
    });
    return { done: [...(ids ?? tickets.map(String))], failed: [] };
  }

  async deals(query: DealQuery): Promise<Deal[]> {
    await this.broker.refresh();
    return this.#deals(query);
  }

  async countDeals(query: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<number> {
    await this.broker.refresh();
    if (!this.broker.account(query.login)) return 0;
    const deals = await this.#deals({ ...query, moneyDigits: 8 });
    const isCounted = ({ entry }: Deal) => this.platform === 'p5' || entry !== 'DEAL_ENTRY_IN';
    return deals.filter(isCounted).length;
  }

  async *readStates(selection: Selection): AsyncGenerator<LoginState[], void, undefined> {
    await this.broker.refresh();
    for await (const logins of this.#batches(selection)) yield await this.#states(logins);
  }

  async *readDeals({
    selection,
    fromMs,
    toMs,
    moneyDigits: digitsOf,
  }: DealsQuery): AsyncGenerator<LoginDeals[], void, undefined> {
    await this.broker.refresh();
    for await (const logins of this.#batches(selection))
      yield await this.#dealsOf(logins, fromMs, toMs, digitsOf);
  }

  async positions(login: number): Promise<PlatformPosition[]> {
    await this.broker.refresh();
    const account = this.broker.account(login);
    const state = await this.broker.state(login, this.broker.moment(login));
    if (!account || !state) throw new PlatformError('invalid', `there is no login ${login}`);
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

  async pendingOrders(login: number): Promise<PendingOrder[]> {
    await this.broker.refresh();
    const ledger = await this.broker.ledger(login, this.broker.moment(login));
    if (!ledger) throw new PlatformError('invalid', `there is no login ${login}`);
    return ledger.waiting.map(({ ticket, instrument, side, volume, price, waitsFor }) => ({
      orderId: String(ticket),
      symbol: instrument.symbol,
      type: `ORDER_TYPE_${side === 1 ? 'BUY' : 'SELL'}_${waitsFor.toUpperCase()}`,
      volume: fromVolume(volume),
      price,
    }));
  }

  async market(login: number, symbol: string): Promise<PlatformMarket | undefined> {
    await this.broker.refresh();
    if (!this.broker.account(login)) return undefined;
    const { instruments, quotes, calendar } = this.broker;
    return platformMarket(instruments, symbol, quotes, calendar, this.broker.now());
  }

  async addedMargin(): Promise<number> {
    throw new PlatformError('unsupported', 'a simulated platform cannot be asked for margin');
  }

  async close(): Promise<void> {}

  async #deals(query: DealQuery): Promise<Deal[]> {
    const ledger = await this.broker.ledger(query.login, this.broker.moment(query.login));
    if (!ledger) throw new PlatformError('invalid', `there is no login ${query.login}`);
    return dealsIn(ledger, this.broker.calendar, query);
  }

  async *#batches(selection: Selection): AsyncGenerator<readonly number[], void, undefined> {
    const logins =
      'logins' in selection
        ? selection.logins
        : this.broker
            .accounts()
            .filter(({ group }) => selection.groups.some((mask) => matchesMasks(group.name, mask)))
            .map(({ login }) => login);
    for (let start = 0; start < logins.length; start += BATCH) {
      yield logins.slice(start, start + BATCH);
      await nextTurn();
    }
  }

  async #states(logins: readonly number[]): Promise<LoginState[]> {
    const states: LoginState[] = [];
    for (const login of logins) {
      const information = await this.#information(login);
      if (!information) continue;
      const { balance, equity, margin, freeMargin, credit } = information;
      states.push({ login, balance, equity, margin, freeMargin, credit });
    }
    return states;
  }

  async #dealsOf(
    logins: readonly number[],
    fromMs: BrokerTimeMs,
    toMs: BrokerTimeMs,
    digitsOf: DealsQuery['moneyDigits'],
  ): Promise<LoginDeals[]> {
    const found: LoginDeals[] = [];
    for (const login of logins) {
      const digits = digitsOf(login);
      if (digits === undefined || !this.broker.account(login)) continue;
      const deals = await this.#deals({ login, fromMs, toMs, moneyDigits: digits });
      if (deals.length > 0) found.push({ login, deals });
    }
    return found;
  }

  async #information(login: number): Promise<AccountInformation | undefined> {
    const account = this.broker.account(login);
    const state = await this.broker.state(login, this.broker.moment(login));
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
      marginLevel: marginLevel(state.equity, margin),
      tradeAllowed: account.enabled && account.tradingEnabled,
      marginMode,
      name: account.holder.name,
      login,
      credit: plain(state.credit),
    };
  }

  async #user(account: SimulatedAccount): Promise<PlatformUser> {
    const { currency } = account.group;
    const utcMs = this.broker.moment(account.login);
    const ledger = await this.broker.ledger(account.login, utcMs);
    const plain = fromUnits(ledger?.balanceAt(utcMs).balance ?? 0, moneyDigits(currency));
    return platformUser(account, plain.toFixed(currencyDigits(currency)));
  }
}

const settingsOf = (account: SimulatedAccount): AccountSettings => ({
  enabled: account.enabled,
  tradingEnabled: account.tradingEnabled,
  group: account.group.name,
  leverage: account.leverage,
});

/** The open tickets selected. */
const chosen = (open: readonly string[], ids: readonly string[] | undefined): number[] =>
  open.filter((ticket) => ids?.includes(ticket) ?? true).map(Number);

/** The deals with effect on the account in a range of broker time, money in other digits. */
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
