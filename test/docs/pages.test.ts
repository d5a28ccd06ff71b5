import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { createProfileOperation } from '../../src/contract/operations/profiles.ts';
import { createTrackerOperation } from '../../src/contract/operations/trackers.ts';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { blocksOf, commandsOf, ROOT, recordsOf, Shell } from './shell-examples.ts';

const FINGERPRINT = '0'.repeat(64);

test('the requests of programs, mail and evidence are answered', async (t) => {
  const { server, close } = await startOn('sqlite');
  t.after(close);
  const client = await newUser(server.address);
  await newAccount(client, { id: 'challenge-1' });
  const shell = new Shell(t);
  Object.assign(shell.variables, { BASE: server.address, TOKEN: client.token });

  const [make, enrol] = blocksOf('docs/programs.md').filter(({ text }) => text.includes('curl'));
  const book = blocksOf('docs/programs.md').find(({ language }) => language === 'json');
  await shell.run(`cat > program.json <<'END'\n${book?.text}END\n${make?.text}`);
  const { body: programs } = await client.get<{ id: string }[]>('/users/current/programs');
  await shell.run(String(enrol?.text).replace('"…"', `"${programs[0]?.id}"`));

  const mail = blocksOf('docs/quotas-and-mail.md').find(({ text }) => text.includes('curl'));
  await shell.run(String(mail?.text));
  const { body: chosen } = await client.get('/users/current/event-mail');
  assert.deepEqual(chosen, { breaches: 'immediate', warnings: 'digest' });

  const tracker = { name: 'any', period: 'lifetime', absoluteDrawdownThreshold: 1 };
  await client.post('/users/current/accounts/challenge-1/trackers', tracker);
  const row = { accountId: 'challenge-1', brokerTime: '2026-03-01 10:00:00' };
  await client.post('/users/current/snapshots', [{ ...row, balance: 100, equity: 1 }]);
  const path = '/users/current/tracker-events/1/case';
  await until(async () => (await client.get(path)).status === 200, 'its event is sealed');
  const [evidence, outcome] = blocksOf('docs/evidence.md');
  const verdict = await shell.run(String(evidence?.text));
  const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/;
  assert.equal(verdict.replace(time, 'T'), outcome?.text.replace(time, 'T'));
});

test('the record of a refusal is that of docs/errors.md', async (t) => {
  const { server, close } = await startOn('sqlite');
  t.after(close);
  const client = await newUser(server.address);
  const account = { name: 'a', login: '1', broker: 'b', currency: 'USD', leverage: 0 };
  const { body } = await client.post<object>('/users/current/accounts', account);
  const [documented] = recordsOf(String(blocksOf('docs/errors.md')[0]?.text));
  assert.deepEqual({ ...body, id: 0 }, { ...(documented as object), id: 0 });
});

test('bad settings are reported as docs/settings.md shows', async () => {
  const examples = blocksOf('docs/settings.md').filter(({ text }) => text.startsWith('$ '));
  assert.equal(examples.length, 2);
  for (const { text } of examples) {
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

test('profiles and trackers of the documents are such as the operations accept', () => {
  for (const page of ['docs/p5-web-api.md', 'docs/p4-bridge.md']) {
    const [request = { text: '' }] = blocksOf(page);
    const [head, ...body] = request.text.split('\n');
    assert.equal(head, `POST ${createProfileOperation.path}`);
    const profile = JSON.parse(body.join('\n').replace(/<SHA-256[^>]*>/, FINGERPRINT));
    assert.ok(Check(createProfileOperation.body, profile), page);
  }
  const acting = JSON.parse(String(blocksOf('docs/actions.md')[0]?.text));
  assert.ok(Check(createTrackerOperation.body, acting));
});

test('README: the demo answers its requests', async (t) => {
  const shell = new Shell(t);
  const demo = execFile(process.execPath, [BIN, 'demo'], {
    env: { ...BARE_ENVIRONMENT, PORT: '0', PLIMSOLL_DATA: join(shell.folder, 'data') },
  });
  t.after(() => demo.kill('SIGKILL'));
  let printed = '';
  demo.stdout?.on('data', (text: string) => {
    printed += text;
  });
  await until(() => printed.includes('Demo token'), 'the demo prints its token');
  const [, address = ''] = /listens on (\S+)/.exec(printed) ?? [];
  const [, token = ''] = /Demo token[^:]*: (\S+)/.exec(printed) ?? [];
  Object.assign(shell.variables, { TOKEN: token });
  const here = (text: string): string =>
    text.replaceAll('http://127.0.0.1:8787', address).replace(/^TOKEN=.*$/m, '');
  const blocks = blocksOf('README.md');
  const at = blocks.findIndex(({ text }) => text.includes('historical-trades'));
  const trades = await shell.run(here(String(blocks[at]?.text)));
  assert.deepEqual(recordsOf(trades), recordsOf(String(blocks[at + 1]?.text)));
  const statement = here(String(blocks[at + 2]?.text)).replace('@src/', `@${ROOT}/src/`);
  for (const command of commandsOf(statement)) await shell.run(command);
  const commands = blocks.find(({ text }) => text.includes('user create'));
  const own = String(commands?.text).replace(/^export.*$/m, '');
  const starter = join(ROOT, 'bin/plimsoll.js');
  const data = { PLIMSOLL_DATA: join(shell.folder, 'data') };
  const run = own.replaceAll('node bin/plimsoll.js', `"${process.execPath}" "${starter}"`);
  assert.match(await shell.run(run, data), /plm_/);
  assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').includes('npm ci && npm start'));
});
