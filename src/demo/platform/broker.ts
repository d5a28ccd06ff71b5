import { createHash } from 'node:crypto';
import { DAY_MS, DEFAULT_BROKER_CLOCK, HOUR_MS } from '../../domain/broker-time.ts';
import type { MarketData } from '../../domain/margin/market.ts';
import type { AccountPassword, CreatedUser, NewPlatformUser } from '../../platforms/gateway.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import type { Platform } from '../../words/accounts.ts';
import type { SimulatedAccount } from './account.ts';
import { changedAccount, openedAccountOf, seededAccounts } from './account.ts';
import { accountMargin } from './account-margin.ts';
import type { AccountState } from './account-state.ts';
import { accountStateAt } from './account-state.ts';
import { BrokerCalendar } from './calendar.ts';
import type { ManualOperation, PasswordHashes, SimulatedEvent, SimulatedStore } from './events.ts';
import { parseEvent } from './events.ts';
import type { SimulatedGroup } from './groups.ts';
import { FIRST_LOGIN, groupsOfFamily } from './groups.ts';
import type { Histories } from './histories.ts';
import type { Instrument } from './instrument.ts';
import { instrumentsOf } from './instruments.ts';
import { Ledger } from './ledger.ts';
import { marginSettings } from './market.ts';
import { isPlatformPassword, openedAccount } from './new-account.ts';
import type { SimulatedOperation } from './operation.ts';
import { checkOperation } from './operation.ts';
import { Quotes } from './quotes.ts';
import { chance, mix } from './random.ts';
import type { Intention } from './strategy.ts';
import { intentionsOfDay } from './strategy.ts';

/** A platform's history at its first start. */
const HISTORY_DAYS = 100;
/** Beyond these the platform accepts nothing more by hand. */
const MAX_EVENTS = 2_000;
/** Accounts that are opened by hand. */
const MAX_OPENED = 200;
/** How often an event yields to those of other processes. */
const MAX_TRIES = 20;

export type SimulatedBrokerOptions = {
  /** The platform's owner: users take turns when histories are computed. */
  userId: string;
  family: Platform;
  /** Another seed gives another world; an existing platform keeps its own. */
  seed?: number;
  store: SimulatedStore;
  histories: Histories;
  /** UTC now in milliseconds. */
  now: () => number;
};

/**
 * A small broker of one platform family. Everything automatic is a function of its seed and the
 * time; everything done by hand is an event in the store before it is answered, so that a restart,
 * and every other process, continues exactly from the platform's state.
 */
