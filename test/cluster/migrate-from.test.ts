import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { RiskLoad } from '../faults/risk-load.ts';
import { needs } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { Client, newUser, startOn, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';

needs('postgres', 'server');

const FEED = { seed: 7, startUtcMs: Date.UTC(2025, 2, 5), days: 1, pace: 60, accounts: 3 };
const READ = ['/users/current/accounts', '/users/current/tracker-events/stream?wait=0'];

describe('plimsoll migrate --from', () => {
  it('moves everything to PostgreSQL: answers are equal, tokens work, and numbers continue', async (t) => {
    const running = await startOn('sqlite');
    t.after(() => running.close());
    let address = running.server.address;
    const first = await newUser(address);
    const { token = '' } = first;
    const load = new RiskLoad({ ...FEED, prefix: 'old', address: () => address, token });
    await load.setUp();
    await load.run();
    const told = await load.settled();
    assert.ok(told.hours > 0);
    const before = await Promise.all(READ.map((path) => first.get(path)));

    const target = await openTestDatabase('postgres');
    t.after(() => target.close());
    const from = running.database.environment.PLIMSOLL_DATA ?? '';
    const move = () => runPlimsoll(['migrate', '--from', from, '--json'], target.environment);
    assert.match((await move()).stderr, /Another Plimsoll server is running/);
    await running.server.stop();
    const moved = await move();
    assert.equal(moved.code, 0, moved.stderr);
    const { copied } = JSON.parse(moved.stdout) as { copied: Record<string, number> };
    const source = new DatabaseSync(join(from, 'plimsoll.db'), { readOnly: true });
    for (const [table, count] of Object.entries(copied)) {
      const row = source.prepare(`select count(*) as count from ${table}`).get();
      assert.equal(count, row?.count, table);
    }
    source.close();
    assert.match((await move()).stderr, /is not empty/);

    const server = await startPlimsoll(target.environment);
    t.after(() => server.stop());
    address = server.address;
    const same = new Client(address, token);
    const after = await Promise.all(READ.map((path) => same.get(path)));
    assert.deepEqual(
      after.map(({ body }) => body),
      before.map(({ body }) => body),
    );
    assert.deepEqual(await load.verify(), told);
    const more = new RiskLoad({
      ...{ ...FEED, seed: 8, prefix: 'new', previousSequenceNumber: told.events },
      ...{ address: () => address, token },
    });
    await more.setUp();
    await more.run();
    await more.settled();
  });

  it('refuses a folder whose journal is not folded, with a remedy', async (t) => {
    const source = await openTestDatabase('sqlite');
    t.after(() => source.close());
    await source.database.run(
      "insert into journal_entry (position, received_utc_ms, body) values (1, 0, x'00')",
    );
    const target = await openTestDatabase('postgres');
    t.after(() => target.close());
    const from = source.environment.PLIMSOLL_DATA ?? '';
    const { code, stderr } = await runPlimsoll(['migrate', '--from', from], target.environment);
    assert.equal(code, 1);
    assert.match(stderr, /not folded yet: start the server/);
  });

  it('asks for DATABASE_URL, and for a folder that holds a database', async () => {
    const bare = await runPlimsoll(['migrate', '--from', '/nowhere'], {});
    assert.match(bare.stderr, /Set DATABASE_URL/);
    const url = 'postgres://127.0.0.1:1/none';
    const lost = await runPlimsoll(['migrate', '--from', '/nowhere'], { DATABASE_URL: url });
    assert.match(lost.stderr, /no database in \/nowhere/);
  });
});
