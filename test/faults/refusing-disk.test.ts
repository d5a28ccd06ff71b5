import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { type Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';

needs('server', 'compiler');

const SOURCE = join(import.meta.dirname, 'refusing-disk.cpp');
const HOURS = 3;

const skip = existsSync('/usr/bin/g++')
  ? false
  : 'g++ is not installed; npm test installs it on Debian';

it('accepts nothing more after the disk of SQLite has refused once, until a restart', {
  skip,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-refusing-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const [library, refuses] = [join(folder, 'refusing-disk.so'), join(folder, 'refuses')];
  const built = spawnSync('g++', ['-shared', '-fPIC', '-o', library, SOURCE]);
  assert.equal(built.status, 0, String(built.stderr));
  const settings = {
    ...{ PLIMSOLL_DATA: join(folder, 'data'), LOG_LEVEL: 'fatal' },
    ...{ LD_PRELOAD: library, PLIMSOLL_TEST_REFUSES_WHILE: refuses },
  };
  const first = await startPlimsoll(settings);
  stack.defer(() => first.kill());
  const client = await newUser(first.address);
  const id = await newAccount(client, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
  for (let hour = 0; hour < HOURS; hour += 1) assert.equal(await send(client, id, hour), 200);

  await writeFile(refuses, '');
  assert.equal(await send(client, id, HOURS), 503);
  await rm(refuses);
  // The lost data are unknown: a disk that works again proves nothing.
  assert.equal(await send(client, id, HOURS), 503);
  const { status, headers } = await client.callOnce('GET', '/health/live');
  assert.equal(status, 503, 'whoever watches the process starts it again');
  assert.ok(Number(headers.get('retry-after')) > 0);
  await first.kill();

  const second = await startPlimsoll(settings);
  stack.defer(() => second.kill());
  const again = Object.assign(client, { address: second.address });
  assert.equal(await send(again, id, HOURS), 200);
  const range = 'startTime=2026-01-05%2000:00:00.000&endTime=2026-01-06%2000:00:00.000';
  const path = `/users/current/accounts/${id}/equity-chart?realTime=true&${range}`;
  const body = await again.asOfNow<unknown[]>(path);
  assert.equal(body.length, HOURS + 1, 'all that was acknowledged is there');
});

async function send(client: Client, accountId: string, hour: number): Promise<number> {
  const brokerTime = `2026-01-05 0${hour}:00:00.000`;
  const row = { accountId, brokerTime, balance: 100, equity: 100 };
  const { status, headers } = await client.callOnce('POST', '/users/current/snapshots', [row]);
  if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0);
  return status;
}
