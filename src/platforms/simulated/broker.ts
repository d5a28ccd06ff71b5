import type { BrokerClock } from '../../domain/broker-time.ts';
import { DAY_MS, DEFAULT_BROKER_CLOCK, HOUR_MS } from '../../domain/broker-time.ts';
import type { MarketData } from '../../domain/margin/market.ts';
import type { CreatedUser, NewPlatformUser } from '../gateway.ts';
import { PlatformError } from '../gateway.ts';
import type { SimulatedAccount } from './account.ts';
import { accountOf, seededAccounts } from './account.ts';
import type { AccountState } from './account-state.ts';
import { accountStateAt } from './account-state.ts';
import { BrokerCalendar } from './calendar.ts';
import type { Family, SimulatedGroup } from './groups.ts';
import { FIRST_LOGIN, groupsOf } from './groups.ts';
import type { Instrument } from './instrument.ts';
import { instrumentsOf } from './instruments.ts';
import { Ledger } from './ledger.ts';
import { marginSettings } from './market.ts';
import { openedAccount } from './new-account.ts';
import type { SimulatedOperation } from './operation.ts';
import { checkOperation } from './operation.ts';
import { Quotes } from './quotes.ts';
import { chance, mix } from './random.ts';
import type { ManualOperation, SimulatedState, SimulatedStateStore } from './state-store.ts';
import { parseState } from './state-store.ts';
import type { Intention } from './strategy.ts';
import { intentionsOfDay } from './strategy.ts';

/** History that a platform has at its first start. */
const HISTORY_DAYS = 100;
/** Beyond these the platform answers that it has no room. */
const MAX_OPENED_ACCOUNTS = 10_000;
const MAX_OPERATIONS = 10_000;

export type SimulatedBrokerOptions = {
  family: Family;
  /** Another seed, another world; a saved state keeps its own. */
  seed?: number;
  store: SimulatedStateStore;
  brokerClock?: BrokerClock;
  /** UTC now in milliseconds. */
  now: () => number;
};

/**
 * A small broker of one platform family. All that happens there by itself is a function of its seed
 * and the time; what is done by hand is written to the store before it is answered, so a restart
 * continues exactly where the platform stood.
 */
export class SimulatedBroker {
  readonly family: Family;
  readonly calendar: BrokerCalendar;
  readonly quotes: Quotes;
  readonly instruments: readonly Instrument[];
  readonly groups: readonly SimulatedGroup[];
  readonly now: () => number;
  readonly #store: SimulatedStateStore;
  readonly #state: SimulatedState;
  /** Symbol settings without prices. */
  readonly marginSettings: MarketData;
  readonly #accounts = new Map<number, SimulatedAccount>();
  readonly #ledgers = new Map<number, Ledger>();
  #saving: Promise<void> = Promise.resolve();

  private constructor(options: SimulatedBrokerOptions, state: SimulatedState) {
    this.family = options.family;
    this.now = options.now;
    this.#store = options.store;
    this.#state = state;
    this.calendar = new BrokerCalendar(options.brokerClock ?? DEFAULT_BROKER_CLOCK);
    this.instruments = instrumentsOf(options.family);
    this.quotes = new Quotes(state.seed, this.instruments);
    this.groups = groupsOf(options.family);
    this.marginSettings = marginSettings(options.family, this.instruments);
    for (const account of seededAccounts(state.seed, this.groups))
      this.#accounts.set(account.login, account);
    for (const opened of state.accounts) {
      const account = accountOf(opened, this.groups);
      if (account) this.#accounts.set(account.login, account);
    }
  }

  /** Opens the platform where the store left it, or anew. */
  static async open(options: SimulatedBrokerOptions): Promise<SimulatedBroker> {
    const text = await options.store.load();
    if (text !== undefined) return new SimulatedBroker(options, parseState(text));
    const seed = options.seed ?? 1;
    const startedUtcMs = options.now();
    const state: SimulatedState = { version: 1, seed, startedUtcMs, accounts: [], operations: [] };
    const broker = new SimulatedBroker(options, state);
    await broker.#save();
    return broker;
  }

