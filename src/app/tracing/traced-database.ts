import type { Database, Sql, Transaction } from '../../storage/database.ts';
import type { Tracing } from './tracing.ts';

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' };

/** The same database; statements and transactions are steps of their request. */
export function traceDatabase(database: Database, tracing: Tracing): Database {
  return {
    ...traceStatements(database, tracing),
    get isShared() {
      return database.isShared;
    },
    get failure() {
      return database.failure;
    },
    transaction: (work, options) =>
      tracing.step('transaction', attributesOf(database, 'transaction'), () =>
        database.transaction((tx) => work(traceTransaction(tx, tracing)), options),
      ),
    listen: (channel, heard) => database.listen(channel, heard),
    announce: (channel, payload) => database.announce(channel, payload),
    close: () => database.close(),
  };
}

function traceTransaction(tx: Transaction, tracing: Tracing): Transaction {
  return {
    ...traceStatements(tx, tracing),
    lock: (key) => tracing.step('lock', attributesOf(tx, 'lock'), () => tx.lock(key)),
    tryLock: (key) => tx.tryLock(key),
    atEnd: (work) => tx.atEnd(work),
    script: (sql) => tx.script(sql),
  };
}

/** A statement's text is recorded, never its values. */
function traceStatements(sql: Sql, tracing: Tracing): Sql {
  const step = <T>(text: string, ask: () => Promise<T>): Promise<T> => {
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
    const query = { 'db.query.text': text.replaceAll(/\s+/g, ' ').trim() };
    return tracing.step(operation, { ...attributesOf(sql, operation), ...query }, ask);
  };
  return {
    kind: sql.kind,
    all: (text, params) => step(text, () => sql.all(text, params)),
    get: (text, params) => step(text, () => sql.get(text, params)),
    run: (text, params) => step(text, () => sql.run(text, params)),
  };
}

const attributesOf = ({ kind }: Sql, operation: string): Record<string, string> => ({
  'db.system.name': SYSTEMS[kind],
  'db.operation.name': operation,
});
