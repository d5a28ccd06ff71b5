import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { until } from '../../test/servers/until.ts';
import { errorRecord } from '../contract/error-record.ts';
import { FrontDoor } from './front-door.ts';

const isError = Compile(errorRecord(503));

test('a server that cannot start yet is alive, not ready, and says why as all errors do', async (t) => {
  const told: string[] = [];
  const note = (_: object, message: string): void => {
    told.push(message);
  };
  const logger = { debug() {}, info() {}, warn: note, error: note };
  const door = new FrontDoor({ HOST: '127.0.0.1', PORT: 0 }, logger);
  t.after(() => door.close());
  await until(() => door.port !== undefined);
  const get = (path: string) => fetch(`http://127.0.0.1:${door.port}${path}`);
  assert.equal((await get('/health/live?a=b')).status, 200);
  const why = 'a process on elsewhere runs with an older version';
  door.say(why);
  door.say(why);
  const ids: number[] = [];
  for (const path of ['/health/ready', '/users/current/accounts']) {
    const answer = await get(path);
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    const body = (await answer.json()) as { id: number; message: string };
    assert.ok(isError.Check(body), JSON.stringify(body));
    assert.equal(body.message, why);
    ids.push(body.id);
  }
  assert.equal(new Set(ids).size, 2);
  assert.deepEqual(told, [why], 'one line, however often it is said');
});
