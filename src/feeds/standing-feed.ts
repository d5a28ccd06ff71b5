import { Rounds } from '../domain/rounds.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import { accountOfTracker, type Change } from '../storage/change-store.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import type { EventFeed } from './event-feed.ts';
import type { IncidentNews, StandingSource } from './standing-source.ts';
import { UserStanding } from './user-standing.ts';

/** From one reading of what has changed to the next, and from one message of an account. */
export const ROUND_MS = 250;
/** Changes that were not announced are found within this time. */
const PATROL_MS = 1000;
/** The state of a user whom nobody follows any more is kept for those who resume. */
const KEPT_MS = 60_000;
/** Accounts that this process follows, of all users; each usually takes 2 KB. */
const MAX_ACCOUNTS = 20_000;
const ACCOUNTS_PER_ROUND = 1000;
/** Beyond this many handled incidents between two rounds, all is told anew. */
const MAX_NEWS = 10_000;

type Logger = { warn(fields: object, message: string): void };

/** All places for followed accounts are taken. */
export class TooManyFollowed extends Error {
  override readonly name = 'TooManyFollowed';
}

/**
 * Follows accounts for streams: one reader for all streams of the process, woken by what is folded
 * here, by events and by announced changes. It reads accounts that have changed, a few times a
 * second at most, and keeps the newest text of each part in the user's log. While nobody follows,
 * nothing is read and nothing kept.
 */
export class StandingFeed {
  /** Ids of another process, or of before a restart, are not known here. */
  readonly epoch: string;
  readonly #parts: { catalogue: Catalogue; time: Timekeeper; source: StandingSource };
  readonly #users = new Map<string, UserStanding>();
  readonly #userOf = new Map<number, UserStanding>();
  readonly #changed = new Set<number>();
  readonly #unknown = new Set<number>();
  #news: IncidentNews[] = [];
  #tokenChanges = 0;
  #reading: Promise<void> = Promise.resolve();
  #toldTokenChanges = 0;
  #version = 0;
  #cancelRound: (() => void) | undefined;
  #roundAtMs = Number.NEGATIVE_INFINITY;
  #patrolledAtMs = Number.NEGATIVE_INFINITY;
  readonly #rounds: Rounds;
  readonly #unsubscribe: () => void;
  isClosed = false;

