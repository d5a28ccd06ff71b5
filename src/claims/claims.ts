import { Rounds } from '../domain/rounds.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import {
  ALONE,
  buryProcess,
  type Claim,
  type ClaimKind,
  deleteClaim,
  deleteUnknownClaims,
  insertClaims,
  joinProcesses,
  listFencesOf,
  listProcesses,
  type ProcessRow,
  removeAlone,
  removeProcess,
  showProcess,
} from '../storage/claim-store.ts';
import { type Database, DatabaseUnavailable, type Transaction } from '../storage/database.ts';
import { ClockWatch } from './clock-watch.ts';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from './local-processes.ts';
import { PATIENCE_MS, type Seeing, Silence } from './silence.ts';

const BEAT_MS = 1000;

export type ClaimsOptions = {
  database: Database;
  time: Timekeeper;
  /** Identifies this process; new at each start. */
  id: string;
  logger: { warn(fields: object, message: string): void };
  /** Names the machine, for operators. */
  host?: string;
  /** Finds out about other processes there, so that none waits for one that has ended. */
  localProcesses?: LocalProcesses;
  /** No other server uses the database, at most a command: this one needs no beat. */
  isAlone?: boolean;
  /** The newest schema known to this process, and the ids of the keys in its settings. */
  schemaVersion?: number;
  keyIds?: readonly string[];
  /** Called once when the schema has become unknown to this process: it must end. */
  onNewerSchema?: () => void;
  beatMs?: number;
  /** How long a process may be silent before others take its jobs. */
  patienceMs?: number;
};

/** Claims the free ones of the jobs, in a transaction. */
export type Take = (tx: Transaction, kind: ClaimKind, keys: readonly string[]) => Promise<Claim[]>;
/** Leaves a job just taken to whoever wants it, in the transaction that took it. */
export type GiveUp = (tx: Transaction, claim: Claim) => Promise<void>;
/** Ends the claim in a transaction; false if it was lost before: then nothing may be stored. */
export type Release = (tx: Transaction) => Promise<boolean>;

/** Work took so long that others may have taken it over by now. */
export class HeldUp extends DatabaseUnavailable {
  override readonly name = 'HeldUp';
  constructor() {
    super('This server or its database was held up');
  }
}

/**
 * Claims decide which process does a job: folds a partition, acts at a breach of an account, reads
 * a profile, sends a webhook or a mail, stores an import. One protocol for all of them.
 *
 * - Take: insert the job's row into `claim`. A row exists exactly while a process does the job,
 *   and its key is unique, so one of several takers gets it. The database gives the row a number
 *   that it never gives again, the fence.
 * - Work: every result of the job is stored in a transaction that finds the row with the
 *   fence, and keeps it there to the end (`isClaimed`), or deletes it (`releasing`).
 * - Release: delete the row, in the transaction of the outcome.
 * - Beat: each process moves a number in its own row of `process`. The others look once a second.
 *   If the number stands still for the patience, by the looking process' stopwatch, they delete the
 *   claims of the silent one, in a transaction that keeps the row and finds the same number.
 *   Processes on the same machine do so at once when they see that it has ended. `mail` and
 *   `import` wait until it is gone for good, because it is worse to send a mail twice than to send
 *   it a minute later.
 * - Act outside of the database: first beat, then ask whether the claim holds, and act only if both
 *   took so little time that no process can have deleted it (`fresh`).
 * - A lost answer: a process that finds rows of its own that it does not know deletes
 *   them after the patience.
 *
 * Invariants: a job has one claim at most. A fence is one claim of one process for ever. Nothing is
 * stored for a claim that is gone. No wall clock decides anything. A claim of a process that has
 * died ends, seen from any machine; one of a process that lives ends with its work, whose every
 * wait has a bound. No process waits for a row except those that want that job or process: a beat
 * changes no claim, and a claim is locked by its own work alone.
 */
export class Claims {
  readonly id: string;
  readonly #options: ClaimsOptions;
  readonly #beatMs: number;
  readonly #patienceMs: number;
  readonly #silence: Silence;
  readonly #clock: ClockWatch;
  readonly #startedAtMs: number;
  readonly #shares = new Set<ClaimKind>();
  readonly #rounds: Rounds;
  readonly #listeners = new Set<() => void>();
  /** By fence: called when the claim turns out to be lost. */
  readonly #held = new Map<number, () => void>();
  /** Rows of this process without a known claim, and since when. */
  #unknown = new Map<number, number>();
  /** Whether there may be such rows. */
  #isDoubtful = false;
  #seeing: Seeing = { living: [], beating: new Set(), silent: [], gone: [] };
  #beat = 0;
  #isOutdated = false;
  #shownMs = Number.NEGATIVE_INFINITY;
  #report: (() => object) | undefined;
  #starting: Promise<void> | undefined;
  #isStopped = false;
  /** How many transactions may take claims now, and who waits for their end. */
  #taking = 0;
  #taken = (): void => {};

