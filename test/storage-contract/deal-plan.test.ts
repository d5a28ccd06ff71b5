import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database, Row, Sql, SqlParameter } from '../../src/storage/database.ts';
import { insertDeals, listClosings, listDeals } from '../../src/storage/deal-store.ts';
import { needs } from '../needs.ts';
import { deal, newNumber, useDatabase } from './fixture.ts';

needs('postgres');

const MANY = 20_000;
const PAGE = 500;
const BEFORE_ALL = { timeMs: -1, id: '' };

/** The steps by which a reading finds its rows. */
async function planOf(
  { database }: { database: Database },
  read: (sql: Sql) => Promise<unknown>,
): Promise<string> {
  const { kind } = database;
  const steps: string[] = [];
  const explain = async <T extends Row>(text: string, params: readonly SqlParameter[] = []) => {
    const how = kind === 'sqlite' ? 'explain query plan' : 'explain';
    const plan = await database.all(`${how} ${text}`, params);
    steps.push(...plan.map((row) => String(row.detail ?? row['QUERY PLAN'])));
    return database.all<T>(text, params);
  };
  await read({ ...{ kind, all: explain }, get: database.get, run: database.run });
  return steps.join('\n');
}

describe('PostgreSQL pages through deals missing in its statistics', () => {
  const use = useDatabase('postgres');

  it('by the index, without sorting all remaining ones', async () => {
    const imported = newNumber();
    const deals = Array.from({ length: MANY }, (_, n) => deal(`${n}`, n));
    await use.database.transaction((tx) => insertDeals(tx, imported, deals));
    const plan = await planOf(use, (sql) => listDeals(sql, imported, BEFORE_ALL, PAGE));
    assert.match(plan, /Index Scan using deal_time/);
    assert.doesNotMatch(plan, /Sort/);
  });
});

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`deals of many minutes on ${kind}`, () => {
    const use = useDatabase(kind);

    it('are each looked up by their time, however many the account has', async () => {
      const account = newNumber();
      const deals = Array.from({ length: MANY }, (_, n) => deal(`${n}`, n));
      await use.database.transaction((tx) => insertDeals(tx, account, deals));
      const ranges = Array.from({ length: 1000 }, (_, n) => ({ fromMs: n * 20, toMs: n * 20 + 2 }));
      let found: { timeMs: number }[] = [];
      const plan = await planOf(use, async (sql) => {
        found = await listClosings(sql, account, ranges);
      });
      const times = found.map(({ timeMs }) => timeMs).sort((a, b) => a - b);
      assert.deepEqual(
        times,
        ranges.flatMap(({ fromMs }) => [fromMs, fromMs + 1]),
      );
      assert.match(
        plan,
        kind === 'sqlite' ? /time_ms>\? AND time_ms<\?/ : /Index Cond.*time_ms >= /,
      );
    });
  });
}
