import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Row, Sql, SqlParameter } from '../../src/storage/database.ts';
import { insertDeals, listDeals } from '../../src/storage/deal-store.ts';
import { needs } from '../needs.ts';
import { deal, newNumber, useDatabase } from './fixture.ts';

needs('postgres');

const MANY = 20_000;
const PAGE = 500;
const BEFORE_ALL = { timeMs: -1, id: '' };

describe('PostgreSQL pages through deals missing in its statistics', () => {
  const use = useDatabase('postgres');

  /** The steps by which a reading finds its rows. */
  async function planOf(read: (sql: Sql) => Promise<unknown>): Promise<string> {
    const { database } = use;
    const steps: string[] = [];
    const explain = async <T extends Row>(text: string, params: readonly SqlParameter[] = []) => {
      const plan = await database.all<{ 'QUERY PLAN': string }>(`explain ${text}`, params);
      steps.push(...plan.map((row) => row['QUERY PLAN']));
      return database.all<T>(text, params);
    };
    await read({ ...{ kind: 'postgres', all: explain }, get: database.get, run: database.run });
    return steps.join('\n');
  }

  it('by the index, without sorting all remaining ones', async () => {
    const imported = newNumber();
    const deals = Array.from({ length: MANY }, (_, n) => deal(`${n}`, n));
    await use.database.transaction((tx) => insertDeals(tx, imported, deals));
    const plan = await planOf((sql) => listDeals(sql, imported, BEFORE_ALL, PAGE));
    assert.match(plan, /Index Scan using deal_time/);
    assert.doesNotMatch(plan, /Sort/);
  });
});
