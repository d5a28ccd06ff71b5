import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { NOT_FOUND, Refusal, type Row } from './wire.ts';

export type Group = {
  Group: string;
  Company: string;
  Currency: string;
  CurrencyDigits: number;
  MarginMode: number;
  MarginFloatingLeverage: string;
};
export type User = Row & { Login: number; Group: string; Balance: number; Credit: number };
export type Deal = Row & { Deal: number; Login: number; Time: number; TimeMsc: number };
export type Position = {
  Position: number;
  Login: number;
  Symbol: string;
  Action: 0 | 1;
  PriceOpen: number;
  Lots: number;
  TimeCreate: number;
  TimeCreateMsc: number;
};
/** An order that waits for its price. */
export type Order = {
  Order: number;
  Login: number;
  Symbol: string;
  Type: number;
  PriceOrder: number;
  Lots: number;
};
export type Quote = { Symbol: string; Bid: number; Ask: number; changed: number };
export type Passwords = { main: string; investor: string };

/** Everything that survives a restart. */
export type State = {
  manager: { login: number; password: string; allowedAddresses: string[]; groups: string };
  clockShiftMs: number;
  nextLogin: number;
  nextTicket: number;
  transaction: number;
  groups: Group[];
  symbols: Row[];
  quotes: Quote[];
  users: User[];
  passwords: Record<string, Passwords>;
  deals: Deal[];
  positions: Position[];
  orders: Order[];
  /** Accounts that are worked out from their logins until something happens to them. */
  bulk: Bulk | undefined;
  /** Whether a change of a user replaces the whole record, instead of the given fields. */
  replacesRecords: boolean;
  /** Whether the zip code is spelt as in the vendor's samples, instead of its reference. */
  writesZipCode: boolean;
  /** The names of the fields of each change of a user. */
  updates: string[][];
};

/** Each holds `balance` and a position of EURUSD, opened at 1.1, of login modulo 10 micro lots. */
export type Bulk = { first: number; count: number; group: string; groups: number; balance: number };

const group = (name: string, Currency = 'USD', MarginMode = 2): Group => ({
  Group: name,
  Company: 'Harbour Test Broker',
  Currency,
  CurrencyDigits: 2,
  MarginMode,
  MarginFloatingLeverage: '',
});

const pair = (name: string, digits: number): Row => ({
  Symbol: name,
  Path: `Forex\\${name}`,
  Description: name,
  CurrencyBase: name.slice(0, 3),
  CurrencyProfit: name.slice(3),
  CurrencyMargin: name.slice(0, 3),
  Digits: digits,
  Point: 10 ** -digits,
  CalcMode: 0,
  TradeMode: 4,
  ContractSize: 100000,
  VolumeMin: 100,
  VolumeMinExt: 1_000_000,
  VolumeMax: 1_000_000,
  VolumeMaxExt: 10_000_000_000,
  VolumeStep: 100,
  VolumeStepExt: 1_000_000,
  TickSize: 0,
  TickValue: 0,
  MarginInitial: 0,
  MarginMaintenance: 0,
  MarginHedged: 100000,
  MarginInitialBuy: 1,
  MarginInitialSell: 1,
  MarginInitialBuyLimit: 0,
  MarginInitialSellLimit: 0,
});

function firstState(): State {
  return {
    manager: {
      login: 1000,
      password: 'Password1',
      allowedAddresses: ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
      groups: '*,!managers\\*',
    },
    clockShiftMs: 2 * 3_600_000,
    nextLogin: 954402,
    nextTicket: 7001,
    transaction: 1,
    groups: [
      group('demo\\usd'),
      group('real\\forex\\eur', 'EUR', 0),
      group('real\\50% off/ünï cødé'),
      group('managers\\master'),
    ],
    symbols: [pair('EURUSD', 5), pair('GBPUSD', 5), pair('USDJPY', 3), pair('EURGBP', 5)],
    quotes: [
      { Symbol: 'EURUSD', Bid: 1.1, Ask: 1.1001, changed: 1 },
      { Symbol: 'GBPUSD', Bid: 1.25, Ask: 1.2502, changed: 1 },
      { Symbol: 'USDJPY', Bid: 150, Ask: 150.01, changed: 1 },
      { Symbol: 'EURGBP', Bid: 0.88, Ask: 0.8801, changed: 1 },
    ],
    users: [],
    passwords: {},
    deals: [],
    positions: [],
    orders: [],
    bulk: undefined,
    ...{ replacesRecords: false, writesZipCode: false, updates: [] },
  };
}

