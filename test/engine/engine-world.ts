import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { TestTime } from '../servers/test-time.ts';
import { untilPassed } from '../servers/until.ts';
import { connectTo } from '../storage-contract/fixture.ts';
import { type LiveOptions, LiveProcess } from './live-process.ts';

export const CHECKPOINT_MS = 100;
export const BEAT_MS = 1000;
export const PATIENCE_MS = 4000;
/**
 * Much less than the patience: a process whose time outruns its database would always think that it
 * had been away itself.
 */
export const STEP_MS = 250;

/** A process of the live side with a time and a network of its own. */
export class TestProcess {
  readonly live: LiveProcess;
  readonly time: TestTime;
  readonly network: FaultyDatabase;
  readonly #database: Database;
  readonly #disconnect: () => Promise<void>;
  #gone: Promise<void> | undefined;

  constructor(
    live: LiveProcess,
    time: TestTime,
    network: FaultyDatabase,
    database: Database,
    disconnect: () => Promise<void>,
  ) {
    this.live = live;
    this.time = time;
    this.network = network;
    this.#database = database;
    this.#disconnect = disconnect;
  }

  /** Folds what was acknowledged so far. */
  settle(): Promise<void> {
    return this.live.engine.settle();
  }

  /** Folds and stores what was acknowledged so far. */
  async store(): Promise<void> {
    await this.settle();
    const head = await this.live.journal.head();
    const isStored = (): boolean =>
      this.live.engine.partitions.every(({ storedPosition }) => storedPosition >= head);
    await untilPassed(() => this.time.pass(CHECKPOINT_MS), isStored, 'everything stored');
  }

  /** Time passes here until something holds, no faster than the database answers. */
  untilPassed(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const pass = async (): Promise<void> => {
      await this.time.pass(STEP_MS);
      await this.#database.get('select 1');
    };
    return untilPassed(pass, holds, what);
  }

  /**
   * As kill -9: requests on their way may arrive, nothing more comes. Resolves when that is done.
   */
  async kill(): Promise<void> {
    const gone = (): never => {
      throw new Error('this process was killed');
    };
    this.network.faults = { before: gone, isDeaf: () => true };
    this.live.engine.abandon();
    void this.live.claims.abandon();
    this.#gone ??= this.#disconnect();
    await this.#gone;
  }
}

/** A database, and processes on it that a test starts, stops and kills. */
export class EngineWorld {
  readonly database: Database;
  readonly #environment: Record<string, string>;
  readonly #t: TestContext;
  #processes = 0;

  static async open(t: TestContext, kind: Database['kind']): Promise<EngineWorld> {
    const opened = await openTestDatabase(kind);
    t.after(() => opened.close());
    return new EngineWorld(t, opened.database, opened.environment);
  }

  private constructor(t: TestContext, database: Database, environment: Record<string, string>) {
    this.#t = t;
    this.database = database;
    this.#environment = environment;
  }

  /** A process that folds nothing yet. */
  async open(options: LiveOptions = {}): Promise<TestProcess> {
    this.#processes += 1;
    const isShared = this.database.isShared;
    const own = isShared ? connectTo(this.#environment) : this.database;
    const network = new FaultyDatabase(own);
    const time = new TestTime();
    const live = await LiveProcess.open(network, {
      ...{ time, checkpointMs: CHECKPOINT_MS, beatMs: BEAT_MS, patienceMs: PATIENCE_MS },
      ownerId: `${this.#processes}-${randomUUID()}`,
      ...options,
    });
    const process = new TestProcess(live, time, network, this.database, async () => {
      if (isShared) await own.close();
    });
    this.#t.after(() => process.kill());
    return process;
  }

  async start(options: LiveOptions = {}): Promise<TestProcess> {
    const process = await this.open(options);
    await process.live.engine.start();
    return process;
  }
}
