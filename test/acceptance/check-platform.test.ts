import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CheckedCall } from '../../src/platforms/call-check.ts';
import { checkP5Server } from '../../src/platforms/p5-web-api/check-platform.ts';
import { exampleOf } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { P5Fixture } from '../servers/p5-fixture.ts';
import { P5_MANAGER } from '../servers/p5-server-process.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';

needs('openssl', 'server');

let p5: P5Fixture;
let login: number;
before(async () => {
  p5 = await P5Fixture.start();
  login = await p5.openAccount({ name: 'Ada Byron', phone: '447700900123' });
  await p5.server.control('/deposit', { login, amount: 1500.25 });
  await p5.server.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
});
after(async () => {
  await p5.reset();
  await p5.server.remove();
});

const check = (fields: object = {}) => {
  const { url: server, fingerprint: tlsFingerprint } = p5.server;
  const settings = { server, tlsFingerprint, allowPrivate: true, ...P5_MANAGER, ...fields };
  return checkP5Server(settings, undefined);
};
const of = (rows: readonly CheckedCall[], outcome: string): string[] =>
  rows.filter((row) => row.outcome === outcome).map(({ call }) => call);

test('every command of a server that only reads is answered, and nothing is changed', async () => {
  const { requests } = await p5.seen();
  const { rows } = await check();
  assert.deepEqual(of(rows, 'failed'), []);
  assert.deepEqual(of(rows, 'missing'), []);
  const asked = (await p5.seen()).requests.slice(requests.length).join('\n');
  assert.doesNotMatch(asked, /update|user\/add|balance|send_request|password/);
  const said = rows.map(({ call, detail }) => `${call}: ${detail}`).join('\n');
  assert.match(said, /account\/get: balance 1499.9, credit 0, equity 1498.9/);
  assert.match(said, /deal\/get_batch: 2 deals/);
  assert.match(said, /check_margin: \d+ for a lot of EURUSD/);
});

test('commands that a server does not have are missing, wrong answers fail with a reason', async (t) => {
  t.after(() => p5.server.control('/faults/clear'));
  const [retcode, command] = ['11 No service', '/api/user/account/get_batch'];
  await p5.server.control('/fault', { kind: 'refuse', command, retcode });
  await p5.server.control('/fault', {
    ...{ kind: 'refuse', command: '/api/order/get_total', retcode: '8 Not enough permissions' },
  });
  const { rows } = await check();
  assert.deepEqual(of(rows, 'missing'), [command]);
  assert.deepEqual(of(rows, 'failed'), ['/api/order/get_total']);
});

test('a server that does not let the manager in fails once, and says why', async () => {
  const { rows } = await check({ password: 'Wrong1!aa' });
  assert.deepEqual(of(rows, 'failed'), ['/api/time/server']);
  assert.equal(rows.length, 1);
});

test('the command asks as the profile says, and stores answers without whom they are about', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-check-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const keys = { PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64') };
  const running = await startOn('sqlite', keys);
  stack.defer(() => running.close());
  const user = await newUser(running.server.address);
  const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
    ...{ name: 'Harbour', platform: 'p5', kind: 'p5-web-api', server: p5.server.url },
    ...{ ...P5_MANAGER, tlsFingerprint: p5.server.fingerprint },
  });
  assert.equal(profile.status, 201, JSON.stringify(profile.body));
  const file = join(folder, 'answers.json');
  const example = exampleOf('docs/p5-web-api.md', 'plimsoll check-platform').trim();
  const command = example
    // First: an id may have six digits in a row.
    .replace(/\d{6}/, String(login))
    .replace('$PROFILE', profile.body.id)
    .replace('answers.json', file)
    .split(' ')
    .slice(1);
  const environment = {
    ...{ ...running.database.environment, ...keys },
    PLIMSOLL_PRIVATE_PLATFORMS: 'all',
  };
  const done = await runPlimsoll(command, environment);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^\/api\/user\/get +ok +of demo\\usd/m);
  const saved = readFileSync(file, 'utf8');
  assert.match(saved, /1499\.90/);
  assert.doesNotMatch(saved, new RegExp(`Byron|447700900123|${login}`));
  const none = await runPlimsoll(['check-platform', 'nobody'], environment);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /no such profile/);
});