export class Store {
  readonly state: State;
  readonly #file: string;
  readonly #users: Map<number, User>;
  readonly #deals = new Map<number, Deal[]>();
  /** Logins with a trading state in memory: empty again after every restart. */
  readonly active = new Set<number>();

  constructor(file: string) {
    this.#file = file;
    this.state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : firstState();
    this.#users = new Map(this.state.users.map((user) => [user.Login, user]));
    for (const deal of this.state.deals) this.#index(deal);
    for (const { Login } of [...this.state.positions, ...this.state.orders]) this.active.add(Login);
  }

  save(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.state));
    renameSync(`${this.#file}.new`, this.#file);
  }
  now(): number {
    return Date.now() + this.state.clockShiftMs;
  }
  ticket(): number {
    this.state.nextTicket += 1;
    return this.state.nextTicket;
  }

  /** The user as it is; a change of what comes back may be lost. */
  user(login: number): User | undefined {
    return this.#users.get(login) ?? this.#bulkUser(login);
  }
  *users(): Iterable<User> {
    yield* this.state.users;
    const { first = 0, count = 0 } = this.state.bulk ?? {};
    for (let login = first; login < first + count; login += 1) {
      const user = this.#users.has(login) ? undefined : this.#bulkUser(login);
      if (user) yield user;
    }
  }
  /** The user to be changed. */
  mustUser(login: number): User {
    const user = this.user(login);
    if (!user) throw new Refusal(NOT_FOUND);
    if (!this.#users.has(login)) this.addUser(user);
    return user;
  }
  addUser(user: User): void {
    this.state.users.push(user);
    this.#users.set(user.Login, user);
  }
  removeUser(login: number): void {
    this.state.users = this.state.users.filter((user) => user.Login !== login);
    this.#users.delete(login);
  }
  isActive(login: number): boolean {
    return this.active.has(login) || this.isBulk(login);
  }
  /** Whether nothing has happened to a bulk account. */
  isBulk(login: number): boolean {
    const { first, count } = this.state.bulk ?? { first: 0, count: 0 };
    return login >= first && login < first + count && !this.#users.has(login);
  }

  dealsOf(login: number): readonly Deal[] {
    return this.#deals.get(login) ?? [];
  }
  addDeal(deal: Deal): void {
    this.state.deals.push(deal);
    this.#index(deal);
  }
  removeDeal(deal: Deal): void {
    const isOther = (other: Deal): boolean => other !== deal;
    this.state.deals = this.state.deals.filter(isOther);
    this.#deals.set(deal.Login, this.dealsOf(deal.Login).filter(isOther));
  }

  #index(deal: Deal): void {
    const known = this.#deals.get(deal.Login);
    if (known) known.push(deal);
    else this.#deals.set(deal.Login, [deal]);
  }
  #bulkUser(login: number): User | undefined {
    const { bulk } = this.state;
    if (!bulk || login < bulk.first || login >= bulk.first + bulk.count) return undefined;
    return {
      ...{ Login: login, Group: `${bulk.group}-${login % bulk.groups}`, Leverage: 100 },
      ...{ Balance: bulk.balance, Credit: 0, Name: `Bulk ${login}`, Rights: 355 },
      ...{ Email: `${login}@example.com`, Comment: '', Registration: 1_700_000_000 },
    };
  }
}
