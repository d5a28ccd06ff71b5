import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { inspect } from 'node:util';
import { needs } from '../../../test/needs.ts';
import {
  eventually,
  newPlatformUser,
  P5Fixture,
  type Seen,
} from '../../../test/servers/p5-fixture.ts';
import {
  P5_MANAGER,
  type P5ServerProcess,
  startP5Server,
} from '../../../test/servers/p5-server-process.ts';
import type { PlatformError } from '../gateway.ts';
import { createP5WebApiGateway } from './p5-web-api-gateway.ts';

needs('openssl');

const UNREACHABLE = 'the server cannot be reached, or does not answer like this kind of platform';
const EVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };

let p5: P5Fixture;
let server: P5ServerProcess;
before(async () => {
  p5 = await P5Fixture.start();
  server = p5.server;
});
after(() => server.remove());
beforeEach(() => p5.reset());

suite('faults', () => {
  test('a lost session is replaced and the call answered', async () => {
    const one = p5.gateway();
    await one.check();
    const { sessions } = await p5.seen();
    await server.control('/drop-sessions');
    await one.check();
    assert.equal((await p5.seen()).sessions, sessions + 1);
  });

  test('one gateway holds one session for any number of calls at once', async () => {
    const one = p5.gateway();
    const { sessions } = await p5.seen();
    await Promise.all(Array.from({ length: 20 }, () => one.check()));
    assert.equal((await p5.seen()).sessions, sessions + 1);
  });

  for (const kind of ['drop', 'lose', 'break', 'garbage'] as const)
    test(`a read whose answer suffers "${kind}" is repeated`, async () => {
      await server.control('/fault', { kind, command: '/api/time' });
      assert.ok((await p5.gateway().check()).brokerTimeMs > 0);
    });

  for (const retcode of ['12 Too frequent requests', '1018 Server busy'])
    test(`"${retcode}" is waited out, and reported if it lasts`, async () => {
      const one = p5.gateway();
      await server.control('/fault', { kind: 'refuse', command: '/api/time', retcode, times: 2 });
      assert.ok((await one.check()).brokerTimeMs > 0);
      await server.control('/fault', { kind: 'refuse', command: '/api/time', retcode, times: 9 });
      await assert.rejects(one.check(), { name: 'PlatformError', code: 'unavailable' });
    });

  test('a busy server at the handshake is unavailable, then fine', async () => {
    const one = p5.gateway();
    await server.control('/fault', {
      kind: 'refuse',
      command: '/api/auth/start',
      retcode: '1018 Server busy',
    });
    await assert.rejects(one.check(), { code: 'unavailable' });
    await eventually(() => one.check());
  });

  test('a server that hangs costs one time-out, not the gateway', async () => {
    const one = p5.gateway({ answerMs: 1000 });
    await eventually(() => one.check());
    await server.control('/fault', { kind: 'hang', command: '/api/time' });
    await assert.rejects(one.check(), { code: 'unavailable' });
    await eventually(() => one.check());
  });

  test('calls behind a slow one give up in time and never run', async () => {
    const one = p5.gateway({ queueMs: 20 });
    await one.check();
    await server.control('/fault', { kind: 'slow', command: '/api/time', ms: 2000 });
    const slow = one.check();
    await assert.rejects(one.user(424_242), { code: 'unavailable' });
    await slow;
    assert.equal((await p5.seen()).requests.join().includes('424242'), false);
  });

  test('more calls than the queue allows are refused at once', async () => {
    const one = p5.gateway({ maxQueuedCalls: 2 });
    const results = await Promise.allSettled([one.check(), one.check(), one.check()]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
  });

  test('a caller that gives up leaves the session to others', async () => {
    const one = p5.gateway({ queueMs: 20 });
    await one.check();
    const { sessions } = await p5.seen();
    await server.control('/fault', { kind: 'slow', command: '/api/time', ms: 2000 });
    const slow = one.check();
    await assert.rejects(one.check(), { code: 'unavailable' });
    await slow;
    await one.check();
    assert.equal((await p5.seen()).sessions, sessions);
  });

  test('a server that cannot prove itself gets no command', async () => {
    await server.control('/fault', { kind: 'wrongProof', command: '/api/auth/answer' });
    const { requests } = await p5.seen();
    await assert.rejects(p5.gateway().check(), { code: 'denied' });
    const sent = (await p5.seen()).requests.slice(requests.length);
    assert.equal(sent.length, 2);
    assert.ok(sent.every((line) => line.startsWith('GET /api/auth/')));
  });

  test('a lost answer to an opening finds the account instead of opening two', async () => {
    for (const kind of ['lose', 'drop'] as const) {
      const requestId = crypto.randomUUID();
      await server.control('/fault', { kind, command: '/api/user/add' });
      const { login } = await p5.gateway().createUser(newPlatformUser(), requestId);
      assert.equal((await accountsOf(requestId)).length, 1);
      // A later repetition, after a crash of ours, ends at the same account, with new passwords.
      const again = await p5
        .gateway()
        .createUser(newPlatformUser({ repeated: true, password: 'Cc3!cccc' }), requestId);
      assert.equal(again.login, login);
      assert.equal((await accountsOf(requestId)).length, 1);
      const { passwords } = (await server.control('/state')) as {
        passwords: Record<string, { main: string }>;
      };
      assert.equal(passwords[login]?.main, 'Cc3!cccc');
    }
  });

  test('an opening cut before it ran is reported and opens one account when repeated', async () => {
    const requestId = crypto.randomUUID();
    await server.control('/fault', { kind: 'break', command: '/api/user/add' });
    await assert.rejects(p5.gateway().createUser(newPlatformUser(), requestId), {
      code: 'unavailable',
    });
    await p5.gateway().createUser(newPlatformUser({ repeated: true }), requestId);
    assert.equal((await accountsOf(requestId)).length, 1);
  });

  test('edited, deleted and late deals show when the range is read again', async () => {
    const login = await p5.openAccount();
    const first = await server.control('/deposit', { login, amount: 1 });
    const second = await server.control('/deposit', { login, amount: 2 });
    await server.control('/deal/edit', { deal: first.Deal, fields: { Profit: 7 } });
    await server.control('/deal/delete', { deal: second.Deal });
    const old = Date.UTC(2026, 0, 1);
    await server.control('/deal', { login, fields: { Profit: 3, TimeMsc: old } });
    const deals = await p5.gateway().deals({ login, ...EVER });
    assert.deepEqual(
      deals.map(({ profit }) => profit),
      [30_000, 70_000],
    );
  });

  test('two gateways on one server do not disturb each other', async () => {
    const login = await p5.openAccount();
    const [one, two] = [p5.gateway(), p5.gateway()];
    await Promise.all([one.check(), two.check()]);
    await server.control('/fault', { kind: 'break', command: '/api/time' });
    const users = await Promise.all([
      ...Array.from({ length: 10 }, () => one.user(login)),
      ...Array.from({ length: 10 }, () => two.user(login)),
      one.check(),
    ]);
    assert.equal(users.length, 21);
    assert.ok(users.every((user) => user !== undefined));
  });

  test('a killed server is unavailable, and found again after its restart', async () => {
    const login = await p5.openAccount();
    const one = p5.gateway();
    await one.check();
    await server.kill();
    await assert.rejects(one.user(login), { code: 'unavailable' });
    await server.start();
    const user = await eventually(() => one.user(login));
    assert.equal(user?.login, String(login));
  });

  test('pings keep a session that the server would end for its silence', async (t) => {
    const strict = await startP5Server();
    t.after(() => strict.remove());
    const settings = { server: strict.url, allowPrivate: true, ...P5_MANAGER };
    const seen = async () => (await strict.control('/seen')) as Seen;
    const pings = async () =>
      (await seen()).requests.filter((line) => line === 'GET /api/test/access').length;
    const one = createP5WebApiGateway(settings, { pingMs: 10 });
    await one.check();
    await strict.control('/drop-silent');
    for (let patience = 0; patience < 5; patience += 1) {
      const before = await pings();
      await eventually(async () => assert.ok((await pings()) > before));
      assert.deepEqual(await strict.control('/drop-silent'), { dropped: 0 });
    }
    await one.check();
    assert.equal((await seen()).sessions, 1);
    await one.close();
  });

  test('a closed gateway takes no calls', async () => {
    const one = p5.gateway();
    await one.check();
    await one.close();
    await assert.rejects(one.check(), { code: 'unavailable' });
  });
});

suite('trust and secrets', () => {
  const reach = (settings: object): Promise<unknown> => {
    const trust = { tlsFingerprint: undefined, ...settings };
    return p5.gateway({}, trust).check();
  };
  const other = 'AB'.repeat(32);

  test('a self-signed certificate is accepted only by its pin or its own authority', async () => {
    const { certificate: tlsCa, fingerprint: tlsFingerprint } = server;
    await reach({ tlsFingerprint });
    await reach({
      tlsFingerprint: `sha256:${tlsFingerprint?.toLowerCase().replaceAll(':', '')}`,
    });
    await reach({ tlsCa });
    const { requests } = await p5.seen();
    for (const [settings, cause] of [
      [{}, /certificate is not trusted/],
      [{ tlsFingerprint: other }, /does not match tlsFingerprint/],
    ] as const)
      await assert.rejects(reach(settings), (error: PlatformError) => {
        // Users get the same message whatever is at the other end; the cause is for the log.
        assert.deepEqual([error.code, error.message], ['unavailable', UNREACHABLE]);
        return cause.test(String(error.cause));
      });
    assert.equal((await p5.seen()).requests.length, requests.length);
  });

  test('a wrong password and a strange login are denied, in words without either', async () => {
    for (const fields of [{ password: 'TopSecret9!' }, { login: 4_444_444 }]) {
      const error = await reach({ tlsFingerprint: server.fingerprint, ...fields }).then(
        () => assert.fail('was let in'),
        (failure: unknown) => failure,
      );
      assert.equal((error as { code: string }).code, 'denied');
      assert.doesNotMatch(inspect(error, { depth: 9 }), /TopSecret9!|4444444|Password1/);
    }
  });

  test('an address that the server refuses is denied', async () => {
    const { manager } = (await server.control('/state')) as { manager: Record<string, unknown> };
    await server.control('/manager', { allowedAddresses: ['192.0.2.1'] });
    await assert.rejects(p5.gateway().check(), { code: 'denied', message: /1012/ });
    await server.control('/manager', manager);
    await p5.gateway().check();
  });

  test('no password is in a request line, in a printed gateway or in its JSON', async () => {
    await p5.openAccount({ password: 'Zz9!secret', investorPassword: 'Yy8!secret' });
    const one = p5.gateway();
    await one.check();
    const printed = [inspect(one, { depth: 9, showHidden: true }), JSON.stringify(one)];
    const text = [...(await p5.seen()).requests, ...printed].join('\n');
    assert.match(text, /api\/user\/add/);
    assert.doesNotMatch(text, /Password1|Zz9!|Zz9%21|Yy8!/);
  });
});

async function accountsOf(requestId: string): Promise<unknown[]> {
  const { users } = (await server.control('/state')) as { users: { Comment?: string }[] };
  return users.filter(({ Comment }) => Comment?.includes(requestId));
}
