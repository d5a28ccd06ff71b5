import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatBrokerTime, HOUR_MS } from '../../src/domain/broker-time.ts';
import { needs } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const BEGIN_MS = Date.UTC(2026, 0, 5);
/** Data written during the backup, at least. */
const WRITERS = 4;

const hourOf = (hour: number): string => formatBrokerTime(BEGIN_MS + hour * HOUR_MS);

describe('plimsoll backup', () => {
  it('is complete although others write all the time, and can be restored', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-backup-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const data = { PLIMSOLL_DATA: join(folder, 'data') };
    const server = await startPlimsoll({ ...data, LOG_LEVEL: 'warn' });
    stack.defer(() => server.kill());
    const user = await newUser(server.address);
    const zone = { brokerClock: { zone: 'UTC', shiftHours: 0 } };
    const ids = await Promise.all(Array.from({ length: WRITERS }, () => newAccount(user, zone)));
    const hours = ids.map(() => 0);
    let isOver = false;
    const write = async (accountId: string, place: number): Promise<void> => {
      for (let hour = 0; !isOver; hour += 1) {
        const row = { accountId, brokerTime: hourOf(hour), balance: 100, equity: 100 };
        const { status } = await user.post('/users/current/snapshots', [row]);
        assert.equal(status, 200);
        hours[place] = hour + 1;
      }
    };
    const writing = ids.map(write);
    await until(() => hours.every((hour) => hour >= 20), 'twenty hours of each');

    const before = [...hours];
    const restored = join(folder, 'copy.db');
    const { code, stdout, stderr } = await runPlimsoll(['backup', restored, '--json'], data);
    assert.equal(code, 0, stderr);
    const { size, mode } = await stat(restored);
    assert.deepEqual(JSON.parse(stdout), { file: restored, bytes: size });
    assert.equal(mode & 0o777, 0o600, 'for its owner alone');
    isOver = true;
    await Promise.all(writing);
    await newAccount(user);

    const inUse = await runPlimsoll(['restore', restored], data);
    assert.equal(inUse.code, 2);
    assert.match(inUse.stderr, /server is running on the data folder/);
    const other = { PLIMSOLL_DATA: join(folder, 'other') };
    const broken = await runPlimsoll(['restore', fileURLToPath(import.meta.url)], other);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /is no backup of Plimsoll/);
    const done = await runPlimsoll(['restore', restored], other);
    assert.equal(done.code, 0, done.stderr);
    const again = await runPlimsoll(['restore', restored], other);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /restore into an empty data folder/);

    const second = await startPlimsoll({ ...other, LOG_LEVEL: 'warn' });
    stack.defer(() => second.kill());
    const client = new Client(second.address, user.token);
    const { body } = await client.get<{ id: string }[]>('/users/current/accounts');
    assert.deepEqual(body.map(({ id }) => id).sort(), ids.toSorted(), 'nothing of afterwards');
    for (const [place, id] of ids.entries()) {
      const range = `startTime=${hourOf(0)}&endTime=${hourOf(10_000)}&realTime=true`;
      const path = `/users/current/accounts/${id}/equity-chart?${range.replaceAll(' ', '%20')}`;
      const count = (await client.asOfNow<unknown[]>(path)).length;
      const least = before[place] ?? 0;
      assert.ok(count >= least && count <= (hours[place] ?? 0), `${count} hours of ${least}`);
    }
  });

  it('gives new events no number already seen from the original', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-backup-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const data = { PLIMSOLL_DATA: join(folder, 'data') };
    const server = await startPlimsoll({ ...data, LOG_LEVEL: 'warn' });
    stack.defer(() => server.kill());
    const user = await newUser(server.address);
    const zone = { brokerClock: { zone: 'UTC', shiftHours: 0 } };
    const accountId = await newAccount(user, zone);
    await user.post(`/users/current/accounts/${accountId}/trackers`, {
      ...{ name: 'daily', period: 'date', absoluteDrawdownThreshold: 50 },
    });
    /** The number of the event of a day, for a client that has seen one. */
    const breach = async (client: Client, day: number, seen: number): Promise<number> => {
      const rows = [100, 100, 10].map((equity, hour) => ({
        ...{ accountId, brokerTime: hourOf(day * 24 + hour), balance: 100, equity },
      }));
      assert.equal((await client.post('/users/current/snapshots', rows)).status, 200);
      const path = `/users/current/drawdown-events/stream?previousSequenceNumber=${seen}`;
      const { body } = await client.get<{ sequenceNumber: number }[]>(path);
      assert.equal(body.length, 1);
      return body[0]?.sequenceNumber ?? 0;
    };
    assert.equal(await breach(user, 0, 0), 1);
    const { code, stderr } = await runPlimsoll(['backup', join(folder, 'plimsoll.db')], data);
    assert.equal(code, 0, stderr);
    assert.equal(await breach(user, 1, 1), 2);
    const seen = await breach(user, 2, 2);

    const second = await startPlimsoll({ PLIMSOLL_DATA: folder, LOG_LEVEL: 'warn' });
    stack.defer(() => second.kill());
    const client = new Client(second.address, user.token);
    assert.ok((await breach(client, 3, seen)) > seen);
  });

  it('of PostgreSQL is ended by a command that needs the database alone', async () => {
    await using stack = new AsyncDisposableStack();
    const { environment, database, close } = await openTestDatabase('postgres');
    stack.defer(close);
    const last = async () =>
      Number(
        (await database.get<{ last: number }>('select last_number as last from event_head'))?.last,
      );
    const server = await startPlimsoll({ ...environment, LOG_LEVEL: 'warn' });
    stack.defer(() => server.kill());
    const inUse = await runPlimsoll(['restore'], environment);
    assert.equal(inUse.code, 1);
    assert.match(inUse.stderr, /on this database: stop all first/);
    assert.equal(await last(), 0);
    await server.stop();
    const done = await runPlimsoll(['restore'], environment);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(await last(), 10_000_000);
    const file = await runPlimsoll(['restore', 'x.db'], environment);
    assert.equal(file.code, 2);
  });

  it('touches no existing file, and refers users of PostgreSQL to its tools', async (t) => {
    const { environment, close } = await openTestDatabase('sqlite');
    t.after(close);
    const file = join(environment.PLIMSOLL_DATA ?? '', 'plimsoll.db');
    const again = await runPlimsoll(['backup', file], environment);
    assert.deepEqual([again.code, again.stderr], [1, `${file} exists: name a new file\n`]);
    const nothing = await runPlimsoll(['backup', 'x.db'], { PLIMSOLL_DATA: '/nowhere' });
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /no Plimsoll data in \/nowhere/);
    const shared = await runPlimsoll(['backup', 'x.db'], { DATABASE_URL: 'postgres://nowhere/x' });
    assert.equal(shared.code, 2);
    assert.match(shared.stderr, /pg_dump/);
  });
});