  constructor(parts: {
    database: Pick<Database, 'listen'>;
    catalogue: Catalogue;
    time: Timekeeper;
    source: StandingSource;
    events: Pick<EventFeed, 'listen'>;
    epoch: string;
    logger: Logger;
  }) {
    const { database, catalogue, time, source, events, epoch, logger } = parts;
    this.epoch = epoch;
    this.#parts = { catalogue, time, source };
    this.#rounds = new Rounds(
      () => this.#look(),
      (error) => {
        const isOutage = error instanceof DatabaseUnavailable;
        if (!isOutage) logger.warn({ err: error }, 'standings cannot be read yet');
      },
    );
    this.#rounds.patrol(time, PATROL_MS);
    this.#unsubscribe = database.listen('plimsoll_changes', () => this.#plan());
    catalogue.onChange((change) => this.#note(change));
    source.onFolded((number) => this.#noteChanged(number));
    events.listen((all) => {
      for (const { accountNumber, ...event } of all) {
        if (this.#userOf.has(accountNumber)) this.#noteNews({ accountNumber, event });
      }
    });
  }

  /** Counts the changes of tokens: a reader then looks whether it may go on. */
  get tokenChanges(): number {
    return this.#tokenChanges;
  }

  get followedAccounts(): number {
    return this.#userOf.size;
  }

  close(): void {
    this.isClosed = true;
    this.#unsubscribe();
    this.#cancelRound?.();
    void this.#rounds.stop();
    for (const user of this.#users.values()) user.wake();
  }

  /**
   * The standing of a user's accounts, these or all, read at least once. Call `leave` when it is no
   * longer read. Throws TooManyFollowed.
   */
  async follow(userId: string, numbers: ReadonlySet<number> | undefined): Promise<UserStanding> {
    const user = this.#users.get(userId) ?? new UserStanding(userId, () => ++this.#version);
    this.#users.set(userId, user);
    user.readers += 1;
    const adding = user.adding.then(() => this.#addTo(user, numbers));
    user.adding = adding.catch(() => {});
    try {
      await adding;
      return user;
    } catch (error) {
      this.leave(user);
      throw error;
    }
  }

  elapsed(): number {
    return this.#parts.time.elapsed();
  }

  pause(ms: number, signal: AbortSignal): Promise<void> {
    return sleep(this.#parts.time, ms, signal);
  }

  /** Resolves when something may have changed for a user, after a time, or with the signal. */
  changed(user: UserStanding, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.isClosed || user.isOver || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        user.waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        cancel();
        resolve();
      };
      const cancel = this.#parts.time.after(waitMs, wake);
      user.waiters.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  leave(user: UserStanding): void {
    user.readers -= 1;
    user.idleSinceMs = this.#parts.time.elapsed();
  }

  async #addTo(user: UserStanding, numbers: ReadonlySet<number> | undefined): Promise<void> {
    if (user.isWhole) return;
    const missing = [...(numbers ?? [])].filter((number) => !user.accounts.has(number));
    if (numbers && missing.length === 0) return;
    // From here on, new accounts are added as they come.
    user.isWhole = !numbers;
    try {
      await this.#readAccounts(user, numbers && missing);
    } catch (error) {
      // What was read so far is not whole.
      if (!(error instanceof TooManyFollowed)) this.#forget(user);
      user.isWhole = false;
      throw error;
    }
  }

  async #readAccounts(user: UserStanding, numbers: readonly number[] | undefined): Promise<void> {
    const { source, catalogue } = this.#parts;
    const { version } = catalogue;
    const found = await source.accountsOf(user.userId, numbers, MAX_ACCOUNTS);
    const added = [...found].filter(([number]) => !user.accounts.has(number));
    if (this.#userOf.size + added.length > MAX_ACCOUNTS) {
      throw new TooManyFollowed('All places for accounts that are followed are taken');
    }
    for (const [number, id] of added) this.#add(user, number, id, version);
    const own = added.map(([number]) => number).filter((number) => user.accounts.has(number));
    await this.#readStates(own);
    await this.#inTurn(async () =>
      user.tell(await source.openIncidents(user.userId, own, !numbers)),
    );
  }

  /** Adds an account that was read at a version of the catalogue, unless it is gone since. */
  #add(user: UserStanding, number: number, id: string, version: number): void {
    const { source, catalogue } = this.#parts;
    if (catalogue.isChanged('removed', number, version)) return;
    const isFolded = source.isFolded(number);
    user.accounts.set(number, { id, isFolded, staleAtMs: Number.POSITIVE_INFINITY });
    this.#userOf.set(number, user);
  }

  /** Looks soon, but not sooner than a while after the last time. */
  #plan(): void {
    if (this.#cancelRound || this.#users.size === 0 || this.isClosed) return;
    const { time } = this.#parts;
    const waitMs = Math.max(0, this.#roundAtMs + ROUND_MS - time.elapsed());
    this.#cancelRound = time.after(waitMs, () => {
      this.#cancelRound = undefined;
      this.#rounds.wake();
    });
  }

  #noteChanged(accountNumber: number): void {
    if (!this.#userOf.has(accountNumber)) return;
    this.#changed.add(accountNumber);
    this.#plan();
  }

  #noteNews(news: IncidentNews): void {
    this.#news.push(news);
    if (this.#news.length > MAX_NEWS) this.#forgetAll();
    this.#plan();
  }

  /** Something was changed, here or in another process. */
  #note(change: Change | undefined): void {
    if (this.#users.size === 0) return;
    const { kind, key = '' } = change ?? {};
    const [accountNumber = 0, timeMs = 0] = key.split(' ').map(Number);
    if (kind === undefined) this.#forgetAll();
    else if (kind === 'token') this.#tokenChanges += 1;
    else if (kind === 'removed') this.#remove(accountNumber);
    else if (kind === 'tracker') this.#noteChanged(accountOfTracker(key));
    else if (this.#userOf.has(accountNumber)) {
      if (kind === 'incident') this.#noteNews({ accountNumber, timeMs });
      else this.#noteChanged(accountNumber);
    } else if (kind === 'account' && this.#unknown.size < MAX_NEWS) {
      this.#unknown.add(accountNumber);
    }
    this.#plan();
  }

