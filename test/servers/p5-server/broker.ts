import type { Deal, Order, Position, Store, User } from './state.ts';
import { BAD_PARAMETERS, NOT_FOUND, Refusal, type Row } from './wire.ts';

const CONTRACT = 100000;
const RIGHT_ENABLED = 1;
const RIGHT_TRADE_DISABLED = 4;
const BULK_OPEN_PRICE = 1.1;
const cents = (value: number): number => Math.round(value * 100) / 100;

/** Trading on the accounts: actions of dealers and clients are control calls here. */
export class Broker {
  readonly #store: Store;
  constructor(store: Store) {
    this.#store = store;
  }

  deposit(login: number, amount: number, comment: string, action = 2): Row {
    const user = this.#mustUser(login);
    if (action === 3) user.Credit = cents(user.Credit + amount);
    else user.Balance = cents(user.Balance + amount);
    return this.#book(login, { Action: action, Profit: amount, Comment: comment });
  }

  open(login: number, symbol: string, side: 'buy' | 'sell', lots: number): Row {
    const rights = Number(this.#mustUser(login).Rights);
    if ((rights & RIGHT_ENABLED) === 0 || (rights & RIGHT_TRADE_DISABLED) !== 0)
      throw new Refusal('10017 Trade is disabled');
    const quote = this.#quote(symbol);
    const ticket = this.#store.ticket();
    const timeMs = this.#store.now();
    const position: Position = {
      Position: ticket,
      Login: login,
      Symbol: symbol,
      Action: side === 'buy' ? 0 : 1,
      PriceOpen: side === 'buy' ? quote.Ask : quote.Bid,
      Lots: lots,
      TimeCreate: Math.floor(timeMs / 1000),
      TimeCreateMsc: timeMs,
    };
    this.#store.state.positions.push(position);
    const commission = cents(-3.5 * lots);
    const user = this.#mustUser(login);
    user.Balance = cents(user.Balance + commission);
    return this.#book(login, {
      ...tradeFields(position, position.PriceOpen, lots),
      Action: position.Action,
      Entry: 0,
      Commission: commission,
      VolumeClosed: 0,
      VolumeClosedExt: 0,
    });
  }

  closePosition(ticket: number): Row {
    const { state } = this.#store;
    const position = state.positions.find(({ Position: id }) => id === ticket);
    if (!position) throw new Refusal(NOT_FOUND);
    const quote = this.#quote(position.Symbol);
    const price = position.Action === 0 ? quote.Bid : quote.Ask;
    const profit = this.#profit(position);
    state.positions = state.positions.filter((other) => other !== position);
    const user = this.#mustUser(position.Login);
    user.Balance = cents(user.Balance + profit);
    return this.#book(position.Login, {
      ...tradeFields(position, price, position.Lots),
      Action: 1 - position.Action,
      Entry: 1,
      Profit: profit,
      PricePosition: position.PriceOpen,
      VolumeClosed: position.Lots * 10_000,
      VolumeClosedExt: Math.round(position.Lots * 1e8),
    });
  }

  /**
   * Places an order that waits for its price, for ever: prices of tests don't move by themselves.
   */
  place(login: number, symbol: string, type: number, lots: number, price: number): Row {
    this.#mustUser(login);
    this.#quote(symbol);
    const order: Order = {
      ...{ Order: this.#store.ticket(), Login: login, Symbol: symbol },
      ...{ Type: type, PriceOrder: price, Lots: lots },
    };
    this.#store.state.orders.push(order);
    this.#store.active.add(login);
    return order;
  }

  cancelOrder(ticket: number): void {
    const { state } = this.#store;
    const order = state.orders.find(({ Order: id }) => id === ticket);
    if (!order) throw new Refusal('10036 Position already closed');
    state.orders = state.orders.filter((other) => other !== order);
  }

  /** Books a deal as it is given; an old `TimeMsc` makes it a late one. */
  book(login: number, fields: Row, moves: unknown = 'Balance'): Row {
    const user = this.#mustUser(login);
    if (moves === 'Balance' || moves === 'Credit')
      user[moves] = cents(user[moves] + Number(fields.Profit ?? 0));
    return this.#book(login, fields);
  }

  edit(ticket: number, fields: Row): Row {
    const deal = this.#deal(ticket);
    Object.assign(deal, fields, { ModifyFlags: 2 });
    return deal;
  }

  remove(ticket: number): void {
    this.#store.removeDeal(this.#deal(ticket));
  }

  /** The trading state of an account; undefined for one without positions or activity. */
  account(user: User): Row | undefined {
    if (!this.#store.isActive(user.Login)) return undefined;
    const open = this.#store.state.positions.filter(({ Login }) => Login === user.Login);
    const bulk = this.#store.isBulk(user.Login) ? this.#bulkProfit(user.Login) : 0;
    const floating = cents(open.reduce((sum, position) => sum + this.#profit(position), bulk));
    const margin = cents(
      open.reduce((sum, { Symbol: symbol, Lots, PriceOpen }) => {
        const rate = symbol.startsWith('USD') ? 1 : PriceOpen;
        return sum + (Lots * CONTRACT * rate) / Number(user.Leverage);
      }, 0),
    );
    const equity = cents(user.Balance + user.Credit + floating);
    return {
      Login: user.Login,
      CurrencyDigits: 2,
      Balance: user.Balance.toFixed(2),
      Credit: user.Credit.toFixed(2),
      Margin: margin.toFixed(2),
      MarginFree: cents(equity - margin).toFixed(2),
      MarginLevel: margin === 0 ? '0.00' : ((equity / margin) * 100).toFixed(2),
      MarginLeverage: user.Leverage,
      Profit: floating.toFixed(2),
      Storage: '0.00',
      Floating: floating.toFixed(2),
      Equity: equity.toFixed(2),
    };
  }

  /** Before and after an order: one against a position of its symbol needs nothing more. */
  checkMargin(user: User, symbol: string, type: number, lots: number): Row {
    const before = this.account(user) ?? { Login: user.Login, Margin: '0.00' };
    const isCovered = this.#store.state.positions.some(
      (position) =>
        position.Login === user.Login && position.Symbol === symbol && position.Action !== type % 2,
    );
    const { Bid } = this.#quote(symbol);
    const rate = symbol.startsWith('USD') ? 1 : Bid;
    const added = isCovered || type > 1 ? 0 : (lots * CONTRACT * rate) / Number(user.Leverage);
    const after = { ...before, Margin: cents(Number(before.Margin) + added).toFixed(2) };
    return { new: after, current: before };
  }

  orderRow(order: Order): Row {
    const volume = { VolumeCurrent: order.Lots * 10_000, VolumeInitial: order.Lots * 10_000 };
    return { ...order, ...volume, VolumeCurrentExt: Math.round(order.Lots * 1e8), Digits: 5 };
  }

  positionRow(position: Position): Row {
    const quote = this.#quote(position.Symbol);
    return {
      ...position,
      PriceCurrent: position.Action === 0 ? quote.Bid : quote.Ask,
      Volume: position.Lots * 10_000,
      VolumeExt: Math.round(position.Lots * 1e8),
      Profit: this.#profit(position).toFixed(2),
      Storage: '0.00',
      Digits: 5,
      ContractSize: CONTRACT,
    };
  }

  #book(login: number, fields: Row): Deal {
    const timeMs = Number(fields.TimeMsc ?? this.#store.now());
    const deal: Deal = {
      Deal: this.#store.ticket(),
      ExternalID: '',
      Login: login,
      Dealer: 0,
      Order: 0,
      Action: 2,
      Entry: 0,
      Digits: 5,
      DigitsCurrency: 2,
      ContractSize: CONTRACT,
      Symbol: '',
      Price: 0,
      Volume: 0,
      VolumeExt: 0,
      Profit: 0,
      Storage: 0,
      Commission: 0,
      Fee: 0,
      PositionID: 0,
      Comment: '',
      PricePosition: 0,
      ModifyFlags: 0,
      ...fields,
      Time: Math.floor(timeMs / 1000),
      TimeMsc: timeMs,
    };
    this.#store.addDeal(deal);
    this.#store.active.add(login);
    return deal;
  }

  /** See Bulk. */
  #bulkProfit(login: number): number {
    const moved = this.#quote('EURUSD').Bid - BULK_OPEN_PRICE;
    return moved * CONTRACT * 0.01 * (login % 10);
  }
  #profit({ Symbol: symbol, Action, PriceOpen, Lots }: Position): number {
    const quote = this.#quote(symbol);
    const moved = Action === 0 ? quote.Bid - PriceOpen : PriceOpen - quote.Ask;
    return cents((moved * CONTRACT * Lots) / (symbol.endsWith('JPY') ? quote.Bid : 1));
  }
  #quote(symbol: string): { Bid: number; Ask: number } {
    const quote = this.#store.state.quotes.find(({ Symbol: name }) => name === symbol);
    if (!quote) throw new Refusal(BAD_PARAMETERS);
    return quote;
  }
  #mustUser(login: number): User {
    return this.#store.mustUser(login);
  }
  #deal(ticket: number): Deal {
    const deal = this.#store.state.deals.find(({ Deal: id }) => id === ticket);
    if (!deal) throw new Refusal(NOT_FOUND);
    return deal;
  }
}

const tradeFields = (position: Position, price: number, lots: number): Row => ({
  Symbol: position.Symbol,
  PositionID: position.Position,
  Price: price,
  Volume: lots * 10_000,
  VolumeExt: Math.round(lots * 1e8),
});
