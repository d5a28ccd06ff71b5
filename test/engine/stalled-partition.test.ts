import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appendCommand } from '../../src/services/snapshots/append-to-journal.ts';
import { partitionCount, partitionOf } from '../../src/storage/journal-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import {
  Client,
  newAccount,
  newUser,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

const environment = { LOG_LEVEL: 'error' };

/** A clock that nobody has: following it throws, as a defect of the fold would. */
const IMPOSSIBLE = { zone: 'Nowhere/Land', shiftHours: 0 };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a journal entry on ${kind} that can not be folded`, () => {
    it('stops its partition visibly and is never skipped', async () => {
      const stored = await openTestDatabase(kind);
      const settings = { ...stored.environment, ...environment };
      const running: Pick<TestServer, 'server'> = { server: await startPlimsoll(settings) };
      const client = await newUser(running.server.address);
      const id = await newAccount(client);
      const isReady = async () =>
        (await new Client(running.server.address, undefined).get('/health/ready')).status === 200;
      const stalled = async () =>
        /^plimsoll_stalled_partitions (\d+)$/m.exec(
          (await client.get<string>('/metrics')).body,
        )?.[1];
      const send = async (time: string, equity: number) => {
        const path = `${running.server.address}/users/current/snapshots`;
        const brokerTime = `2026-03-02 ${time}`;
        const rows = [{ accountId: id, brokerTime, balance: 100, equity }];
        const again = new Client(path, client.token);
        assert.equal((await again.post('', rows)).status, 200);
      };
      const chart = async () => {
        const range = 'startTime=2026-03-02 00:00:00&realTime=true';
        const path = `/users/current/accounts/${id}/equity-chart?${range}`;
        const current = new Client(running.server.address, client.token);
        return (await current.get<{ lastEquity: number }[]>(path)).body.map(
          ({ lastEquity }) => lastEquity,
        );
      };
      await send('10:00:00', 101);
      assert.ok(await isReady());
      assert.equal(await stalled(), '0');
      await stored.database.transaction((tx) =>
        appendCommand(tx, id, { kind: 'clock-changed', clock: IMPOSSIBLE }),
      );
      await send('11:00:00', 102);
      await until(async () => !(await isReady()));
      assert.equal(await stalled(), '1');
      assert.match(running.server.log(), /can not be folded/);
      await send('12:00:00', 103);
      await running.server.stop();
      running.server = await startPlimsoll(settings);
      await until(async () => !(await isReady()));
      await running.server.kill();
      const rows = await stored.database.all<{ body: Uint8Array; position: number }>(
        'select position, body from journal_entry order by position',
      );
      const poison = rows.find(({ body }) => Buffer.from(body).includes(IMPOSSIBLE.zone));
      const kept = rows.filter(({ position }) => position >= (poison?.position ?? 0));
      assert.equal(kept.length, 3, 'the entry and all after it');
      const count = partitionCount(kind);
      const row = (await readPartitions(stored.database, count))[partitionOf(id, count)];
      assert.ok(row && poison && row.position < poison.position, 'no checkpoint passes the entry');
      await stored.database.run('delete from journal_entry where position = $1', [
        poison?.position ?? 0,
      ]);
      running.server = await startPlimsoll(settings);
      await until(async () => (await chart()).length === 3);
      assert.deepEqual(await chart(), [101, 102, 103]);
      assert.ok(await isReady());
      await running.server.stop();
      await stored.close();
    });
  });
}