  constructor(options: ClaimsOptions) {
    const { time, id, localProcesses, logger } = options;
    this.id = id;
    this.#options = options;
    this.#beatMs = options.beatMs ?? BEAT_MS;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#silence = new Silence(time, this.#patienceMs, localProcesses);
    this.#clock = new ClockWatch(time, logger);
    this.#startedAtMs = time.now();
    this.#rounds = new Rounds(
      () => this.#round(),
      (error) => logger.warn({ err: error }, 'other processes cannot be checked; trying again'),
    );
  }

  /** Beats, and frees the jobs of dead processes; repeats both from now on. */
  start(): Promise<void> {
    this.#starting ??= this.#begin().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Ends all claims of this process, and takes no more: nobody would ever end them. */
  async stop(): Promise<void> {
    const wasStarted = this.#starting;
    this.#isStopped = true;
    await this.abandon();
    if (!wasStarted) return;
    if (this.#taking > 0)
      await new Promise<void>((resolve) => {
        this.#taken = resolve;
      });
    const { database } = this.#options;
    await database.transaction((tx) => removeProcess(tx, this.id)).catch(() => {});
    this.#notifyOthers();
  }

  /** Stops at once, like a process that is killed. */
  abandon(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Starts taking a share of the jobs of a kind; `report` is for operators. */
  async share(kind: ClaimKind, report = this.#report): Promise<void> {
    await this.start();
    this.#report = report;
    this.#shares.add(kind);
    this.#rounds.wake();
    await this.#rounds.settle();
  }

  /** Stops taking a share, and notifies the others. */
  async unshare(kind: ClaimKind): Promise<void> {
    this.#shares.delete(kind);
    await this.#show();
    this.#notifyOthers();
  }

  /** The living processes that share the jobs of a kind, in the order of their starts. */
  sharing(kind: ClaimKind): string[] {
    if (this.#isAlone) return this.#shares.has(kind) ? [this.id] : [];
    const { living } = this.#seeing;
    return living.filter(({ shares }) => shares.includes(kind)).map(({ id }) => id);
  }

  /** How many milliseconds this machine's clock is ahead of the database's. */
  get clockOffsetMs(): number {
    return this.#clock.offsetMs;
  }

  /**
   * The database's time, for what removes data by their age: they would be lost to all processes by
   * the wrong clock of one. On SQLite it is this machine's.
   */
  get databaseTime(): Timekeeper {
    const { time } = this.#options;
    return {
      now: () => this.#clock.now(),
      elapsed: () => time.elapsed(),
      after: (ms, call) => time.after(ms, call),
    };
  }

  /** Whether a process has been seen to beat. */
  isBeating(id: string): boolean {
    return this.#seeing.beating.has(id);
  }

  /** Calls `heard` after each check of the other processes. Returns how to unsubscribe. */
  listen(heard: () => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** Claims a job; undefined if another process has it. `lost` is called if the claim is lost. */
  async take(kind: ClaimKind, key: string, lost?: () => void): Promise<Claim | undefined> {
    const { database } = this.#options;
    const work = (take: Take) => database.transaction((tx) => take(tx, kind, [key]));
    return (await this.taking(work, lost))[0];
  }

  /** Lets a transaction claim jobs, which are held once it is committed. */
  async taking<T>(
    work: (take: Take, giveUp: GiveUp) => Promise<T>,
    lost = (): void => {},
  ): Promise<T> {
    await this.start();
    if (this.#isStopped) throw new HeldUp();
    this.#taking += 1;
    const taken = new Set<number>();
    const take: Take = async (tx, kind, keys) => {
      const claims = await insertClaims(tx, kind, keys, this.id);
      for (const { fence } of claims) taken.add(fence);
      return claims;
    };
    const giveUp: GiveUp = async (tx, { fence }) => {
      await deleteClaim(tx, fence);
      taken.delete(fence);
    };
    try {
      const result = await work(take, giveUp);
      for (const fence of taken) this.#held.set(fence, lost);
      return result;
    } catch (error) {
      this.#isDoubtful ||= taken.size > 0;
      throw error;
    } finally {
      this.#taking -= 1;
      if (this.#taking === 0) this.#taken();
    }
  }

  /** Gives a job up, so that another process can take it at once. */
  async release({ fence }: Claim): Promise<void> {
    await this.releasing({ fence }, () => deleteClaim(this.#options.database, fence));
  }

  /** Lets a transaction end a claim. Even if it fails, this process no longer does the job. */
  async releasing<T>(
    { fence }: Pick<Claim, 'fence'>,
    work: (release: Release) => Promise<T>,
  ): Promise<T> {
    try {
      return await work((tx) => deleteClaim(tx, fence));
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    } finally {
      this.#held.delete(fence);
    }
  }

  /** Whether all others still consider this process alive, so that its claims hold. */
  get isFresh(): boolean {
    return (
      this.#isAlone || this.#options.time.elapsed() - this.#shownMs < (this.#patienceMs * 3) / 4
    );
  }

  /**
   * The answer of `ask`, which asks whether a claim holds: it cannot be deleted within the next
   * moment. Throws HeldUp if it took too long, as this process may have been paused.
   */
  async fresh<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isAlone) return ask();
    const { time } = this.#options;
    if (time.elapsed() - this.#shownMs > this.#patienceMs / 4) await this.#show();
    const answer = await ask();
    if (!this.isFresh) throw new HeldUp();
    return answer;
  }

  get #isAlone(): boolean {
    return this.#options.isAlone ?? !this.#options.database.isShared;
  }

  async #begin(): Promise<void> {
    if (this.#isAlone) await this.#enterAlone();
    await this.#round();
    this.#rounds.patrol(this.#options.time, this.#beatMs);
  }

  /** Shows its row, without a beat, and ends the claims of its previous run. */
  async #enterAlone(): Promise<void> {
    const { database } = this.#options;
    await database.transaction(async (tx) => {
      await removeAlone(tx);
      await joinProcesses(tx, { ...this.#row(), beat: ALONE });
      await deleteUnknownClaims(tx);
    });
  }

  async #round(): Promise<void> {
    const { database } = this.#options;
    if (!this.#isAlone) await this.#show();
    this.#seeing = this.#silence.look(await listProcesses(database));
    const { silent, gone } = this.#seeing;
    for (const each of silent) await this.#endClaims(each, false);
    for (const each of gone) await this.#endClaims(each, true);
    if (!this.#isAlone || this.#isDoubtful) await this.#checkOwn();
    for (const heard of this.#listeners) heard();
  }

  /** A beat; its time is the one before the call, as others may see it at once. */
  async #show(): Promise<void> {
    if (this.#isAlone) return;
    const { time } = this.#options;
    const shownMs = time.elapsed();
    this.#beat += 1;
    const row = this.#row();
    if (!(await this.#write(row))) {
      if (!(await this.#join(row))) return;
      // Work may begin now, and some goes by the database's clock.
      await this.#write(this.#row());
    }
    this.#shownMs = Math.max(this.#shownMs, shownMs);
  }

  /** False if this process is not listed. */
  async #write(row: ProcessRow): Promise<boolean> {
    const { database } = this.#options;
    const databaseMs = database.isShared
      ? await showProcess(database, row)
      : await database.transaction((tx) => showProcess(tx, row));
    if (databaseMs === undefined) return false;
    if (database.isShared) this.#clock.compare(databaseMs, row.seenAtMs);
    return true;
  }

  #row(): ProcessRow {
    const { time, host = '', localProcesses = NO_LOCAL_PROCESSES } = this.#options;
    const { schemaVersion = Number.MAX_SAFE_INTEGER, keyIds = [] } = this.#options;
    return {
      ...{ id: this.id, beat: this.#beat, shares: [...this.#shares], host },
      ...{ startedAtMs: this.#startedAtMs, seenAtMs: time.now() },
      report: this.#report ? JSON.stringify(this.#report()) : null,
      mark: localProcesses.own ?? null,
      ...{ schemaVersion, keyIds: [...keyIds] },
    };
  }

  /** False if the schema is a newer one. No beat counts then, so all work ends. */
  async #join(row: ProcessRow): Promise<boolean> {
    const { database, onNewerSchema } = this.#options;
    if (await database.transaction((tx) => joinProcesses(tx, row))) return true;
    if (!this.#isOutdated) onNewerSchema?.();
    this.#isOutdated = true;
    return false;
  }

  async #endClaims(row: ProcessRow, isGone: boolean): Promise<void> {
    if (row.id === this.id) return;
    const { database } = this.#options;
    const ended = await database.transaction((tx) => buryProcess(tx, row, isGone));
    if (ended > 0) this.#notifyOthers();
  }

  /** Finds claims that were lost, and rows whose answers were lost. */
  async #checkOwn(): Promise<void> {
    const { database, time } = this.#options;
    const held = [...this.#held];
    const stored = new Set(await listFencesOf(database, this.id));
    for (const [fence, lost] of held) {
      if (!stored.has(fence) && this.#held.delete(fence)) lost();
    }
    const nowMs = time.elapsed();
    const before = this.#unknown;
    this.#unknown = new Map();
    for (const fence of stored) {
      if (this.#held.has(fence)) continue;
      const sinceMs = before.get(fence) ?? nowMs;
      if (nowMs - sinceMs < this.#patienceMs) this.#unknown.set(fence, sinceMs);
      else if (await deleteClaim(database, fence)) this.#notifyOthers();
    }
    this.#isDoubtful = this.#unknown.size > 0;
  }

  #notifyOthers(): void {
    this.#options.database.announce('plimsoll_engines', this.id);
  }
}
