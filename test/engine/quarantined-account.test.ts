import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '../../src/journal/entry.ts';
import { findAccount } from '../../src/storage/account-store.ts';
import { needs } from '../needs.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { testContext } from '../servers/test-context.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

/** An unknown clock: following it throws, as a defect of the fold would. */
const IMPOSSIBLE = {
  kind: 'clock-changed',
  clock: { zone: 'Nowhere/Land', shiftHours: 0 },
} as const;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a server on ${kind} with an entry that cannot be folded`, () => {
    it('shows it, continues for all others, and loses nothing over a restart', async () => {
      await using stack = new AsyncDisposableStack();
      const stored = await openTestDatabase(kind);
      stack.defer(() => stored.close());
      const start = async () => {
        const server = await startPlimsoll({ ...stored.environment, LOG_LEVEL: 'error' });
        stack.defer(() => server.kill());
        return server;
      };
      let server = await start();
      const user = await newUser(server.address);
      const [bad, good] = [await newAccount(user), await newAccount(user)];
      const client = () => new Client(server.address, user.token);
      const quarantined = async () => {
        const { body } = await client().get<string>('/metrics');
        return /^plimsoll_quarantined_accounts (\d+)$/m.exec(body)?.[1];
      };
      const isReady = async () => (await client().get('/health/ready')).status === 200;
      const send = async (time: string, equity: number) => {
        const brokerTime = `2026-03-02 ${time}`;
        const rows = [bad, good].map((accountId) => ({
          ...{ accountId, brokerTime, balance: 100, equity },
        }));
        assert.equal((await client().post('/users/current/snapshots', rows)).status, 200);
      };
      const chartOf = async (id: string) => {
        const range = 'startTime=2026-03-02 00:00:00&realTime=true';
        const path = `/users/current/accounts/${id}/equity-chart?${range}`;
        const hours = await client().asOfNow<{ lastEquity: number }[]>(path);
        return hours.map(({ lastEquity }) => lastEquity);
      };
      const { number } = (await findAccount(stored.database, user.userId, bad)) ?? {};
      assert.ok(number !== undefined);
      const { changes, journal } = await testContext(stored.database);
      const tell = async (command: Command) => {
        await changes.record((tx) => tx.tell(number, { command }));
        return journal.head();
      };
      await send('10:00:00', 101);
      assert.equal(await quarantined(), '0');
      const position = await tell(IMPOSSIBLE);
      await send('11:00:00', 102);
      await until(async () => (await quarantined()) === '1', 'the quarantine');
      await until(() => /its account is in quarantine/.test(server.log()), 'the line of the log');
      assert.ok(await isReady());
      assert.deepEqual(await chartOf(good), [101, 102]);
      assert.deepEqual((await chartOf(bad)).slice(1), [], 'it stands where it stood');
      await server.stop();
      server = await start();
      await send('12:00:00', 103);
      await until(async () => (await quarantined()) === '1', 'the quarantine after a restart');
      assert.deepEqual(await chartOf(good), [101, 102, 103]);
      await tell({ kind: 'quarantine-ended', withoutPosition: position });
      await until(async () => (await quarantined()) === '0', 'the end of the quarantine');
      assert.deepEqual(await chartOf(bad), [101, 102, 103]);
    });
  });
}
