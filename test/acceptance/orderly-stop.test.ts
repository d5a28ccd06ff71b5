import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { needs } from '../needs.ts';
import { newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';

needs('server');

test('a client that does not end its request keeps no process from an orderly stop', async () => {
  await using stack = new AsyncDisposableStack();
  const database = await openTestDatabase('sqlite');
  stack.defer(() => database.close());
  const plimsoll = await startPlimsoll({ ...database.environment, LOG_LEVEL: 'error' });
  const { token } = await newUser(plimsoll.address);
  const { hostname, port } = new URL(plimsoll.address);
  const client = connect(Number(port), hostname);
  stack.defer(() => void client.destroy());
  client.on('error', () => {});
  const head = [
    ...['POST /users/current/snapshots HTTP/1.1', 'host: plimsoll', `auth-token: ${token}`],
    ...['content-type: application/json', 'transfer-encoding: chunked', 'expect: 100-continue'],
  ];
  client.write(`${head.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(client, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 100 /);
  const trickle = setInterval(() => client.write('1\r\n \r\n'), 500);
  stack.defer(() => clearInterval(trickle));
  assert.equal(await plimsoll.stop(), 0);
  assert.equal(plimsoll.log(), '');
});
