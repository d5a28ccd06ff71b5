import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import { needs, often } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { heldStill } from '../servers/held-still.ts';
import { MOUNT } from '../servers/machine.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';

needs('server');

const SEED = seedOr(20_261_121);
const CUTS = often(2, 4);
const ACCOUNTS = 4;
const START_UTC_MS = Date.UTC(2020, 0, 1);

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/*
 * The disk is a file with a file system in it. Data written but not synchronised are not in that
 * file: a copy of it, taken while the server is stopped, is the state after a power cut.
 */
it(`loses nothing acknowledged when the power is cut (seed ${SEED})`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-power-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const disk = join(folder, 'disk');
  const isMade =
    run('truncate', '-s', '64M', disk) &&
    run('mkfs.ext4', '-q', '-F', disk) &&
    (await plug(stack, disk));
  if (!isMade) {
    t.skip('a disk in a file can be mounted by root only');
    return;
  }
  const random = new Random(SEED);
  const server = await startPlimsoll({ PLIMSOLL_DATA: `${disk}.d/data`, LOG_LEVEL: 'fatal' });
  stack.defer(() => server.kill());
  const client = await newUser(server.address);
  const zone = { brokerClock: { zone: 'UTC', shiftHours: 0 } };
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, () => newAccount(client, zone)),
  );
  const acknowledged = accounts.map(() => 0);
  let isOver = false;
  const sending = accounts.map(async (accountId, index) => {
    for (let hour = 0; !isOver; hour += 1) {
      const brokerTime = timeOf(hour);
      const row = { accountId, brokerTime, balance: 100, equity: 100 };
      const { status } = await client.post('/users/current/snapshots', [row]);
      assert.equal(status, 200);
      acknowledged[index] = hour + 1;
    }
  });
  const left: { copy: string; hours: number[] }[] = [];
  for (let cut = 0; cut < CUTS; cut += 1) {
    const enough = (acknowledged[0] ?? 0) + random.between(5, 120);
    await until(() => (acknowledged[0] ?? 0) >= enough, `${enough} snapshots`);
    server.process.kill('SIGSTOP');
    await heldStill(server.process.pid);
    const hours = [...acknowledged];
    const copy = join(folder, `left-${cut}`);
    assert.ok(run('cp', '--sparse=always', disk, copy));
    server.process.kill('SIGCONT');
    left.push({ copy, hours });
  }
  isOver = true;
  await Promise.all(sending);
  for (const { copy, hours } of left) {
    assert.ok(await plug(stack, copy), 'the file system is whole');
    await assertStored(`${copy}.d/data`, client.token ?? '', accounts, hours);
  }
  t.diagnostic(`cut after ${left.map(({ hours }) => hours.join('+')).join(', ')} snapshots`);
});

/** Mounts a disk beside its file, until the stack is left. */
async function plug(stack: AsyncDisposableStack, disk: string): Promise<boolean> {
  const folder = `${disk}.d`;
  await mkdir(folder);
  const isMounted = run('mount', '-o', MOUNT, disk, folder);
  if (isMounted) stack.defer(() => void run('umount', folder));
  return isMounted;
}

async function assertStored(
  data: string,
  token: string,
  accounts: readonly string[],
  hours: readonly number[],
): Promise<void> {
  const server = await startPlimsoll({ PLIMSOLL_DATA: data, LOG_LEVEL: 'fatal' });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => server.kill());
  const client = new Client(server.address, token);
  for (const [index, accountId] of accounts.entries()) {
    const count = hours[index] ?? 0;
    const range = `startTime=${timeOf(0)}&endTime=${timeOf(count)}&realTime=true`;
    const path = `/users/current/accounts/${accountId}/equity-chart?${range}`;
    const body = await client.asOfNow<unknown[]>(path);
    assert.equal(body.length, count, `hours of ${accountId}`);
  }
}

const timeOf = (hour: number): string =>
  new Date(START_UTC_MS + hour * HOUR_MS).toISOString().slice(0, 23).replace('T', ' ');
