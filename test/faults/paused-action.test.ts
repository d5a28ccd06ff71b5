import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { P5_MANAGER, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

const ALLOWED = ['actAtBreach', 'disableTrading', 'enableTrading'];
const LOOK = '/api/user/get';
const UPDATE = '/api/user/update';

type Listed = { state: string; attempts: number };

it('a process stopped before its call to the platform makes none when it continues', async () => {
  await using stack = new AsyncDisposableStack();
  const p5 = await startP5Server({ tls: true });
  stack.defer(() => p5.remove());
  const database = await openTestDatabase('postgres');
  stack.defer(() => database.close());
  const secretKey = randomBytes(32).toString('base64');
  const environment = { ...database.environment, PLIMSOLL_SECRET_KEY: secretKey };
  const first = await startPlimsoll(environment);
  stack.defer(() => first.kill());
  const scopes = ['read', 'write', 'ingest', 'actions'];
  const user = await newUser(first.address, { scopes });
  const { body: profile } = await user.post<{ id: string }>(
    '/users/current/provisioning-profiles',
    {
      ...{ name: 'Desk', platform: 'p5', kind: 'p5-web-api', server: p5.url, ...P5_MANAGER },
      ...{ tlsFingerprint: p5.fingerprint, allowedActions: ALLOWED },
    },
  );
  /** An account with a tracker that disables trading, and its equity at its start. */
  const bind = async (): Promise<{ login: number; accountId: string }> => {
    const path = `/users/current/p5/provisioning-profiles/${profile.id}/accounts`;
    const login = await openOnPlatform(user, path, 'demo\\usd');
    await p5.control('/deposit', { login: Number(login), amount: 1000 });
    const accountId = await newAccount(user, { login, profileId: profile.id });
    await until(async () => {
      const chart = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
      return (await user.asOfNow<{ lastEquity: number }[]>(chart)).at(-1)?.lastEquity === 1000;
    }, 'the equity');
    const made = await user.post(`/users/current/accounts/${accountId}/trackers`, {
      ...{ name: 'loss', period: 'lifetime', absoluteDrawdownThreshold: 50 },
      ...{ baseline: 'startEquity', actions: [{ action: 'disableTrading', confirm: 'none' }] },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return { login: Number(login), accountId };
  };
  const quote = (bid: number) => p5.control('/quote', { symbol: 'EURUSD', bid, ask: bid });
  const breakLimit = async (login: number): Promise<void> => {
    await quote(1.1);
    await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
    await quote(1.09);
  };
  const isDone = async (client: Client, accountId: string): Promise<boolean> => {
    const path = `/users/current/breach-actions?accountId=${accountId}`;
    return (await client.get<Listed[]>(path)).body[0]?.state === 'done';
  };
  const seen = async (command: string): Promise<number> => {
    const { requests } = (await p5.control('/seen')) as { requests: string[] };
    return requests.filter((line) => line.includes(command)).length;
  };
  const one = await bind();
  const other = await bind();
  const [looks, updates] = [await seen(LOOK), await seen(UPDATE)];
  await p5.control('/fault', { kind: 'slow', command: LOOK, times: 100, ms: 3000 });
  await breakLimit(one.login);
  await until(async () => (await seen(LOOK)) > looks, 'the look at the platform');
  first.process.kill('SIGSTOP');
  await p5.control('/faults/clear');

  const second = await startPlimsoll(environment);
  stack.defer(() => second.kill());
  const client = new Client(second.address, user.token);
  await until(() => isDone(client, one.accountId), 'the action of the other process');
  // A person has checked it, and lets the holder trade again.
  const account = `/users/current/p5/provisioning-profiles/${profile.id}/accounts/${one.login}`;
  const { status } = await client.call('PATCH', account, { tradingEnabled: true });
  assert.ok(status < 300, `${status}`);
  assert.equal(await seen(UPDATE), updates + 2);
  await second.stop();

  first.process.kill('SIGCONT');
  await breakLimit(other.login);
  await until(() => isDone(user, other.accountId), 'the next action of the first process');
  assert.equal(await seen(UPDATE), updates + 3);
  const { body } = await user.get<{ tradingEnabled: boolean }>(`${account}/settings`);
  assert.equal(body.tradingEnabled, true);
});
