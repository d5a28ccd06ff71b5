import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silent } from '../../test/servers/test-context.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { until } from '../../test/servers/until.ts';
import { DAY_MS } from '../domain/broker-time.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import { findReceipt, insertReceipt } from '../storage/receipt-store.ts';
import { type AccessToken, findToken, insertToken } from '../storage/token-store.ts';
import { Sweeper } from './sweeper.ts';

const NOW_MS = 20_000 * DAY_MS;

/** A stopped clock, with pauses that end at once. */
const time: Timekeeper = {
  now: () => NOW_MS,
  elapsed: () => 0,
  after: (_, call) => {
    const pause = setImmediate(call);
    return () => clearImmediate(pause);
  },
};

it('forgets the answer to a key after a day, not before', async (t) => {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const receipt = { bodyHash: 'hash', answer: '{}' };
  await insertReceipt(database, 'user', 'of before', receipt, NOW_MS - DAY_MS - 1);
  await insertReceipt(database, 'user', 'of today', receipt, NOW_MS - DAY_MS);
  const sweeper = new Sweeper(database, time, silent);
  sweeper.start();
  t.after(() => sweeper.stop());
  await until(async () => (await findReceipt(database, 'user', 'of before')) === undefined);
  assert.deepEqual(await findReceipt(database, 'user', 'of today'), receipt);
});

it('forgets sessions and codes that have ended; people are listed until somebody removes them', async (t) => {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const kinds = ['session', 'code', 'person', 'token'] as const;
  for (const kind of kinds) {
    const token: AccessToken = {
      ...{ id: kind, kind, hash: kind, userId: null, name: null, scopes: [], accountIds: null },
      ...{ accountNumbers: null, createdAtMs: 0, expiresAtMs: NOW_MS - 1, madeBy: null },
      ...{ device: null, role: null, email: null, subject: null, providerSession: null },
    };
    await insertToken(database, token);
  }
  const sweeper = new Sweeper(database, time, silent);
  sweeper.start();
  t.after(() => sweeper.stop());
  await until(async () => (await findToken(database, 'session')) === undefined);
  const left = await Promise.all(kinds.map((kind) => findToken(database, kind)));
  assert.deepEqual(
    left.map((token) => token?.kind),
    [undefined, undefined, 'person', 'token'],
  );
});
