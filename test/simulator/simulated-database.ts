import {
  type Channel,
  type Database,
  DatabaseUnavailable,
  type Row,
  type SqlParameter,
  type Transaction,
  TransactionConflict,
} from '../../src/storage/database.ts';
import { type BareTransaction, withEnd } from '../../src/storage/drivers/with-end.ts';
import { Deadlock, type Method, type Session, type SimulatedServer } from './simulated-server.ts';
import type { Machine, World } from './world.ts';

/** As the client of PostgreSQL does it: see drivers/postgres-pool.ts and drivers/postgres.ts. */
const ANSWER_MS = 4200;
const PROBE_MS = 500;
const ATTEMPTS = 5;
/** An answer that comes too late comes within this. */
const MOST_LATE_MS = 4000;
/** A slow answer, though not a late one. */
const MOST_SLOW_MS = 600;

/** The database as a process on a machine has it: behind a network that loses and delays. */
export class SimulatedDatabase implements Database {
  readonly kind = 'sqlite';
  readonly isShared = true;
  readonly failure = undefined;
  readonly #server: SimulatedServer;
  readonly #machine: Machine;
  readonly #world: World;
  readonly #pending = new Set<(error: Error) => void>();
  #isSilent = false;

  constructor(server: SimulatedServer, machine: Machine) {
    this.#server = server;
    this.#machine = machine;
    this.#world = server.world;
  }

  all<T extends Row>(sql: string, params: readonly SqlParameter[] = []): Promise<T[]> {
    return this.#alone('all', sql, params) as Promise<T[]>;
  }

  get<T extends Row>(sql: string, params: readonly SqlParameter[] = []): Promise<T | undefined> {
    return this.#alone('get', sql, params) as Promise<T | undefined>;
  }

  run(sql: string, params: readonly SqlParameter[] = []): Promise<number> {
    return this.#alone('run', sql, params) as Promise<number>;
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transaction(work);
      } catch (error) {
        if (!(error instanceof Deadlock)) throw error;
        this.#world.count('deadlocks');
        if (attempt === ATTEMPTS)
          throw new TransactionConflict('Other transactions are changing the same rows');
      }
    }
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    return this.#server.listen({ machine: this.#machine, channel, heard });
  }

  announce(channel: Channel, payload: string): void {
    this.#ask(async () => this.#server.announce(channel, payload)).catch(() => {});
  }

  async close(): Promise<void> {}

  async #alone(method: Method, sql: string, params: readonly SqlParameter[]): Promise<unknown> {
    try {
      const { world, faults } = this.#server;
      const slowMs = world.random.chance(faults.slow) ? world.random.next() * MOST_SLOW_MS : 0;
      return await this.#ask(() => this.#server.alone(this.#machine, method, sql, params), slowMs);
    } catch (error) {
      if (error instanceof Deadlock)
        throw new TransactionConflict('Other transactions are changing the same rows');
      throw error;
    }
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let session: Session | undefined;
    const opened = (): Session => {
      session ??= this.#server.open(this.#machine);
      return session;
    };
    try {
      await this.#ask(async () => void opened());
      const result = await withEnd(this.#transactionOn(opened()), work);
      await this.#ask(() => opened().commit());
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#drop(session);
      else await this.#ask(async () => opened().end());
      throw error;
    }
  }

  /** The connection is given up; over a network that is gone the server does not hear of it. */
  #drop(session: Session | undefined): void {
    if (!session || this.#machine.isCutOff) return;
    this.#world.after(this.#world.latencyMs(), () => session.end());
  }

  #transactionOn(session: Session): BareTransaction {
    const ask = (method: Method, sql: string, params: readonly SqlParameter[] = []) =>
      this.#ask(() => session.statement(method, sql, params));
    return {
      kind: 'sqlite',
      all: <T extends Row>(sql: string, params?: readonly SqlParameter[]) =>
        ask('all', sql, params) as Promise<T[]>,
      get: <T extends Row>(sql: string, params?: readonly SqlParameter[]) =>
        ask('get', sql, params) as Promise<T | undefined>,
      run: (sql, params) => ask('run', sql, params) as Promise<number>,
      lock: () => this.#ask(() => session.lock()),
      tryLock: () => this.#ask(() => session.tryLock()),
      script: async () => {
        throw new Error('No migrations here');
      },
    };
  }

  /** Makes the server do something, over the network. */
  #ask<T>(perform: () => Promise<T>, slowMs = 0): Promise<T> {
    const world = this.#world;
    const fate = this.#fate();
    if (fate !== 'fine') world.count(`statements ${fate}`);
    return new Promise<T>((resolve, reject) => {
      if (fate === 'refused') {
        world.after(world.latencyMs(), () => reject(refused()), this.#machine);
        return;
      }
      const settle = (end: () => void): void => {
        if (!this.#pending.delete(giveUp)) return;
        cancel();
        end();
      };
      const giveUp = (error: Error): void => settle(() => reject(error));
      this.#pending.add(giveUp);
      const cancel = world.after(ANSWER_MS, () => this.#fallSilent(), this.#machine);
      if (fate === 'lost') return;
      const answer = (end: () => void): void => {
        if (this.#machine.isCutOff) return;
        if (fate === 'unanswered') {
          // The connection breaks at once, or stays silent for ever.
          if (world.random.chance(0.5)) return;
          world.after(world.latencyMs(), () => giveUp(refused()), this.#machine);
        } else world.after(slowMs + world.latencyMs(), () => settle(end), this.#machine);
      };
      const onTheWayMs =
        fate === 'late' ? ANSWER_MS + world.random.next() * MOST_LATE_MS : world.latencyMs();
      world.after(onTheWayMs, () => {
        if (this.#server.isAway) return answer(() => reject(refused()));
        perform().then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  #fate(): 'fine' | 'refused' | 'lost' | 'unanswered' | 'late' {
    const { faults, isAway } = this.#server;
    const { random } = this.#world;
    if (this.#isSilent || isAway || random.chance(faults.refused)) return 'refused';
    if (this.#machine.isCutOff || random.chance(faults.lost)) return 'lost';
    if (random.chance(faults.unanswered)) return 'unanswered';
    return random.chance(faults.late) ? 'late' : 'fine';
  }

  /** All waiting and new callers fail, until the database answers again. */
  #fallSilent(): void {
    for (const giveUp of [...this.#pending]) giveUp(refused());
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#world.tell(() => `${this.#machine.name} finds the database silent`);
    this.#probe();
  }

  #probe(): void {
    const look = (): void => {
      if (this.#machine.isCutOff || this.#server.isAway) {
        this.#probe();
        return;
      }
      this.#isSilent = false;
      this.#server.reconnected(this.#machine);
    };
    this.#world.after(PROBE_MS, look, this.#machine);
  }
}

const refused = (): DatabaseUnavailable => new DatabaseUnavailable('The database is not there');
