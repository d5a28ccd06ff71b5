import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Row, Sql, SqlParameter } from '../../src/storage/database.ts';
import { readEventRowsByTime, readEvents } from '../../src/storage/event-feed-store.ts';
import { listIncidentRows, readIncidentEvents } from '../../src/storage/incident-store.ts';
import { useDatabase } from './fixture.ts';

const ACCOUNT = /^tracker_event_account(_time)?$/;
const FILTER = { userId: 'somebody', accountNumbers: new Set([1, 2]) };

describe('SQLite finds events among very many', () => {
  const use = useDatabase('sqlite');

  /** The indexes by which a reading finds events. */
  async function indexesOf(read: (sql: Sql) => Promise<unknown>): Promise<string[]> {
    const { database } = use;
    const found: string[] = [];
    const explain = async <T extends Row>(text: string, params: readonly SqlParameter[] = []) => {
      const steps = await database.all<{ detail: string }>(`explain query plan ${text}`, params);
      for (const { detail } of steps) {
        const step = /^(?:SCAN|SEARCH) (?:tracker_event|other)(?: USING INDEX (\S+))?/.exec(detail);
        if (step) found.push(step[1] ?? 'none');
      }
      return database.all<T>(text, params);
    };
    await read({ ...{ kind: 'sqlite', all: explain }, get: database.get, run: database.run });
    return found;
  }

  const readings: Record<string, (sql: Sql) => Promise<unknown>> = {
    'after a number': (sql) => readEvents(sql, FILTER, 0, 100),
    'of a stretch of time': (sql) => readEventRowsByTime(sql, FILTER, 0, 1, 100),
    'as incidents': (sql) => listIncidentRows(sql, FILTER, 'all', 1, 100),
  };
  for (const [name, read] of Object.entries(readings))
    it(`of a token of some accounts, and no others: ${name}`, async () => {
      const indexes = await indexesOf(read);
      assert.ok(indexes.length >= 2, indexes.join());
      for (const index of indexes) assert.match(index, ACCOUNT);
    });

  it('of incidents, and no others of their accounts', async () => {
    const places = [1, 2].map((number) => ({ accountNumber: number, timeMs: 1 }));
    const indexes = await indexesOf((sql) => readIncidentEvents(sql, places));
    assert.deepEqual(indexes, Array(2).fill('tracker_event_account_time'));
    const many = Array.from({ length: 5 }, (_, number) => ({ accountNumber: number, timeMs: 1 }));
    const ofMany = await indexesOf((sql) => readIncidentEvents(sql, many));
    assert.deepEqual(ofMany, Array(5).fill('tracker_event_account_time'));
  });

  it('of drawdowns, without reading those of other kinds', async () => {
    const read = (sql: Sql) => readEvents(sql, { userId: 'somebody', kind: 'drawdown' }, 0, 100);
    assert.deepEqual(await indexesOf(read), ['tracker_event_drawdown']);
  });
});
