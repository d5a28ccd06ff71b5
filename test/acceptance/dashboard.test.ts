import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'dashboard', 'server');

type Overview = {
  total: number;
  all: number;
  exceeded: number;
  accounts: {
    id: string;
    name: string;
    equity?: number;
    recentEquity: number[];
    recentHoursAgo: number[];
    worstTracker?: { name: string; used: number; exceeded: boolean };
  }[];
};
type Preview = {
  startBrokerTime?: string;
  periods: unknown[];
  events: { brokerTime: string; exceededThresholdType: string; absoluteDrawdown: number }[];
};

const DAILY = { name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.05 };

for (const kind of testedOn()) {
  describe(`the API for the dashboard on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    const overview = async (query = ''): Promise<Overview> => {
      const answer = await client.get<Overview>(`/users/current/accounts-overview${query}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    /** Reads until the figures, which are at most some seconds old, show something. */
    const overviewWhen = async (
      query: string,
      holds: (found: Overview) => boolean,
    ): Promise<Overview> => {
      let found: Overview | undefined;
      await until(async () => {
        found = await overview(query);
        return holds(found);
      }, 'the figures of a checkpoint');
      return found ?? (await overview(query));
    };
    /** Visible to a token of one account. */
    const restricted = async (accountId: string): Promise<Overview> => {
      const admin = new Client(running.server.address, ADMIN_TOKEN);
      const path = `/admin/users/${client.userId}/tokens`;
      const { body } = await admin.post<{ token: string }>(path, { accountIds: [accountId] });
      const reader = new Client(running.server.address, body.token);
      return (await reader.get<Overview>('/users/current/accounts-overview')).body;
    };
    const send = async (accountId: string, brokerTime: string, equity: number): Promise<void> => {
      const rows = [{ accountId, brokerTime, balance: 10_000, equity }];
      assert.equal((await client.post('/users/current/snapshots', rows)).status, 200);
    };

    it("tells a token's user, and nothing without one", async () => {
      const { body } = await client.get<{ userId: string; scopes: string[] }>(
        '/users/current/token',
      );
      assert.equal(body.userId, client.userId);
      assert.deepEqual(body.scopes, ['read', 'write', 'ingest']);
      const nobody = new Client(running.server.address, undefined);
      assert.equal((await nobody.get('/users/current/token')).status, 401);
      assert.equal((await nobody.get('/users/current/accounts-overview')).status, 401);
    });

    it('says when each of the recent equities was', async () => {
      const id = await newAccount(client, { name: 'With a gap' });
      await send(id, '2026-03-02 10:00:00.000', 10_000);
      await send(id, '2026-03-02 20:30:00.000', 9_900);
      const { accounts } = await overviewWhen(
        '?search=With+a+gap',
        ({ accounts }) => accounts[0]?.recentEquity.length === 2,
      );
      assert.deepEqual(accounts[0]?.recentEquity, [10_000, 9_900]);
      assert.deepEqual(accounts[0]?.recentHoursAgo, [9.5, 0]);
      await client.call('DELETE', `/users/current/accounts/${id}`);
    });

    it('puts the account nearest to its limit first, and finds by any word', async () => {
      const calm = await newAccount(client, { name: 'Calm', login: '7001' });
      const near = await newAccount(client, { name: 'Near', login: '7002' });
      const silent = await newAccount(client, { name: 'Silent', login: '7003' });
      for (const id of [calm, near]) {
        await client.post(`/users/current/accounts/${id}/trackers`, DAILY);
        await send(id, '2026-03-02 10:00:00.000', 10_000);
      }
      await send(calm, '2026-03-02 11:00:00.000', 9_900);
      await send(near, '2026-03-02 11:00:00.000', 9_600);
      const query = '?sort=usedLimit&order=descending';
      const first = [near, calm, silent].join();
      // Checkpoints of different partitions show their figures one after another.
      const { total } = await overviewWhen(
        query,
        ({ accounts }) =>
          accounts.map(({ id }) => id).join() === first &&
          accounts.map(({ equity }) => equity).join() === '9600,9900,',
      );
      assert.equal(total, 3);
      await overviewWhen('?filter=live', (found) => found.total === 2);
      const found = await overview('?search=test+7003');
      assert.deepEqual([found.total, found.all], [1, 3]);
      assert.equal(found.accounts[0]?.name, 'Silent');
      const second = await overview('?sort=name&limit=1&offset=1');
      assert.equal(second.accounts[0]?.name, 'Near');
    });

    it('shows an exceeded limit in the overview, and its own accounts only', async () => {
      const stranger = await newUser(running.server.address);
      const lost = await newAccount(client, { name: 'Lost', login: '7004' });
      await client.post(`/users/current/accounts/${lost}/trackers`, DAILY);
      await send(lost, '2026-03-02 10:00:00.000', 10_000);
      await send(lost, '2026-03-02 10:30:00.000', 9_000);
      const { accounts, total } = await overviewWhen(
        '?search=Lost&filter=exceeded',
        ({ exceeded }) => exceeded === 1,
      );
      assert.equal(total, 1);
      const { worstTracker } = accounts[0] ?? {};
      assert.equal(worstTracker?.name, 'Daily loss');
      assert.equal(worstTracker?.exceeded, true);
      assert.equal(worstTracker?.used, 2);
      assert.equal((await overview('?filter=live')).total, 3);
      assert.equal((await overview('?filter=stale')).total, 0);
      const ofToken = await restricted(lost);
      assert.deepEqual([ofToken.all, ofToken.exceeded, ofToken.accounts[0]?.name], [1, 1, 'Lost']);
      await client.call('DELETE', `/users/current/accounts/${lost}`);
      const without = await overview();
      assert.deepEqual([without.all, without.exceeded], [3, 0]);
      const theirs = await stranger.get<Overview>('/users/current/accounts-overview');
      assert.equal(theirs.body.all, 0);
    });

    it('refuses an overview sorted by an unknown column', async () => {
      const { status } = await client.get('/users/current/accounts-overview?sort=colour');
      assert.equal(status, 400);
    });

    it('shows when a tracker would have reported, and stores nothing', async () => {
      const id = await newAccount(client, { name: 'Past', login: '7005' });
      for (const [time, equity] of [
        ['2026-03-02 10:00:00.000', 10_000],
        ['2026-03-02 11:10:00.000', 9_400],
        ['2026-03-03 10:00:00.000', 10_000],
        ['2026-03-03 11:00:00.000', 9_950],
        ['2026-03-03 12:00:00.000', 10_000],
      ] as const) {
        await send(id, time, equity);
      }
      await overviewWhen('?search=Past', ({ accounts }) => accounts[0]?.equity === 10_000);
      const path = `/users/current/accounts/${id}/trackers`;
      const { status, body } = await client.post<Preview>(`${path}/preview`, DAILY);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.periods.length, 2);
      assert.equal(body.events.length, 1);
      assert.equal(body.events[0]?.absoluteDrawdown, 600);
      assert.ok(body.events[0]?.brokerTime.startsWith('2026-03-02 11:'));
      assert.deepEqual((await client.get(path)).body, []);
      const wrong = await client.post(`${path}/preview`, { ...DAILY, initialCapital: -1 });
      assert.equal(wrong.status, 400);
      const foreign = await newUser(running.server.address);
      assert.equal((await foreign.post(`${path}/preview`, DAILY)).status, 404);
    });

    it('follows drawdown and profit events as they happen', async () => {
      const id = await newAccount(client, { name: 'Stream', login: '7006' });
      await client.post(`/users/current/accounts/${id}/trackers`, {
        name: 'Target',
        period: 'date',
        absoluteProfitThreshold: 100,
      });
      await send(id, '2026-03-02 10:00:00.000', 10_000);
      const leave = new AbortController();
      const response = await fetch(
        `${running.server.address}/users/current/tracker-events/live?accountId=${id}`,
        { headers: { 'auth-token': client.token ?? '' }, signal: leave.signal },
      );
      await send(id, '2026-03-02 10:00:01.000', 10_101);
      let heard = '';
      for await (const chunk of response.body ?? []) {
        heard += new TextDecoder().decode(chunk);
        if (heard.includes('exceededThresholdType')) break;
      }
      leave.abort();
      assert.match(heard, /"exceededThresholdType":"profit"/);
    });
  });
}