  account(login: number): SimulatedAccount | undefined {
    return this.#accounts.get(login);
  }

  accountsOfGroup(group: string): SimulatedAccount[] {
    return [...this.#accounts.values()].filter((account) => account.group.name === group);
  }

  /** Works out what happened on the account until the moment; undefined: no such login. */
  ledger(login: number, utcMs: number): Ledger | undefined {
    const account = this.#accounts.get(login);
    if (!account) return undefined;
    const ledger = this.#ledgers.get(login) ?? this.#newLedger(account);
    ledger.advance(utcMs);
    return ledger;
  }

  state(login: number, utcMs: number): AccountState | undefined {
    const ledger = this.ledger(login, utcMs);
    return ledger && accountStateAt(ledger, this.quotes, utcMs);
  }

  /** A repeated `requestId` finds the account that the first call opened. */
  async createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser> {
    const found = this.#state.accounts.find((account) => account.requestId === requestId);
    if (found) {
      await this.#save();
      return { login: String(found.login) };
    }
    if (this.#state.accounts.length >= MAX_OPENED_ACCOUNTS)
      throw new PlatformError('invalid', 'The platform has no free login');
    const login = this.#freeLogin();
    const opened = openedAccount(user, requestId, login, this.now(), this.groups);
    const account = accountOf(opened, this.groups);
    if (!account) throw new PlatformError('invalid', 'There is no such group');
    this.#state.accounts.push(opened);
    this.#accounts.set(login, account);
    await this.#save();
    return { login: String(login) };
  }

  /**
   * Moves money, opens or closes a position by hand, now. Throws PlatformError `invalid` for unknown
   * logins, symbols and tickets, and for lots that the symbol does not allow.
   */
  async operate(operation: SimulatedOperation): Promise<void> {
    const ledger = this.ledger(operation.login, this.now());
    if (!ledger) throw new PlatformError('invalid', 'There is no such login');
    if (this.#state.operations.length >= MAX_OPERATIONS)
      throw new PlatformError('unavailable', 'The platform takes no more operations by hand');
    const utcMs = ledger.reachedUtcMs;
    checkOperation(operation, ledger, this.quotes, utcMs);
    const placed: ManualOperation = { ...operation, utcMs };
    this.#state.operations.push(placed);
    ledger.add(placed);
    ledger.advance(utcMs);
    await this.#save();
  }

  #newLedger(account: SimulatedAccount): Ledger {
    const { seed, startedUtcMs } = this.#state;
    const firstDay = Math.floor(startedUtcMs / DAY_MS) - HISTORY_DAYS;
    const intentions = (day: number): Intention[] =>
      day === firstDay
        ? [openingDeposit(seed, account.login, day)]
        : intentionsOfDay(seed, account.login, day);
    const { login, group, leverage } = account;
    const ledger = new Ledger(
      { family: this.family, login, group, leverage },
      { quotes: this.quotes, calendar: this.calendar },
      account.trades ? { firstDay, intentions } : undefined,
    );
    for (const operation of this.#state.operations)
      if (operation.login === login) ledger.add(operation);
    this.#ledgers.set(login, ledger);
    return ledger;
  }

  #freeLogin(): number {
    let login = FIRST_LOGIN[this.family];
    while (this.#accounts.has(login)) login += 1;
    return login;
  }

  /** One save after the other, each of everything known when its turn comes. */
  #save(): Promise<void> {
    const save = this.#saving.then(() => this.#store.save(JSON.stringify(this.#state)));
    this.#saving = save.catch(() => undefined);
    return save.catch((error: unknown) => {
      throw new PlatformError('unavailable', 'The simulated platform could not save its state', {
        cause: error,
        retryAfterSeconds: 5,
      });
    });
  }
}

/** One to four times what accounts of the group start with. */
function openingDeposit(seed: number, login: number, day: number): Intention {
  const state = mix(mix(seed, login), 0xdeb);
  const utcMs = day * DAY_MS + 7 * HOUR_MS + Math.floor(chance(state, 1) * 5 * HOUR_MS);
  return { kind: 'cash', utcMs, part: 1 + Math.floor(chance(state, 2) * 4), comment: 'Deposit' };
}