  #remove(accountNumber: number): void {
    const user = this.#userOf.get(accountNumber);
    const followed = user?.accounts.get(accountNumber);
    if (!user || !followed) return;
    user.accounts.delete(accountNumber);
    this.#userOf.delete(accountNumber);
    user.log.remove(accountNumber);
    user.log.set(accountNumber, 'gone', '', `"accountId":${JSON.stringify(followed.id)}`);
    this.#plan();
    user.wake();
  }

  #forgetAll(): void {
    for (const user of this.#users.values()) this.#forget(user);
    this.#changed.clear();
    this.#unknown.clear();
    this.#news = [];
  }

  #forget(user: UserStanding): void {
    user.isOver = true;
    for (const number of user.accounts.keys()) this.#userOf.delete(number);
    if (this.#users.get(user.userId) === user) this.#users.delete(user.userId);
    user.wake();
  }

  async #look(): Promise<void> {
    if (this.#users.size === 0) return;
    const { catalogue, time } = this.#parts;
    this.#roundAtMs = time.elapsed();
    await catalogue.refresh();
    if (this.#roundAtMs - this.#patrolledAtMs >= PATROL_MS) await this.#patrol();
    await this.#addNew();
    const before = new Map([...this.#users.values()].map((user) => [user, user.log.version]));
    const numbers = [...this.#changed].slice(0, ACCOUNTS_PER_ROUND);
    const news = this.#news.splice(0);
    for (const number of numbers) this.#changed.delete(number);
    try {
      await this.#readStates(numbers);
      for (const [user, own] of Map.groupBy(news, (each) => this.#userOf.get(each.accountNumber))) {
        if (user) await this.#readIncidents(user, own);
      }
    } catch (error) {
      for (const number of numbers) this.#changed.add(number);
      this.#news.unshift(...news);
      throw error;
    }
    const areTokens = this.#toldTokenChanges !== this.#tokenChanges;
    this.#toldTokenChanges = this.#tokenChanges;
    for (const [user, version] of before) {
      if (areTokens || user.log.version !== version) user.wake();
    }
    if (this.#changed.size > 0) this.#plan();
  }

  /** What nobody announces: age, accounts that another process folds, users without readers. */
  async #patrol(): Promise<void> {
    const { source, time } = this.#parts;
    this.#patrolledAtMs = time.elapsed();
    for (const user of [...this.#users.values()]) {
      if (user.readers === 0 && time.elapsed() - user.idleSinceMs > KEPT_MS) this.#forget(user);
    }
    const foreign: number[] = [];
    for (const [number, user] of this.#userOf) {
      const followed = user.accounts.get(number);
      if (!followed) continue;
      const isFolded = source.isFolded(number);
      if (isFolded !== followed.isFolded || followed.staleAtMs <= time.now()) {
        followed.isFolded = isFolded;
        followed.staleAtMs = Number.POSITIVE_INFINITY;
        this.#changed.add(number);
      }
      if (!isFolded) foreign.push(number);
    }
    for (const number of await source.storedAnew(foreign)) this.#changed.add(number);
  }

  /** New accounts of users all of whose accounts are followed. */
  async #addNew(): Promise<void> {
    if (this.#unknown.size === 0) return;
    const numbers = [...this.#unknown];
    this.#unknown.clear();
    const { source, catalogue } = this.#parts;
    const { version } = catalogue;
    for (const { number, id, userId } of await source.findAccounts(numbers)) {
      const user = this.#users.get(userId);
      if (!user?.isWhole || user.accounts.has(number)) continue;
      if (this.#userOf.size >= MAX_ACCOUNTS) return this.#forget(user);
      this.#add(user, number, id, version);
      user.log.set(number, 'incidents', 'open', '"openIncidents":0');
      this.#changed.add(number);
    }
  }

  async #readStates(numbers: readonly number[]): Promise<void> {
    const answer: Parameters<StandingSource['readStates']>[1] = (number, { staleAtMs, texts }) => {
      const user = this.#userOf.get(number);
      const followed = user?.accounts.get(number);
      if (!user || !followed) return;
      followed.staleAtMs = staleAtMs;
      for (const [part, text] of texts) user.log.set(number, part, '', text);
    };
    await this.#inTurn(() => this.#parts.source.readStates(numbers, answer));
  }

  async #readIncidents(user: UserStanding, news: readonly IncidentNews[]): Promise<void> {
    if (news.length === 0) return;
    const { source } = this.#parts;
    await this.#inTurn(async () => user.tell(await source.readIncidents(user.userId, news)));
  }

  /** One reading at a time: what an older one found must not replace what a newer one told. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    const reading = this.#reading.then(read);
    this.#reading = reading.catch(() => {});
    return reading;
  }
}
