import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { inspect } from 'node:util';
import {
  P5_MANAGER,
  type P5ServerProcess,
  startP5Server,
} from '../../../test/servers/p5-server-process.ts';
import type { Gateway, NewPlatformUser } from '../gateway.ts';
import type { P5Limits } from './limits.ts';
import { createP5WebApiGateway } from './p5-web-api-gateway.ts';

const QUICK: Partial<P5Limits> = { retryMs: 1, maxRetryMs: 2, deniedMs: 1 };
const EVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };

const newUser = (fields: Partial<NewPlatformUser> = {}): NewPlatformUser => ({
  name: 'Ada Byron Lovelace',
  email: 'ada@example.com',
  group: 'demo\\usd',
  leverage: 100,
  enabled: true,
  password: 'Aa1!aaaa',
  investorPassword: 'Bb2!bbbb',
  ...fields,
});

let server: P5ServerProcess;
const opened: Gateway[] = [];
const gateway = (limits: Partial<P5Limits> = {}): Gateway => {
  const made = createP5WebApiGateway(
    { server: server.url, ...P5_MANAGER, tlsFingerprint: server.fingerprint },
    { ...QUICK, ...limits },
  );
  opened.push(made);
  return made;
};
const seen = async (): Promise<{ requests: string[]; sessions: number; connections: number }> =>
  (await server.control('/seen')) as { requests: string[]; sessions: number; connections: number };
const openAccount = async (fields: Partial<NewPlatformUser> = {}): Promise<number> =>
  Number((await gateway().createUser(newUser(fields), crypto.randomUUID())).login);