describe('the files of the dashboard', () => {
  let running: TestServer;
  before(async () => {
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  });
  after(() => running.close());

  it('are open, cacheable if their names change with them, and allow no other host', async () => {
    const page = await fetch(running.server.address);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'self'/);
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    assert.ok(script, 'web/dist is not built: npm run build -w web');
    const file = await fetch(running.server.address + script);
    assert.equal(file.status, 200);
    assert.match(file.headers.get('cache-control') ?? '', /immutable/);
    await file.body?.cancel();
  });

  it('come compressed to clients that accept that', async () => {
    const page = await (await fetch(running.server.address)).text();
    const [script = ''] = /\/assets\/[^"]+\.js/.exec(page) ?? [];
    const bytes = async (encoding: string): Promise<[string | null, number]> => {
      const headers = { 'accept-encoding': encoding };
      const file = await fetch(running.server.address + script, { headers, method: 'HEAD' });
      return [file.headers.get('content-encoding'), Number(file.headers.get('content-length'))];
    };
    const [none, plain] = await bytes('identity');
    const [brotli, small] = await bytes('br');
    const [gzip, middle] = await bytes('gzip');
    assert.deepEqual([none, brotli, gzip], [null, 'br', 'gzip']);
    assert.ok(small < middle && middle < plain / 2, `${small}, ${middle}, ${plain}`);
  });

  it('are only those of the build', async () => {
    for (const path of ['/assets/none.js', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/x']) {
      const { status, headers } = await fetch(running.server.address + path);
      assert.ok(status === 403 || status === 404, `${path} ${status}`);
      assert.equal(headers.get('cache-control'), 'no-store', path);
    }
  });
});
