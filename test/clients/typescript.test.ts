import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  connect,
  dataOf,
  type Plimsoll,
  PlimsollError,
} from '../../clients/typescript/src/index.ts';
import { KEYED } from '../../clients/typescript/src/retry.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { exampleOf, ROOT } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server', 'client');

const PACKAGE = join(ROOT, 'clients/typescript');
/** One page of trades, and some more. */
const TRADES = 1100;
const ALL = ['2026-01-01 00:00:00.000', '2027-01-01 00:00:00.000'] as const;

type Fetch = (request: Request) => Promise<Response>;

describe('the TypeScript client', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  const connected = (fetch: Fetch = globalThis.fetch, maxAttempts = 6): Plimsoll => {
    const { address: baseUrl, token = '' } = user;
    return connect({ baseUrl, token, fetch, maxAttempts, maxPauseMs: 10 });
  };
  /** An account whose tracker a fall below 100 breaks, each day anew. */
  const tracked = async (): Promise<string> => {
    const id = await newAccount(user);
    const tracker = { name: 'daily', period: 'date', absoluteDrawdownThreshold: 1 };
    assert.equal((await user.post(`/users/current/accounts/${id}/trackers`, tracker)).status, 201);
    return id;
  };
  const fall = async (accountId: string, day: number): Promise<void> => {
    const row = { accountId, brokerTime: `2026-03-0${day} 10:00:00`, balance: 100, equity: 50 };
    assert.equal((await user.post('/users/current/snapshots', [row])).status, 200);
  };

  it('makes a key for exactly the operations that accept one', () => {
    const changes = OPERATIONS.filter(
      ({ method, deprecated }) => ['POST', 'PATCH'].includes(method) && !deprecated,
    );
    for (const { operationId, path, headers } of changes) {
      const takesKey = headers !== undefined && 'idempotency-key' in headers.properties;
      assert.equal(KEYED.test(path), takesKey, operationId);
    }
  });

  it('pages through all trades of an account, also while they are computed', async () => {
    const id = await newAccount(user);
    const deals = Array.from({ length: TRADES }, (_, number) => {
      const minute = new Date(Date.UTC(2026, 2, 2, 0, number)).toISOString();
      const brokerTime = minute.replace('T', ' ').replace('Z', '');
      return { id: `${number}`, type: 'DEAL_TYPE_BALANCE', profit: 1, brokerTime };
    });
    assert.equal((await user.post(`/users/current/accounts/${id}/deals`, deals)).status, 200);
    const ids = new Set<string>();
    for await (const trade of connected().historicalTrades(id, ...ALL)) ids.add(trade._id);
    assert.equal(ids.size, TRADES);
    const accounts: string[] = [];
    for await (const account of connected().accounts()) accounts.push(account.id);
    assert.ok(accounts.includes(id));
  });

  it('throws the error record of a refusal, and does not retry it', async () => {
    let sent = 0;
    const counting: Fetch = (request) => {
      sent += 1;
      return fetch(request);
    };
    const params = { path: { accountId: 'nobody' } };
    const asked = dataOf(
      connected(counting).api.GET('/users/current/accounts/{accountId}', { params }),
    );
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof PlimsollError);
      assert.deepEqual([error.status, error.record?.error], [404, 'NotFoundError']);
      return true;
    });
    assert.equal(sent, 1);
  });

  it('waits as long as the server says, and gives up in the end', async () => {
    let refusals = 3;
    const busy: Fetch = async (request) => {
      if (refusals === 0) return fetch(request);
      refusals -= 1;
      return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
    };
    await dataOf(connected(busy).api.GET('/users/current/regions'));
    assert.equal(refusals, 0);
    refusals = 3;
    const impatient = connected(busy, 2).api.GET('/users/current/regions');
    await assert.rejects(dataOf(impatient), { status: 503 });
    assert.equal(refusals, 1);
  });

  it('retries requests with a key after a lost answer, with one effect, and no others', async () => {
    let losses = 0;
    const losing: Fetch = async (request) => {
      const answer = await fetch(request);
      if (request.method !== 'POST' || losses === 0) return answer;
      losses -= 1;
      throw new TypeError('fetch failed');
    };
    const { api } = connected(losing);
    const name = { name: 'Simulated', platform: 'p5', kind: 'simulated' } as const;
    const { id: profileId } = await dataOf(
      api.POST('/users/current/provisioning-profiles', { body: name }),
    );
    losses = 1;
    const path = '/users/current/p5/provisioning-profiles/{profileId}/accounts' as const;
    const body = { email: 'ana@example.com', group: 'demo\\usd', leverage: 100 };
    const opened = await dataOf(api.POST(path, { params: { path: { profileId } }, body }));
    assert.equal(losses, 0);
    const group = '/users/current/p5/provisioning-profiles/{profileId}/groups/{groupName}/accounts';
    const inGroup = { path: { profileId, groupName: 'demo\\usd' } };
    const members = await dataOf(api.GET(group, { params: inGroup }));
    assert.equal(members.filter(({ email }) => email === body.email).length, 1);
    assert.ok(members.some(({ login }) => login === opened.login));
    losses = 1;
    const again = api.POST('/users/current/provisioning-profiles', { body: name });
    await assert.rejects(again, /fetch failed/);
  });

  for (const follow of ['followEvents', 'followLive'] as const) {
    it(`${follow} tells every event once, though connections break`, async () => {
      const id = await tracked();
      await fall(id, 1);
      let answers = 0;
      const breaking: Fetch = async (request) => {
        answers += 1;
        if (answers % 2 === 1) throw new TypeError('fetch failed');
        return fetch(request);
      };
      const gone = new AbortController();
      const filter = { accountId: id, signal: gone.signal };
      const days: string[] = [];
      const following = (async () => {
        for await (const event of connected(breaking)[follow]('drawdown', filter)) {
          days.push(event.brokerTime.slice(0, 10));
          if (days.length < 3) await fall(id, days.length + 1);
          else {
            await forgetRequests();
            gone.abort(new Error('enough'));
          }
        }
      })();
      await assert.rejects(following, /enough/);
      assert.deepEqual(days, ['2026-03-01', '2026-03-02', '2026-03-03']);
    });
  }

  it('followStanding goes on from where a broken connection ended', async () => {
    const id = await tracked();
    let cut = (): void => assert.fail('nothing is open');
    const breaking: Fetch = async (request) => {
      const { body, ...head } = await fetch(request);
      let end: (error: Error) => void = () => {};
      const breakable = new TransformStream({
        start: (controller) => {
          end = (error) => controller.error(error);
        },
      });
      cut = () => end(new TypeError('terminated'));
      return new Response(body?.pipeThrough(breakable), { ...head, status: 200 });
    };
    const gone = new AbortController();
    const filter = { accountIds: [id], parts: ['standing'] as const, signal: gone.signal };
    const reasons: string[] = [];
    const following = (async () => {
      for await (const message of connected(breaking).followStanding(filter)) {
        if (message.kind === 'begin') reasons.push(message.reason);
        if (message.kind === 'complete') {
          cut();
          await fall(id, 1);
        }
        if (message.kind === 'account' && message.standing?.equity === 50) {
          gone.abort(new Error('enough'));
        }
      }
    })();
    await assert.rejects(following, /enough/);
    assert.deepEqual(reasons, ['first', 'resumed']);
  });

  it('runs the examples of its README and of the guide exactly as printed', async (t) => {
    await promisify(execFile)(join(PACKAGE, 'node_modules/.bin/tsc'), ['-p', PACKAGE]);
    const id = await tracked();
    await fall(id, 1);
    const waiting = exampleOf('clients/typescript/README.md', 'for await (const event of');
    const everything = exampleOf('clients/typescript/README.md', 'PlimsollError');
    const line = new RegExp(`^\\d+: ${id} lost 50$`, 'm');
    const waiter = run(t, waiting, user);
    await until(() => line.test(waiter.output()), 'the breach is told');
    const told = run(t, exampleOf('docs/guide.md', 'plimsoll.followEvents('), user);
    await until(() => told.output().includes(`${id} lost 50 at 2026-03-01 10:00:00.000`));
    const standing = run(t, exampleOf('docs/guide.md', 'plimsoll.followStanding('), user);
    await until(() => /^[1-9]\d* accounts are followed$/m.test(standing.output()));
    const other = run(t, everything, user);
    await until(() => other.output().includes('404 NotFoundError'), 'the example ends');
    assert.ok(other.output().includes(`${id} 0.00 USD`));
  });
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** A request may be collected while its answer is read: its signal must end that all the same. */
async function forgetRequests(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    collect();
    await setImmediate();
  }
}

/** Runs an example as a user of the package does, who has installed it. */
function run(t: TestContext, code: string, { address, token = '' }: Client): { output(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-example-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(PACKAGE, join(folder, 'node_modules/plimsoll-client'));
  writeFileSync(join(folder, 'example.mjs'), code);
  const child = spawn(process.execPath, ['example.mjs'], {
    cwd: folder,
    env: { PLIMSOLL_URL: address, PLIMSOLL_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  t.after(() => child.kill());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { output: () => output };
}