suite('p5 Web API gateway against a server process', () => {
  before(async () => {
    server = await startP5Server({ tls: true });
  });
  after(async () => {
    await server.remove();
  });
  beforeEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await server.control('/faults/clear');
  });

  suite('accounts', () => {
    test('an opened account can be read back, all as text', async () => {
      const login = await openAccount({
        group: 'real\\50% off/ünï cødé',
        city: 'London',
        zip: 'W1 & more',
        leadSource: 'a=b|c',
        clientId: 77,
      });
      assert.deepEqual(await gateway().user(login), {
        login: String(login),
        address: '',
        balance: '0.00',
        city: 'London',
        country: '',
        email: 'ada@example.com',
        group: 'real\\50% off/ünï cødé',
        leverage: '100',
        name: 'Ada Byron Lovelace',
        phone: '',
        state: '',
        zip: 'W1 & more',
        clientId: '77',
        leadSource: 'a=b|c',
        leadCampaign: '',
      });
    });

    test('a login that nobody has is no user', async () => {
      assert.equal(await gateway().user(1), undefined);
      assert.equal(await gateway().accountInformation(1), undefined);
      assert.equal(await gateway().market(1, 'EURUSD'), undefined);
    });

    test('users of a group are those of that very group, masks match nobody', async () => {
      const login = await openAccount({ group: 'real\\forex\\eur' });
      const inGroup = await gateway().usersOfGroup('real\\forex\\eur');
      assert.deepEqual(
        inGroup.map((user) => user.login),
        [String(login)],
      );
      for (const group of ['real\\*', '*', 'nowhere', 'real\\forex'])
        assert.deepEqual(await gateway().usersOfGroup(group), []);
    });

    test('an account opened as not enabled may not trade', async () => {
      const enabled = await openAccount();
      const disabled = await openAccount({ enabled: false });
      assert.equal((await gateway().accountInformation(enabled))?.tradeAllowed, true);
      assert.equal((await gateway().accountInformation(disabled))?.tradeAllowed, false);
      const { users } = (await server.control('/state')) as { users: Record<string, unknown>[] };
      const rights = (login: number): unknown => users.find((user) => user.Login === login)?.Rights;
      assert.equal(rights(enabled), '355');
      assert.equal(rights(disabled), '354');
    });

    test('the state of an idle account comes from its record, of a busy one from the server', async () => {
      const login = await openAccount();
      const idle = await gateway().accountInformation(login);
      assert.deepEqual(idle, {
        platform: 'mt5',
        broker: 'Harbour Test Broker',
        currency: 'USD',
        balance: 0,
        equity: 0,
        margin: 0,
        freeMargin: 0,
        leverage: 100,
        marginLevel: undefined,
        tradeAllowed: true,
        marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
        name: 'Ada Byron Lovelace',
        login,
        credit: 0,
      });
      await server.control('/deposit', { login, amount: 10_000, comment: 'first' });
      await server.control('/credit', { login, amount: 500 });
      await server.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 1 });
      const busy = await gateway().accountInformation(login);
      assert.equal(busy?.balance, 9996.5);
      assert.equal(busy?.credit, 500);
      assert.equal(busy?.equity, 10_486.5);
      assert.equal(busy?.margin, 1100.1);
      assert.equal(busy?.freeMargin, 9386.4);
      assert.equal(busy?.marginLevel, 953.23);
    });

    test('refused values are the fault of the caller', async () => {
      for (const fields of [
        { group: 'nowhere' },
        { group: 'managers\\master' },
        { group: 'demo\\*' },
        { leverage: 501 },
        { password: 'short' },
      ])
        await assert.rejects(gateway().createUser(newUser(fields), 'r'), { code: 'invalid' });
    });
  });

  suite('deals and positions', () => {
    test('a round turn comes as the deals that the platform booked', async () => {
      const login = await openAccount();
      await server.control('/deposit', { login, amount: 1000.5, comment: 'hello' });
      const { PositionID } = await server.control('/open', {
        login,
        symbol: 'EURUSD',
        side: 'sell',
        lots: 0.12,
      });
      const [position] = await gateway().positions(login);
      assert.equal(position?.volume, 0.12);
      assert.equal(position?.type, 'DEAL_TYPE_SELL');
      assert.equal(position?.profit, -1.2);
      await server.control('/close', { position: PositionID });
      assert.deepEqual(await gateway().positions(login), []);
      const deals = await gateway().deals({ login, ...EVER });
      assert.deepEqual(
        deals.map(({ type, entry, positionId, volume, price, positionPrice }) => ({
          ...{ type, entry, positionId, volume, price, positionPrice },
        })),
        [
          {
            type: 'DEAL_TYPE_BALANCE',
            entry: undefined,
            positionId: undefined,
            volume: 0,
            price: undefined,
            positionPrice: undefined,
          },
          {
            type: 'DEAL_TYPE_SELL',
            entry: 'DEAL_ENTRY_IN',
            positionId: String(PositionID),
            volume: 12_000_000,
            price: 1.1,
            positionPrice: undefined,
          },
          {
            type: 'DEAL_TYPE_BUY',
            entry: 'DEAL_ENTRY_OUT',
            positionId: String(PositionID),
            volume: 12_000_000,
            price: 1.1001,
            positionPrice: 1.1,
          },
        ],
      );
      assert.deepEqual(
        deals.map(({ profit, commission, comment }) => [profit, commission, comment]),
        [
          [10_005_000, 0, 'hello'],
          [0, -4200, undefined],
          [-12_000, 0, undefined],
        ],
      );
    });

    test('a range includes its start and excludes its end, to the millisecond', async () => {
      const login = await openAccount();
      const timeMs = Date.UTC(2026, 0, 5, 10, 0, 0, 500);
      await server.control('/deal', { login, fields: { Profit: 5, TimeMsc: timeMs } });
      const count = async (fromMs: number, toMs: number): Promise<number> =>
        (await gateway().deals({ login, fromMs, toMs, moneyDigits: 4 })).length;
      assert.equal(await count(timeMs, timeMs + 1), 1);
      assert.equal(await count(timeMs - 1, timeMs), 0);
      assert.equal(await count(timeMs + 1, timeMs + 1000), 0);
      assert.equal(await count(timeMs, timeMs), 0);
    });

    test('a history beyond one batch, and one without batches, come whole and once', async () => {
      const login = await openAccount();
      for (let block = 0; block < 6; block += 1)
        await server.control('/deals', { login, count: 950 });
      const ids = async (): Promise<string[]> =>
        (await gateway().deals({ login, ...EVER })).map(({ id }) => id);
      const whole = await ids();
      assert.equal(new Set(whole).size, 5700);
      await server.control('/fault', {
        kind: 'refuse',
        command: '/api/deal/get_batch',
        retcode: '11 No service',
        times: 99,
      });
      assert.deepEqual(await ids(), whole);
    });

    test('times are the wall clock of the server, whatever its zone', async () => {
      const before = await gateway().check();
      await server.control('/clock', { hours: 3 });
      const later = await gateway().check();
      await server.control('/clock', { hours: -3 });
      const movedHours = Math.round((later.brokerTimeMs - before.brokerTimeMs) / 3_600_000);
      assert.equal(movedHours, 3);
    });
  });

  test('the market of an order holds its symbol and the pairs that convert its margin', async () => {
    const login = await openAccount({ group: 'real\\forex\\eur' });
    const market = await gateway().market(login, 'USDJPY');
    assert.deepEqual(
      market?.symbols.map(({ symbol }) => symbol),
      ['USDJPY', 'EURUSD'],
    );
    assert.deepEqual(
      market?.quotes.map(({ symbol, bid, ask }) => [symbol, bid, ask]),
      [
        ['EURUSD', 1.1, 1.1001],
        ['USDJPY', 150, 150.01],
      ],
    );
    const [symbol] = market?.symbols ?? [];
    assert.equal(symbol?.volumeMin, 0.01);
    assert.equal(symbol?.volumeMax, 100);
    assert.equal(symbol?.marginRates?.ORDER_TYPE_BUY, 1);
    assert.equal(symbol?.marginRates?.ORDER_TYPE_BUY_LIMIT, 0);
    assert.deepEqual(await gateway().market(login, 'NOPE'), { symbols: [], quotes: [] });
  });

  suite('faults', () => {
    test('a lost session is replaced and the call answered', async () => {
      const one = gateway();
      await one.check();
      const { sessions } = await seen();
      await server.control('/drop-sessions');
      await one.check();
      assert.equal((await seen()).sessions, sessions + 1);
    });

    test('one gateway holds one session for any number of calls at once', async () => {
      const one = gateway();
      const { sessions } = await seen();
      await Promise.all(Array.from({ length: 20 }, () => one.check()));
      assert.equal((await seen()).sessions, sessions + 1);
    });

    for (const kind of ['drop', 'lose', 'break', 'garbage'] as const)
      test(`a read whose answer suffers "${kind}" is asked again`, async () => {
        await server.control('/fault', { kind, command: '/api/time' });
        assert.ok((await gateway().check()).brokerTimeMs > 0);
      });

    for (const retcode of ['12 Too frequent requests', '1018 Server busy'])
      test(`"${retcode}" is waited out, and reported when it lasts`, async () => {
        const one = gateway();
        await server.control('/fault', { kind: 'refuse', command: '/api/time', retcode, times: 2 });
        assert.ok((await one.check()).brokerTimeMs > 0);
        await server.control('/fault', { kind: 'refuse', command: '/api/time', retcode, times: 9 });
        await assert.rejects(one.check(), { name: 'PlatformError', code: 'unavailable' });
      });

    test('a busy server at the handshake is unavailable, then fine', async () => {
      const one = gateway();
      await server.control('/fault', {
        kind: 'refuse',
        command: '/api/auth/start',
        retcode: '1018 Server busy',
      });
      await assert.rejects(one.check(), { code: 'unavailable' });
      await eventually(() => one.check());
    });

    test('a server that hangs costs one time-out, not the gateway', async () => {
      const one = gateway({ answerMs: 50 });
      await server.control('/fault', { kind: 'hang', command: '/api/time' });
      await assert.rejects(one.check(), { code: 'unavailable' });
      assert.ok((await one.check()).brokerTimeMs > 0);
    });

    test('calls behind a slow one give up in time and never run', async () => {
      const one = gateway({ queueMs: 20 });
      await one.check();
      await server.control('/fault', { kind: 'slow', command: '/api/time', ms: 200 });
      const slow = one.check();
      await assert.rejects(one.user(424_242), { code: 'unavailable' });
      await slow;
      assert.equal((await seen()).requests.join().includes('424242'), false);
    });

    test('more calls than the queue holds are turned away at once', async () => {
      const one = gateway({ maxQueuedCalls: 2 });
      const results = await Promise.allSettled([one.check(), one.check(), one.check()]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected'],
      );
    });

    test('a caller that gives up leaves the session to the others', async () => {
      const one = gateway();
      await one.check();
      const { sessions } = await seen();
      await server.control('/fault', { kind: 'slow', command: '/api/time', ms: 100 });
      const abort = new AbortController();
      const given = one.check(abort.signal);
      const other = one.check();
      abort.abort();
      await assert.rejects(given, { code: 'unavailable' });
      await other;
      assert.equal((await seen()).sessions, sessions);
    });

    test('a server that cannot prove itself gets no command', async () => {
      await server.control('/fault', { kind: 'wrongProof', command: '/api/auth/answer' });
      const { requests } = await seen();
      await assert.rejects(gateway().check(), { code: 'denied' });
      const sent = (await seen()).requests.slice(requests.length);
      assert.equal(sent.length, 2);
      assert.ok(sent.every((line) => line.startsWith('GET /api/auth/')));
    });

    test('a lost answer to an opening finds the account instead of opening two', async () => {
      for (const kind of ['lose', 'drop'] as const) {
        const requestId = crypto.randomUUID();
        await server.control('/fault', { kind, command: '/api/user/add' });
        const { login } = await gateway().createUser(newUser(), requestId);
        assert.equal((await accountsOf(requestId)).length, 1);
        // A later repetition, say after a crash of ours, ends at the same account, with new passwords.
        const again = await gateway().createUser(
          newUser({ repeated: true, password: 'Cc3!cccc' }),
          requestId,
        );
        assert.equal(again.login, login);
        assert.equal((await accountsOf(requestId)).length, 1);
        const { passwords } = (await server.control('/state')) as {
          passwords: Record<string, { main: string }>;
        };
        assert.equal(passwords[login]?.main, 'Cc3!cccc');
      }
    });

    test('an opening cut before it ran is reported, and opens one account when repeated', async () => {
      const requestId = crypto.randomUUID();
      await server.control('/fault', { kind: 'break', command: '/api/user/add' });
      await assert.rejects(gateway().createUser(newUser(), requestId), { code: 'unavailable' });
      await gateway().createUser(newUser({ repeated: true }), requestId);
      assert.equal((await accountsOf(requestId)).length, 1);
    });

    test('edited, deleted and late deals show when the range is read again', async () => {
      const login = await openAccount();
      const first = await server.control('/deposit', { login, amount: 1 });
      const second = await server.control('/deposit', { login, amount: 2 });
      await server.control('/deal/edit', { deal: first.Deal, fields: { Profit: 7 } });
      await server.control('/deal/delete', { deal: second.Deal });
      const old = Date.UTC(2026, 0, 1);
      await server.control('/deal', { login, fields: { Profit: 3, TimeMsc: old } });
      const deals = await gateway().deals({ login, ...EVER });
      assert.deepEqual(
        deals.map(({ profit }) => profit),
        [30_000, 70_000],
      );
    });

    test('two gateways on one server do not disturb each other', async () => {
      const login = await openAccount();
      const [one, two] = [gateway(), gateway()];
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

    test('a killed server is unavailable and found again after its restart, with its accounts', async () => {
      const login = await openAccount();
      const one = gateway();
      await one.check();
      await server.kill();
      await assert.rejects(one.user(login), { code: 'unavailable' });
      await server.start();
      const user = await eventually(() => one.user(login));
      assert.equal(user?.login, String(login));
    });

    test('an idle session is pinged, so that the server does not end it', async () => {
      const { requests } = await seen();
      await gateway({ pingMs: 1 }).check();
      await eventually(async () => {
        const later = (await seen()).requests.slice(requests.length);
        assert.ok(later.some((line) => line === 'GET /api/test/access'));
      });
    });

    test('a closed gateway takes no calls', async () => {
      const one = gateway();
      await one.check();
      await one.close();
      await assert.rejects(one.check(), { code: 'unavailable' });
    });
  });

  suite('trust and secrets', () => {
    const reach = (fields: object, url = server.url): Promise<unknown> => {
      const one = createP5WebApiGateway({ server: url, ...P5_MANAGER, ...fields }, QUICK);
      opened.push(one);
      return one.check();
    };
    const other = 'AB'.repeat(32);

    test('a self-signed certificate is accepted by its pin or its own authority only', async () => {
      const { certificate: tlsCa, fingerprint: tlsFingerprint } = server;
      await reach({ tlsFingerprint });
      await reach({
        tlsFingerprint: `sha256:${tlsFingerprint?.toLowerCase().replaceAll(':', '')}`,
      });
      await reach({ tlsCa });
      const { requests } = await seen();
      await assert.rejects(reach({}), { code: 'denied', message: /certificate/ });
      await assert.rejects(reach({ tlsFingerprint: other }), { code: 'denied', message: /pinned/ });
      assert.equal((await seen()).requests.length, requests.length);
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

    test('no password is in a request line, in a printed gateway or in its JSON', async () => {
      await openAccount({ password: 'Zz9!secret', investorPassword: 'Yy8!secret' });
      const one = gateway();
      await one.check();
      const printed = [inspect(one, { depth: 9, showHidden: true }), JSON.stringify(one)];
      const text = [...(await seen()).requests, ...printed].join('\n');
      assert.match(text, /api\/user\/add/);
      assert.doesNotMatch(text, /Password1|Zz9!|Zz9%21|Yy8!/);
    });
  });
});

async function accountsOf(requestId: string): Promise<unknown[]> {
  const { users } = (await server.control('/state')) as { users: { Comment?: string }[] };
  return users.filter(({ Comment }) => Comment?.includes(requestId));
}

/** Repeats a call while the gateway pauses between its tries to connect. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 1000) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
