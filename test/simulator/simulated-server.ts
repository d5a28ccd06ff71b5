import type { SqlParameter } from '../../src/storage/database.ts';
import { type Channel, DatabaseUnavailable } from '../../src/storage/database.ts';
import { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import type { SimulatedPlatform } from './simulated-platform.ts';
import type { SimulatedCluster } from './simulated-stream.ts';
import type { Machine, World } from './world.ts';

/** As PostgreSQL is configured: see drivers/postgres.ts. */
const IDLE_IN_TRANSACTION_MS = 3000;
const STATEMENT_MS = 3500;

export type Method = 'all' | 'get' | 'run';
type Listener = { machine: Machine; channel: Channel; heard: (payload: string) => void };

/** The statement lost a deadlock. */
export class Deadlock extends Error {
  override readonly name = 'Deadlock';
}

/**
 * A database server that all machines share: SQLite underneath, with the manners of PostgreSQL.
 * Transactions overlap, read what is committed, and write or lock one after the other; one whose
 * client says nothing for long is ended.
 */
export class SimulatedServer {
  readonly world: World;
  faults: Faults = NO_FAULTS;
  /** It accepts no connections. */
  isAway = false;
  /** Checks the stored data after each commit, before any client. */
  onCommit: (writer: SqliteConnection) => Promise<void> = async () => {};
  /** Holds the journal, where this server does not. */
  cluster: SimulatedCluster | undefined;
  maxMessageBytes = 1_000_000;
  /** Where actions at breaches are done; without it there is no worker for them. */
  platform: SimulatedPlatform | undefined;
  readonly writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #listeners = new Set<Listener>();
  readonly #sessions = new Set<Session>();
  readonly #waiting: { session: Session; go: () => void }[] = [];
  #holder: Session | undefined;

  constructor(world: World, file: string) {
    this.world = world;
    this.writer = new SqliteConnection(file);
    this.#reader = new SqliteConnection(file);
  }

  close(): void {
    this.#reader.close();
    this.writer.close();
  }

  open(machine: Machine): Session {
    const session = new Session(this, machine);
    this.#sessions.add(session);
    machine.onEnd(() => this.world.after(this.world.random.next() * 50, () => session.end()));
    return session;
  }

  /** A statement outside of a transaction. */
  async alone(machine: Machine, method: Method, sql: string, params: Params): Promise<unknown> {
    if (!changes(sql)) return this.run(this.#reader, method, sql, params);
    const session = this.open(machine);
    try {
      const answer = await session.statement(method, sql, params);
      await session.commit();
      return answer;
    } finally {
      session.end();
    }
  }

  /** The server restarts: all open connections are gone. */
  leave(): void {
    this.isAway = true;
    for (const session of [...this.#sessions]) session.end();
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(channel: Channel, payload: string): void {
    for (const listener of this.#listeners) {
      if (listener.channel !== channel || listener.machine.isCutOff || this.isAway) continue;
      if (this.world.random.chance(this.faults.unheard)) continue;
      this.#tell(listener, payload);
    }
  }

  /** A machine is connected again: it may have missed something. */
  reconnected(machine: Machine): void {
    for (const listener of this.#listeners) {
      if (listener.machine === machine) this.#tell(listener, '');
    }
  }

  #tell(listener: Listener, payload: string): void {
    const hear = (): void => {
      if (this.#listeners.has(listener)) listener.heard(payload);
    };
    this.world.after(this.world.latencyMs(), hear, listener.machine);
  }

  async run(
    connection: SqliteConnection,
    method: Method,
    sql: string,
    params: Params,
  ): Promise<unknown> {
    try {
      return await connection[method](sql, params);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('simulator:')) {
        this.world.fail(error.message);
      }
      throw error;
    }
  }

  read(method: Method, sql: string, params: Params): Promise<unknown> {
    return this.run(this.#reader, method, sql, params);
  }

  get isFree(): boolean {
    return this.#holder === undefined;
  }

  /** Waits for the right to write. */
  async acquire(session: Session): Promise<void> {
    if (this.#holder === session) return;
    if (!this.#holder) this.#holder = session;
    else {
      await new Promise<void>((resolve, reject) => {
        const waiting = { session, go: resolve };
        this.world.after(STATEMENT_MS, () => {
          const place = this.#waiting.indexOf(waiting);
          if (place < 0) return;
          this.#waiting.splice(place, 1);
          reject(new DatabaseUnavailable('The statement took too long'));
        });
        this.#waiting.push(waiting);
      });
    }
    if (session.isOver) throw new DatabaseUnavailable('The connection was ended');
    this.writer.exec('begin immediate');
  }

  release(session: Session): void {
    this.#sessions.delete(session);
    if (this.#holder !== session) return;
    if (this.writer.isInTransaction) this.writer.exec('rollback');
    this.#holder = undefined;
    while (!this.#holder) {
      const next = this.#waiting.shift();
      if (!next) return;
      if (next.session.isOver) continue;
      this.#holder = next.session;
      next.go();
    }
  }
}

type Params = readonly SqlParameter[];

/** Whether a statement writes or locks. */
const changes = (sql: string): boolean => /\b(?:insert|update|delete|create|share)\b/i.test(sql);

/** A transaction as the server sees it. */
export class Session {
  readonly #server: SimulatedServer;
  readonly #machine: Machine;
  #isOver = false;
  #isAborted = false;
  #isWriting = false;
  #cancelIdle = (): void => {};

  constructor(server: SimulatedServer, machine: Machine) {
    this.#server = server;
    this.#machine = machine;
    this.#idle();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async statement(method: Method, sql: string, params: Params): Promise<unknown> {
    return this.#perform(async () => {
      if (changes(sql)) await this.#write();
      if (!this.#isWriting) return this.#server.read(method, sql, params);
      return this.#server.run(this.#server.writer, method, sql, params);
    });
  }

  async lock(): Promise<void> {
    await this.#perform(() => this.#write());
  }

  async tryLock(): Promise<boolean> {
    return this.#perform(async () => {
      const { world, faults, isFree } = this.#server;
      if (world.random.chance(faults.busy) || (!this.#isWriting && !isFree)) return false;
      await this.#write();
      return true;
    });
  }

  async commit(): Promise<void> {
    await this.#perform(async () => {
      if (this.#isWriting) {
        this.#server.writer.exec('commit');
        await this.#server.onCommit(this.#server.writer);
      }
    });
    this.end();
  }

  /** The client is gone, has ended it, or was silent for too long. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelIdle();
    this.#server.release(this);
  }

  async #perform<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new DatabaseUnavailable('The connection was ended');
    if (this.#isAborted) throw new Error('The transaction is aborted: nothing may follow');
    this.#cancelIdle();
    try {
      const { world, faults } = this.#server;
      if (world.random.chance(faults.conflict / 4)) throw new Deadlock('deadlock detected');
      return await work();
    } catch (error) {
      this.#isAborted = true;
      throw error;
    } finally {
      if (!this.#isOver) this.#idle();
    }
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    await this.#server.acquire(this);
    this.#isWriting = true;
  }

  #idle(): void {
    this.#cancelIdle = this.#server.world.after(IDLE_IN_TRANSACTION_MS, () => {
      this.#server.world.tell(() => `${this.#machine.name}'s transaction was idle for too long`);
      this.end();
    });
  }
}
