import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { needs } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { freePorts } from '../servers/free-ports.ts';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';
import { newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

/** This build and the next one, whose schema has one thing more, on one PostgreSQL. */
const MIGRATIONS = 'storage/drivers/migrations';
const CHANGE = 'create table next_thing (id text primary key);\n';
const BESIDE = `-- May run beside processes of 0002.\n${CHANGE}`;
const isBuilt = BIN.endsWith('app/main.js');

let port = 0;
before(async () => {
  [port = 0] = await freePorts(1);
});

async function nextBuild(stack: AsyncDisposableStack, migration: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-next-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const built = dirname(dirname(BIN));
  const next = join(folder, 'dist');
  await cp(built, next, { recursive: true });
  for (const beside of ['package.json', 'docs']) {
    await cp(join(dirname(built), beside), join(folder, beside), { recursive: true });
  }
  await writeFile(join(next, MIGRATIONS, '0003-next.sql'), migration);
  return join(next, 'app/main.js');
}

/** Does not wait for it to be ready. */
function startNext(
  stack: AsyncDisposableStack,
  bin: string,
  environment: Record<string, string>,
): ChildProcess {
  const env = { ...BARE_ENVIRONMENT, ...environment, PORT: String(port) };
  const child = spawn(process.execPath, [bin, 'serve'], { env, stdio: 'ignore' });
  endWithUs(child);
  stack.defer(async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill()) await exited;
  });
  return child;
}

const healthAt = async (address: string, path: string) => {
  const answer = await fetch(`${address}/health/${path}`).catch(() => undefined);
  const { message = '' } = ((await answer?.json()) ?? {}) as { message?: string };
  return { status: answer?.status, message };
};

test('a build of another schema waits, alive and not ready, until the older ones have stopped', {
  skip: !isBuilt && 'needs the build of npm test',
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { environment, close } = await openTestDatabase('postgres');
  stack.defer(close);
  const old = await startPlimsoll(environment);
  stack.defer(() => old.kill());
  const user = await newUser(old.address);
  const accountId = await newAccount(user);
  startNext(stack, await nextBuild(stack, CHANGE), environment);
  const next = `http://127.0.0.1:${port}`;
  await until(
    async () => (await healthAt(next, 'live')).status === 200,
    'a next one that is alive',
  );
  const until503 = async () => /older version/.test((await healthAt(next, 'ready')).message);
  await until(until503, 'what it waits for');
  const row = { accountId, brokerTime: '2026-03-01 10:00:00', balance: 100, equity: 100 };
  assert.equal((await user.post('/users/current/snapshots', [row])).status, 200);
  assert.equal((await healthAt(old.address, 'ready')).status, 200);
  assert.equal(await old.stop(), 0);
  await until(
    async () => (await healthAt(next, 'ready')).status === 200,
    'a next one that is ready',
  );
  await assert.rejects(startPlimsoll(environment), /newer version/);
});

test('one whose schema the older ones can work with starts beside them', {
  skip: !isBuilt && 'needs the build of npm test',
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { environment, close } = await openTestDatabase('postgres');
  stack.defer(close);
  const old = await startPlimsoll(environment);
  stack.defer(() => old.kill());
  startNext(stack, await nextBuild(stack, BESIDE), environment);
  const next = `http://127.0.0.1:${port}`;
  await until(async () => (await healthAt(next, 'ready')).status === 200, 'both ready');
  assert.equal((await healthAt(old.address, 'ready')).status, 200);
  const user = await newUser(old.address);
  assert.ok(await newAccount(user));
});
