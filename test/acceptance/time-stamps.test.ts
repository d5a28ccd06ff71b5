import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lacks, needs, testedOn } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { startAuthority } from '../servers/time-stamp-authority.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type Stamped = { stamp?: { size: number; token: string; path?: string[] } };

for (const kind of testedOn()) {
  test(`heads are stamped on request, on ${kind}`, { skip: lacks('openssl') }, async () => {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-stamped-'));
    stack.defer(() => rmSync(folder, { recursive: true }));
    const authority = await startAuthority();
    stack.defer(() => authority.close());
    const { server, database, close } = await startOn(kind, { LOG_LEVEL: 'warn' });
    stack.defer(close);
    const client = await newUser(server.address);
    const id = await newAccount(client);
    await client.post(`/users/current/accounts/${id}/trackers`, {
      ...{ name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.05 },
    });
    const path = '/users/current/tracker-events/1/case';
    const rows = [10_000, 9000].map((equity, hour) => ({
      ...{ accountId: id, brokerTime: `2026-03-02 1${hour}:00:00`, balance: 10_000, equity },
    }));
    await client.post('/users/current/snapshots', rows);
    await until(async () => (await client.get(path)).status === 200, 'a case file');
    assert.equal((await client.get<Stamped>(path)).body.stamp, undefined);
    const stamp = (url: string) =>
      runPlimsoll(['stamp'], { ...database.environment, PLIMSOLL_TSA_URL: url });
    const without = await stamp('');
    assert.equal(without.code, 1);
    assert.match(without.stderr, /Set PLIMSOLL_TSA_URL/);
    authority.say({ status: 500, body: Buffer.alloc(0) });
    const failed = await stamp(authority.url);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /answered 500/);
    authority.say(undefined);
    assert.equal((await stamp(authority.url)).stdout, '1 heads stamped\n');
    assert.equal((await stamp(authority.url)).stdout, '0 heads stamped\n');
    const file = await client.get<Stamped>(path);
    const part = await client.get<Stamped>('/users/current/tracker-events/seals');
    assert.deepEqual([file.body.stamp?.size, part.body.stamp?.size], [1, 1]);
    assert.deepEqual(file.body.stamp?.path, []);
    for (const [name, { body }] of Object.entries({ case: file, export: part })) {
      const saved = join(folder, `${name}.json`);
      writeFileSync(saved, JSON.stringify(body));
      const right = await runPlimsoll(['verify', saved, '--tsa-ca', authority.caFile], {});
      assert.equal(right.code, 0, right.stdout);
      assert.match(right.stdout, /from before .*Z, by the time stamp of an authority/);
    }
  });
}
