import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { startPgbouncer } from '../servers/pgbouncer-process.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';

needs('postgres', 'server', 'pgbouncer');

/** Exit code and last words of the server. */
async function serve(url: string): Promise<[number, string]> {
  const settings = { PORT: '0', DATABASE_URL: url, LOG_LEVEL: 'silent' };
  const { code, stderr } = await runPlimsoll(['serve'], settings);
  return [code, stderr];
}

it('a pooler that shares sessions is refused with a remedy', async (t) => {
  const { environment, close } = await openTestDatabase('postgres');
  t.after(close);
  const pooler = await startPgbouncer(environment.DATABASE_URL ?? '', 'transaction');
  t.after(() => pooler.stop());
  const [code, words] = await serve(pooler.url);
  assert.equal(code, 2, words);
  assert.match(words, /^DATABASE_URL points to a pooler that shares sessions.*pool_mode=session/);
  assert.equal(words.trim().split('\n').length, 1);
});

it('a pooler that keeps sessions separate serves like PostgreSQL itself', async (t) => {
  const { environment, close } = await openTestDatabase('postgres');
  t.after(close);
  const pooler = await startPgbouncer(environment.DATABASE_URL ?? '', 'session');
  t.after(() => pooler.stop());
  const server = await startPlimsoll({ DATABASE_URL: pooler.url, LOG_LEVEL: 'silent' });
  t.after(() => server.stop());
  const user = await newUser(server.address);
  const accountId = await newAccount(user);
  const path = `/users/current/accounts/${accountId}/trackers`;
  await user.post(path, { name: 'loss', period: 'date', absoluteDrawdownThreshold: 100 });
  const waiting = user.get<object[]>('/users/current/drawdown-events/stream');
  const row = { accountId, brokerTime: '2026-03-02 10:00:00', balance: 10_000 };
  const rows = [10_000, 9000].map((equity, n) => ({
    ...row,
    ...{ equity, brokerTime: `2026-03-02 10:00:0${n}` },
  }));
  assert.equal((await user.post('/users/current/snapshots', rows)).status, 200);
  assert.equal((await waiting).body.length, 1);
});
