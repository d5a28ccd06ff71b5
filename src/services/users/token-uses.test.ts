import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../../storage/database.ts';
import { TokenUses } from './token-uses.ts';

/** Collects what is stored. */
function stored(uses: TokenUses) {
  const rows: unknown[] = [];
  const tx = { run: async (_: string, params: unknown[]) => rows.push(params) };
  const database = {
    transaction: (work: (tx: unknown) => Promise<unknown>) => work(tx),
  } as object as Database;
  return async (): Promise<unknown[]> => {
    await uses.store(database);
    return rows.splice(0);
  };
}

it('stores a use once a minute, and each change of the address', async () => {
  const uses = new TokenUses();
  const take = stored(uses);
  for (const atMs of [0, 1, 59_999]) uses.note('a', '192.0.2.1', atMs);
  assert.deepEqual(await take(), [['a', 0, '192.0.2.1']]);
  uses.note('a', '192.0.2.1', 59_999);
  assert.deepEqual(await take(), []);
  uses.note('a', '192.0.2.1', 60_000);
  uses.note('a', '192.0.2.2', 60_001);
  assert.deepEqual(await take(), [['a', 60_001, '192.0.2.2']]);
});

it('holds a bounded number until they are stored', async () => {
  const uses = new TokenUses();
  for (let each = 0; each < 5100; each += 1) uses.note(`token-${each}`, '192.0.2.1', 0);
  assert.equal((await stored(uses)()).length, 5000);
});
