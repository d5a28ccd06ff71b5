import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Check } from 'typebox/value';
import { labelAccountsOperation } from '../../src/contract/operations/accounts.ts';
import { createProfileOperation } from '../../src/contract/operations/profiles.ts';
import { programPhase } from '../../src/contract/operations/programs.ts';
import { saveRuleTemplateOperation } from '../../src/contract/operations/rule-templates.ts';
import { createTrackerOperation } from '../../src/contract/operations/trackers.ts';
import { programFaults } from '../../src/services/programs/define-program.ts';
import { needs } from '../needs.ts';
import { startP5Server } from '../servers/p5-server-process.ts';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { exampleOf } from './blocks.ts';
import { recordsOf, Shell } from './shell.ts';

needs('server', 'curl', 'jq', 'openssl');

const FINGERPRINT = '0'.repeat(64);

test('the requests of programs, mail and evidence are answered, and the backup is made', async (t) => {
  const { server, database, close } = await startOn('sqlite');
  t.after(close);
  const client = await newUser(server.address);
  await newAccount(client, { id: 'challenge-1' });
  const shell = new Shell(t);
  Object.assign(shell.variables, database.environment);
  Object.assign(shell.variables, { BASE: server.address, TOKEN: client.token });

  const book = exampleOf('docs/programs.md', '"name": "FTMO 2-step"');
  const make = exampleOf('docs/programs.md', '-d @program.json');
  await shell.run(`cat > program.json <<'END'\n${book}END\n${make}`);
  const { body: programs } = await client.get<{ id: string }[]>('/users/current/programs');
  const enrol = exampleOf('docs/programs.md', '/enrolments');
  await shell.run(enrol.replace('"…"', `"${programs[0]?.id}"`));

  await shell.run(exampleOf('docs/quotas-and-mail.md', '/event-mail'));
  const { body: chosen } = await client.get('/users/current/event-mail');
  assert.deepEqual(chosen, { breaches: 'immediate', warnings: 'digest' });

  const tracker = { name: 'any', period: 'lifetime', absoluteDrawdownThreshold: 1 };
  await client.post('/users/current/accounts/challenge-1/trackers', tracker);
  const row = { accountId: 'challenge-1', brokerTime: '2026-03-01 10:00:00' };
  await client.post('/users/current/snapshots', [{ ...row, balance: 100, equity: 1 }]);
  const path = '/users/current/tracker-events/1/case';
  await until(async () => (await client.get(path)).status === 200, 'its event is sealed');
  const verdict = await shell.run(exampleOf('docs/evidence.md', 'verify case.json --key "'));
  const outcome = exampleOf('docs/evidence.md', 'case.json: holds');
  // Times, the tree's name and its root.
  const passing = /\d{4}-\d\d-\d\dT[\d:.]+Z|plimsoll\/[^ ,]+|[\w+/]{43}=/g;
  assert.equal(verdict.replaceAll(passing, '…'), outcome.replaceAll(passing, '…'));
  assert.equal(await shell.run(exampleOf('docs/evidence.md', '--keys keys.json')), verdict);

  const kept = await shell.run(exampleOf('docs/evidence.md', '--head head.txt'));
  assert.equal(kept.match(/one history with the given head of 1 records/g)?.length, 2, kept);

  assert.match(await shell.run(exampleOf('docs/operations.md', 'plimsoll check\n')), /schema/);
  const [list = '', headings = ''] = exampleOf('docs/operations.md', '$ plimsoll key list').split(
    '\n',
  );
  const wordsOf = (line = ''): string[] => line.trim().split(/ {2,}/);
  const [told] = (await shell.run(list.slice(2))).split('\n');
  assert.deepEqual(wordsOf(told), wordsOf(headings));

  await mkdir(join(shell.folder, 'backups'));
  const backup = exampleOf('docs/operations.md', 'npx plimsoll backup');
  await shell.run(backup.replace(' /', ` ${shell.folder}/`));
  assert.ok(existsSync(join(shell.folder, 'backups/2026-11-22.db')));
  const restore = exampleOf('docs/operations.md', 'npx plimsoll restore /');
  await shell.run(restore.replaceAll(/(?<=[ =])\/(?:var\/lib\/)?/g, `${shell.folder}/`));
  assert.ok(existsSync(join(shell.folder, 'plimsoll-restored/plimsoll.db')));

  const account = { name: 'a', login: '1', broker: 'b', currency: 'USD', leverage: 0 };
  const { body } = await client.post<object>('/users/current/accounts', account);
  const [documented] = recordsOf(exampleOf('docs/errors.md', 'ValidationError'));
  assert.deepEqual({ ...body, id: 0 }, { ...(documented as object), id: 0 });
});

test('bad settings are reported as docs/settings.md shows', async () => {
  const examples = [
    exampleOf('docs/settings.md', 'PORT=abc'),
    exampleOf('docs/settings.md', 'PLIMSOLL_REQUEST_PER_MINUTE'),
  ];
  for (const text of examples) {
    const [line = '', ...said] = text.trimEnd().split('\n');
    const command = line.slice(2).replace('node bin/plimsoll.js', `"${process.execPath}" "${BIN}"`);
    const output = await new Promise<string>((resolve) => {
      execFile('sh', ['-c', command], { env: BARE_ENVIRONMENT }, (error, _, stderr) => {
        assert.equal(error?.code, 2);
        resolve(stderr);
      });
    });
    assert.equal(output.trimEnd(), said.join('\n'));
  }
});

test('bodies in the documents are accepted by the operations', () => {
  for (const request of [
    exampleOf('docs/p5-web-api.md', 'POST /users'),
    exampleOf('docs/p4-bridge.md', 'POST /users'),
  ]) {
    const [head, ...body] = request.split('\n');
    assert.equal(head, `POST ${createProfileOperation.path}`);
    const profile = JSON.parse(body.join('\n').replace(/<SHA-256[^>]*>/, FINGERPRINT));
    assert.ok(Check(createProfileOperation.body, profile), request);
  }
  const acting: unknown = JSON.parse(exampleOf('docs/actions.md', '"period"'));
  assert.ok(Check(createTrackerOperation.body, acting));
  const phase: unknown = JSON.parse(exampleOf('docs/actions.md', '"objectives"'));
  assert.ok(Check(programPhase, phase));
  assert.deepEqual(programFaults({ phases: [phase] }), []);
  const template: unknown = JSON.parse(exampleOf('docs/trackers.md', '"rule"'));
  assert.ok(Check(saveRuleTemplateOperation.body, template));
  const labels: unknown = JSON.parse(exampleOf('docs/guide.md', '"accountIds"'));
  assert.ok(Check(labelAccountsOperation.body, labels));
});

describe('docs/p5-web-api.md', () => {
  test('shows the fingerprint by which a profile recognises its server', async (t) => {
    const server = await startP5Server({ tls: true });
    t.after(() => server.remove());
    const command = exampleOf('docs/p5-web-api.md', 'openssl s_client');
    const { host } = new URL(server.url);
    const said = await new Shell(t).run(command.replace('access.example.com:443', host));
    assert.equal(said.trim().split('=')[1], server.fingerprint);
  });

  test('starts the access server for tests', async (t) => {
    const shell = new Shell(t);
    const command = exampleOf('docs/p5-web-api.md', 'p5-server/main.ts');
    const here = command.replace('/tmp', shell.folder);
    const { said } = await shell.start(here, /^\{/);
    assert.deepEqual(Object.keys(JSON.parse(said[0] ?? '')), ['port', 'controlPort']);
  });
});
