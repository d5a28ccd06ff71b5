import type {
  Channel,
  Database,
  Row,
  SqlParameter,
  Transaction,
  TransactionOptions,
} from '../../src/storage/database.ts';

/** A statement, or the `begin` or `commit` of a transaction. */
export type Statement = { sql: string; params: readonly SqlParameter[] };

/** A test's effect on statements: refuses them by throwing, or delays them. */
export type Faults = {
  /** Before the database is asked. */
  before?: (statement: Statement) => unknown;
  /** After it has done the work, before the answer. */
  after?: (statement: Statement) => unknown;
  /** Announcements of others that do not arrive. */
  isDeaf?: () => boolean;
};

/** A real database as one process sees it over a network that a test cuts and slows down. */
export class FaultyDatabase implements Database {
  readonly #database: Database;
  faults: Faults = {};

  constructor(database: Database) {
    this.#database = database;
  }

  get kind(): Database['kind'] {
    return this.#database.kind;
  }

  get isShared(): boolean {
    return this.#database.isShared;
  }

  get failure(): string | undefined {
    return this.#database.failure;
  }

  all<T extends Row>(sql: string, params: readonly SqlParameter[] = []): Promise<T[]> {
    return this.#ask({ sql, params }, () => this.#database.all<T>(sql, params));
  }

  get<T extends Row>(sql: string, params: readonly SqlParameter[] = []): Promise<T | undefined> {
    return this.#ask({ sql, params }, () => this.#database.get<T>(sql, params));
  }

  run(sql: string, params: readonly SqlParameter[] = []): Promise<number> {
    return this.#ask({ sql, params }, () => this.#database.run(sql, params));
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const end = { sql: 'commit', params: [] };
    const begin = { sql: 'begin', params: [] };
    const inside = async (tx: Transaction): Promise<T> => {
      const result = await work(this.#inside(tx));
      await this.faults.before?.(end);
      return result;
    };
    return this.#ask(begin, async () => {
      const result = await this.#database.transaction(inside, options);
      await this.faults.after?.(end);
      return result;
    });
  }

  listen(channel: Channel, heard: (payload: string) => void): () => void {
    return this.#database.listen(channel, (payload) => {
      if (!this.faults.isDeaf?.()) heard(payload);
    });
  }

  announce(channel: Channel, payload: string): void {
    if (!this.faults.isDeaf?.()) this.#database.announce(channel, payload);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #inside(tx: Transaction): Transaction {
    return {
      ...tx,
      all: <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
        this.#ask({ sql, params }, () => tx.all<T>(sql, params)),
      get: <T extends Row>(sql: string, params: readonly SqlParameter[] = []) =>
        this.#ask({ sql, params }, () => tx.get<T>(sql, params)),
      run: (sql, params = []) => this.#ask({ sql, params }, () => tx.run(sql, params)),
    };
  }

  async #ask<T>(statement: Statement, ask: () => Promise<T>): Promise<T> {
    await this.faults.before?.(statement);
    const answer = await ask();
    await this.faults.after?.(statement);
    return answer;
  }
}