export class SimulatedBroker {
  readonly family: Platform;
  readonly calendar: BrokerCalendar;
  readonly instruments: readonly Instrument[];
  readonly groups: readonly SimulatedGroup[];
  readonly now: () => number;
  /** Symbol settings without prices. */
  readonly marginSettings: MarketData;
  readonly #name: string;
  readonly #userId: string;
  readonly #store: SimulatedStore;
  readonly #histories: Histories;
  #events = 0;
  #seed = 0;
  /** Of its history, in days since 1970. */
  #firstDay = 0;
  #quotes: Quotes;
  readonly #accounts = new Map<number, SimulatedAccount>();
  /** In their state before their settings were changed. */
  readonly #originals = new Map<number, SimulatedAccount>();
  readonly #requests = new Map<string, number>();
  readonly #passwords = new Map<number, Partial<PasswordHashes>>();
  readonly #operations = new Map<number, ManualOperation[]>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: SimulatedBrokerOptions) {
    this.family = options.family;
    this.now = options.now;
    this.#name = options.histories.newName();
    this.#userId = options.userId;
    this.#store = options.store;
    this.#histories = options.histories;
    this.calendar = new BrokerCalendar(DEFAULT_BROKER_CLOCK);
    this.instruments = instrumentsOf(options.family);
    this.groups = groupsOfFamily(options.family);
    this.marginSettings = marginSettings(options.family, this.instruments);
    this.#quotes = new Quotes(0, this.instruments);
  }

  /** Opens the platform in the state of the store, or as a new one. */
  static async open(options: SimulatedBrokerOptions): Promise<SimulatedBroker> {
    const broker = new SimulatedBroker(options);
    await broker.refresh();
    if (broker.#events === 0)
      await broker.#append(async () =>
        broker.#events > 0
          ? undefined
          : { kind: 'started', seed: options.seed ?? 1, utcMs: options.now() },
      );
    return broker;
  }

  get quotes(): Quotes {
    return this.#quotes;
  }

  /** Applies the events of other processes. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  /** Now, for an account: not before an event by a process whose clock is ahead. */
  moment(login: number): number {
    return Math.max(this.now(), this.#operations.get(login)?.at(-1)?.utcMs ?? 0);
  }

  account(login: number): SimulatedAccount | undefined {
    return this.#accounts.get(login);
  }

  accounts(): SimulatedAccount[] {
    return [...this.#accounts.values()];
  }

  /** Computes the account's events until the moment; undefined: no such login. */
  async ledger(login: number, utcMs: number): Promise<Ledger | undefined> {
    const account = this.#accounts.get(login);
    const name = { userId: this.#userId, key: this.#ledgerKey(login) };
    return account && this.#histories.reach(name, () => this.#newLedger(account), utcMs);
  }

  async state(login: number, utcMs: number): Promise<AccountState | undefined> {
    const ledger = await this.ledger(login, utcMs);
    return ledger && accountStateAt(ledger, this.quotes, utcMs);
  }

  /** A repeated `requestId` finds the account that the first call opened. */
  async createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser> {
    await this.#append(async () => {
      if (this.#requests.has(requestId)) return undefined;
      if (this.#requests.size >= MAX_OPENED)
        throw new PlatformError('invalid', `no more than ${MAX_OPENED} accounts can be opened`);
      const login = this.#freeLogin();
      const account = openedAccount(user, requestId, login, this.now(), this.groups);
      const { password, investorPassword } = user;
      const passwords = { main: hash(login, password), investor: hash(login, investorPassword) };
      return { kind: 'opened', account, passwords };
    });
    return { login: String(this.#requests.get(requestId)) };
  }

  async setPassword({ login, kind, password }: AccountPassword): Promise<void> {
    await this.#append(async () => {
      if (!this.#accounts.has(login)) throw noSuchLogin(login);
      if (!isPlatformPassword(password))
        throw new PlatformError('invalid', 'the password does not meet the rules of the platform');
      return { kind: 'password', login, passwords: { [kind]: hash(login, password) } };
    });
  }

  /** False for every password of an initial account, until one is set. */
  checkPassword({ login, kind, password }: AccountPassword): boolean {
    return this.#passwords.get(login)?.[kind] === hash(login, password);
  }

  /**
   * Runs an operation by hand on an account, now. `plan` gets the account's state, and returns the
   * operation, or none. Throws PlatformError for refusals of the platform.
   */
  async operate(
    login: number,
    plan: (ledger: Ledger, state: AccountState) => SimulatedOperation | undefined,
  ): Promise<void> {
    await this.#append(async () => {
      const account = this.#accounts.get(login);
      const ledger = await this.ledger(login, this.moment(login));
      if (!account || !ledger) throw noSuchLogin(login);
      const utcMs = ledger.reachedUtcMs;
      const state = accountStateAt(ledger, this.quotes, utcMs);
      const operation = plan(ledger, state);
      if (!operation) return undefined;
      const marginUnits = accountMargin(this, account, state);
      checkOperation(operation, { ledger, state, marginUnits, quotes: this.quotes });
      return { ...operation, utcMs };
    });
  }

  /**
   * Stores the event, unless `make` decides, given all events so far, that there is none to store.
   */
  #append(make: () => Promise<SimulatedEvent | undefined>): Promise<void> {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        await this.#load();
        const event = await make();
        if (!event) return;
        if (this.#events >= MAX_EVENTS)
          throw new PlatformError('unavailable', 'the platform accepts no more manual operations');
        const number = this.#events + 1;
        const text = JSON.stringify(event);
        if (!(await this.#stored(() => this.#store.append(number, text)))) continue;
        this.#apply(event);
        return;
      }
      throw new PlatformError('unavailable', 'the platform is busy', { retryAfterSeconds: 1 });
    });
  }

  async #load(): Promise<void> {
    for (;;) {
      const events = await this.#stored(() => this.#store.load(this.#events));
      if (events.length === 0) return;
      for (const text of events) this.#apply(parseEvent(text));
    }
  }

  #apply(event: SimulatedEvent): void {
    this.#events += 1;
    switch (event.kind) {
      case 'started':
        this.#start(event.seed, event.utcMs);
        break;
      case 'opened': {
        const { login, requestId } = event.account;
        const account = openedAccountOf(event.account, this.groups);
        if (account) this.#addAccount(account);
        this.#requests.set(requestId, login);
        this.#passwords.set(login, event.passwords);
        break;
      }
      case 'password':
        this.#passwords.set(event.login, {
          ...this.#passwords.get(event.login),
          ...event.passwords,
        });
        break;
      default:
        this.#applyOperation(event);
    }
  }

  #applyOperation(operation: ManualOperation): void {
    const { login, utcMs } = operation;
    const known = this.#operations.get(login);
    if (known) known.push(operation);
    else this.#operations.set(login, [operation]);
    const account = this.#accounts.get(login);
    if (account && operation.kind === 'settings')
      this.#accounts.set(login, changedAccount(account, operation, this.groups));
    const key = this.#ledgerKey(login);
    const ledger = this.#histories.kept(key);
    // Done by another process at a moment already passed here: recompute it.
    if (ledger && utcMs < ledger.reachedUtcMs) this.#histories.forget(key);
    else ledger?.add(operation);
  }

  /** Without operations by hand, an account has the same history everywhere. */
  #ledgerKey(login: number): string {
    const isOwn = this.#operations.has(login) || !this.#accounts.get(login)?.trades;
    const world = isOwn ? this.#name : `${this.family} ${this.#seed} ${this.#firstDay}`;
    return `${world} ${login}`;
  }

  #start(seed: number, startedUtcMs: number): void {
    this.#seed = seed;
    this.#firstDay = Math.floor(startedUtcMs / DAY_MS) - HISTORY_DAYS;
    this.#quotes = new Quotes(seed, this.instruments);
    for (const account of seededAccounts(seed, this.groups)) this.#addAccount(account);
  }

  #addAccount(account: SimulatedAccount): void {
    this.#accounts.set(account.login, account);
    this.#originals.set(account.login, account);
  }

  #newLedger(account: SimulatedAccount): Ledger {
    const { login, trades, group, leverage, enabled, tradingEnabled } =
      this.#originals.get(account.login) ?? account;
    const [seed, firstDay] = [this.#seed, this.#firstDay];
    const intentions = (day: number): Intention[] =>
      day === firstDay ? [openingDeposit(seed, login, day)] : intentionsOfDay(seed, login, day);
    const ledger = new Ledger(
      { family: this.family, login, group, leverage, enabled, tradingEnabled },
      { quotes: this.quotes, calendar: this.calendar, groups: this.groups },
      firstDay * DAY_MS,
      trades ? { firstDay, intentions } : undefined,
    );
    for (const operation of this.#operations.get(login) ?? []) ledger.add(operation);
    return ledger;
  }

  #freeLogin(): number {
    let login = FIRST_LOGIN[this.family];
    while (this.#accounts.has(login)) login += 1;
    return login;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #stored<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw new PlatformError('unavailable', 'the simulated platform could not reach its state', {
        ...{ cause, retryAfterSeconds: 5, outcomeUnknown: true },
      });
    }
  }
}

const noSuchLogin = (login: number): PlatformError =>
  new PlatformError('invalid', `there is no login ${login}`);

const hash = (login: number, password: string): string =>
  createHash('sha256').update(`${login}:${password}`).digest('base64url');

/** One to four times the initial deposit of the group's accounts. */
function openingDeposit(seed: number, login: number, day: number): Intention {
  const state = mix(mix(seed, login), 0xdeb);
  const utcMs = day * DAY_MS + 7 * HOUR_MS + Math.floor(chance(state, 1) * 5 * HOUR_MS);
  return { kind: 'cash', utcMs, part: 1 + Math.floor(chance(state, 2) * 4), comment: 'Deposit' };
}
