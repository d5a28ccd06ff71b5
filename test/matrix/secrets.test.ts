import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { createWorld } from './world.ts';

needs('server');

const PASSWORD = 'manager-password-1f0c';
const SMTP_PASSWORD = 'smtp-password-77ab';

describe('secrets', () => {
  const key = randomBytes(32).toString('base64');
  const answers: string[] = [];
  let running: TestServer;
  let secrets: Record<string, string>;
  before(async () => {
    running = await startOn('sqlite', {
      LOG_LEVEL: 'trace',
      PLIMSOLL_SECRET_KEY: key,
      SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@127.0.0.1:1`,
    });
    secrets = await useThemAll();
  });
  after(() => running.close());

  /** Sends every secret where it belongs and where it does not, and remembers what came back. */
  const useThemAll = async (): Promise<Record<string, string>> => {
    const { address } = running.server;
    const { owner, profiles, operator } = await createWorld(address);
    const call = async (method: string, path: string, body?: unknown, by: Client = owner) => {
      const answer = await by.call<Record<string, string>>(method, path, body);
      if (answer.status !== 201) answers.push(JSON.stringify([...answer.headers, answer.body]));
      return answer;
    };
    const profile = {
      name: 'Real',
      platform: 'p5',
      kind: 'p5-web-api',
      server: '127.0.0.1:1',
      login: 7,
      password: PASSWORD,
    };
    const list = '/users/current/provisioning-profiles';
    const { id } = (await call('POST', list, profile)).body;
    await call('POST', list, { ...profile, server: 'not a server', unknown: PASSWORD });
    await call('GET', list);
    await call('GET', `/users/current/p5/provisioning-profiles/${id}/accounts/1`);
    const webhook = { url: 'https://hooks.example.com/z' };
    const { secret = '' } = (await call('POST', '/users/current/webhooks', webhook)).body;
    await call('GET', '/users/current/webhooks');
    const account = { email: 'b@example.com', group: 'demo\\usd', leverage: 100 };
    const path = `/users/current/p5/provisioning-profiles/${profiles.p5}/accounts`;
    const opened = (await call('POST', path, account)).body;
    for (const by of [
      operator,
      new Client(address, `${owner.token}x`),
      new Client(address, PASSWORD),
    ]) {
      for (const read of [
        '/admin/users',
        `/admin/users/${owner.userId}/tokens`,
        '/admin/audit',
        '/admin/mail',
      ]) {
        await call('GET', read, undefined, by);
      }
    }
    await call('POST', '/users/current/accounts', `{"token":"${owner.token}"`);
    await call('GET', `/metrics`);
    await call('GET', '/openapi.json');
    return {
      'token of a user': owner.token ?? '',
      'token of the operator': ADMIN_TOKEN,
      'password of a profile': PASSWORD,
      'password of the mail server': SMTP_PASSWORD,
      'secret of a webhook': secret,
      'password of an opened account': opened.password ?? '',
      'password of an investor': opened.investorPassword ?? '',
      'key of the settings': key,
    };
  };
  const hasNone = (text: string, where: string): void => {
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 8, `there is a ${name}`);
      assert.ok(!text.includes(secret), `the ${name} is in ${where}`);
    }
  };

  it('are in no answer except the one that gives them', () => {
    assert.ok(answers.length > 10);
    for (const answer of answers) hasNone(answer, answer);
  });

  it('are in no line of the log, however much is logged', () => {
    const log = running.server.log();
    assert.ok(log.includes('"level":20'), 'the log is that of a talkative server');
    hasNone(log, 'the log');
  });

  it('are not in the files of the database', async () => {
    const folder = running.database.environment.PLIMSOLL_DATA ?? '';
    const names = readdirSync(folder);
    assert.ok(names.includes('plimsoll.db'));
    for (const name of names) hasNone(readFileSync(join(folder, name)).toString('latin1'), name);
  });
});
