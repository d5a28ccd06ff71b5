import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server');

type ErrorBody = { error: string; message: string };

describe('requests of many kinds of clients', () => {
  let running: TestServer;
  let user: Client;
  let accountId: string;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
    accountId = await newAccount(user);
  });
  after(() => running.close());

  it('are answered 405 with the existing methods, if the path is known', async () => {
    const account = `/users/current/accounts/${accountId}`;
    for (const [method, path, allow] of [
      ['PUT', `${account}/trackers`, 'HEAD, GET, POST'],
      ['GET', `${account}/calculate-margin`, 'POST'],
      ['OPTIONS', `${account}/metrics`, 'HEAD, GET'],
      ['POST', '/users/current/quotas', 'HEAD, GET'],
    ] as const) {
      const answer = await user.call<ErrorBody>(method, path);
      assert.equal(answer.status, 405, path);
      assert.equal(answer.headers.get('allow'), allow);
      assert.equal(answer.body.error, 'MethodNotAllowedError');
    }
    assert.equal((await user.call('PUT', '/nowhere')).status, 404);
  });

  it('may end a path with a slash', async () => {
    const path = `/users/current/accounts/${accountId}/trackers`;
    assert.deepEqual((await user.get(`${path}/`)).body, (await user.get(path)).body);
  });

  it('may leave a filter empty, which is the same as leaving it out', async () => {
    const path = '/users/current/drawdown-events/stream?wait=0';
    const empty = await user.get(`${path}&accountId=&trackerId=`);
    assert.equal(empty.status, 200, JSON.stringify(empty.body));
    assert.equal((await user.get(`${path}&account=`)).status, 400);
  });

  it("may spell booleans as Python's str() does", async () => {
    const path = `/users/current/accounts/${accountId}/metrics?includeOpenPositions=`;
    for (const [value, status] of [
      ['True', 200],
      ['false', 200],
      ['yes', 400],
    ] as const)
      assert.equal((await user.get(path + value)).status, status, value);
  });

  it('may send JSON as curl -d and fetch do, or without a type', async () => {
    const path = `/users/current/accounts/${accountId}/trackers`;
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', undefined]) {
      const body = JSON.stringify({ name: `of ${type}`, period: 'day' });
      const headers = {
        'auth-token': String(user.token),
        ...(type ? { 'content-type': type } : {}),
      };
      const answer = await fetch(running.server.address + path, {
        ...{ method: 'POST', headers, body: new TextEncoder().encode(body) },
      });
      assert.notEqual(answer.status, 415, await answer.text());
    }
  });

  it('are answered 431 if the headers are too long', async () => {
    const { hostname, port } = new URL(running.server.address);
    const socket = connect(Number(port), hostname);
    const filler = `x-filler: ${'x'.repeat(17_000)}`;
    socket.write(`GET /health/live HTTP/1.1\r\nhost: ${hostname}\r\n${filler}\r\n\r\n`);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    assert.match(answer, /"error":"RequestHeaderFieldsTooLargeError"/);
  });
});
