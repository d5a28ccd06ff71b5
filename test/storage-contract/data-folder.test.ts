import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { needs } from '../needs.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';

needs('server');

let opened: TestDatabase;
before(async () => {
  opened = await openTestDatabase('sqlite');
});
after(() => opened.close());

const serveAgain = () => runPlimsoll(['serve'], { ...opened.environment, PORT: '0' });

it('a second server on a data folder exits 2 with one line that names the folder', async () => {
  const first = await startPlimsoll(opened.environment);
  const second = await serveAgain();
  assert.deepEqual([second.code, second.stdout], [2, '']);
  assert.equal(second.stderr.trim().split('\n').length, 1, second.stderr);
  assert.match(second.stderr, /Another Plimsoll server is running on the data folder/);
  assert.ok(second.stderr.includes(opened.environment.PLIMSOLL_DATA ?? '-'));
  const answer = await fetch(`${first.address}/health/ready`);
  assert.equal(answer.status, 200);
  assert.equal(await first.stop(), 0);
});

it('a killed server leaves the folder free for the next', async () => {
  for (let round = 0; round < 3; round += 1) {
    const server = await startPlimsoll(opened.environment);
    assert.equal((await serveAgain()).code, 2);
    await server.kill();
  }
  const last = await startPlimsoll(opened.environment);
  assert.equal(await last.stop(), 0);
});

it("commands work with a running server, and each sees the other's data", async () => {
  const server = await startPlimsoll(opened.environment);
  const created = await runPlimsoll(
    ['user', 'create', 'beside@example.com', '--json'],
    opened.environment,
  );
  assert.equal(created.code, 0, created.stderr);
  const { id } = JSON.parse(created.stdout) as { id: string };
  const made = await runPlimsoll(['token', 'create', id, '--json'], opened.environment);
  assert.equal(made.code, 0, made.stderr);
  const { token } = JSON.parse(made.stdout) as { token: string };
  const headers = { 'auth-token': token, 'content-type': 'application/json' };
  const account = await fetch(`${server.address}/users/current/accounts`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      name: 'a',
      platform: 'p5',
      login: '1',
      broker: 'b',
      currency: 'USD',
      leverage: 1,
    }),
  });
  assert.equal(account.status, 201);
  const listed = await runPlimsoll(['user', 'list', '--json'], opened.environment);
  assert.ok(listed.stdout.includes(id));
  assert.equal(await server.stop(), 0);
});
