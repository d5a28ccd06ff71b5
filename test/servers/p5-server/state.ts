import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Row } from './wire.ts';

export type Group = {
  Group: string;
  Company: string;
  Currency: string;
  CurrencyDigits: number;
  MarginMode: number;
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
export type Quote = { Symbol: string; Bid: number; Ask: number; changed: number };
export type Passwords = { main: string; investor: string };

/** All that survives a restart. */
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
};

const group = (name: string, Currency = 'USD', MarginMode = 2): Group => ({
  Group: name,
  Company: 'Harbour Test Broker',
  Currency,
  CurrencyDigits: 2,
  MarginMode,
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
  };
}

export class Store {
  readonly state: State;
  readonly #file: string;
  /** Logins with a trading state in memory: empty again after every restart. */
  readonly active = new Set<number>();
  constructor(file: string) {
    this.#file = file;
    this.state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : firstState();
    for (const { Login } of this.state.positions) this.active.add(Login);
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
  user(login: number): User | undefined {
    return this.state.users.find(({ Login }) => Login === login);
  }
}
