import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { needs } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server');

type ErrorBody = {
  error: string;
  message: string;
  metadata?: { recommendedRetryTime?: string };
};
const TOKEN = '/users/current/token';

/** A client that a proxy speaks for. */
const behind = (client: Client, address: string) => ({
  get: <T = ErrorBody>(path: string) =>
    client.call<T>('GET', path, undefined, { 'x-forwarded-for': address }),
});

describe('limits of requests', () => {
  let running: TestServer;
  let nobody: Client;
  before(async () => {
    running = await startOn('sqlite', {
      LOG_LEVEL: 'info',
      PLIMSOLL_REFUSALS_PER_MINUTE: '5',
      PLIMSOLL_REQUESTS_PER_MINUTE: '40',
      PLIMSOLL_TRUSTED_PROXIES: '127.0.0.0/8',
      PLIMSOLL_CORS_ORIGINS: 'https://journal.example.com',
    });
    nobody = new Client(running.server.address, 'plm_wrong');
  });
  after(() => running.close());

  it('refuse an address with too many refused requests, whatever its user, and no other', async () => {
    const guesser = behind(nobody, '203.0.113.7');
    for (const path of [TOKEN, '/nowhere', TOKEN, '/admin/users', '/nowhere?x=1']) {
      assert.ok([401, 404].includes((await guesser.get(path)).status), path);
    }
    const refused = await guesser.get(TOKEN);
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error, 'TooManyRequestsError');
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 12, String(seconds));
    const answeredMs = Date.parse(refused.headers.get('date') ?? '');
    assert.ok(Date.parse(refused.body.metadata?.recommendedRetryTime ?? '') > answeredMs);
    assert.equal((await guesser.get('/nowhere')).status, 429);
    const user = await newUser(running.server.address);
    assert.equal((await behind(user, '203.0.113.7').get(TOKEN)).status, 429);
    assert.equal((await behind(user, '203.0.113.8').get(TOKEN)).status, 200);
    for (const path of ['/health/live', '/health/ready', '/', '/docs', '/metrics']) {
      assert.equal((await guesser.get(path)).status, 200, path);
    }
  });

  it('ignore addresses claimed by untrusted clients', async () => {
    // The last address that is no trusted proxy counts, not the first one of the list.
    const forged = behind(nobody, '198.51.100.1, 203.0.113.20');
    for (let tries = 0; tries < 5; tries += 1) await forged.get(TOKEN);
    assert.equal((await behind(nobody, '198.51.100.2, 203.0.113.20').get(TOKEN)).status, 429);
    assert.equal((await behind(nobody, '198.51.100.1').get(TOKEN)).status, 401);
  });

  it('give each token its own share, and leave health checks alone', async () => {
    const [ana, bob] = [
      await newUser(running.server.address),
      await newUser(running.server.address),
    ];
    let sent = 1;
    let last = await ana.get(TOKEN);
    for (; last.status === 200; sent += 1) last = await ana.get(TOKEN);
    assert.ok(sent > 40, `${sent} requests`);
    assert.equal(last.status, 429);
    assert.equal((await bob.get(TOKEN)).status, 200);
    assert.equal((await ana.get('/health/ready')).status, 200);
  });

  it('refuse compressed bodies, which may unpack to any size', async () => {
    const user = await newUser(running.server.address);
    const id = await newAccount(user);
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    for (const kind of ['deals', 'snapshots', 'statements']) {
      const path = `/users/current/accounts/${id}/${kind}`;
      const refused = await user.call<ErrorBody>('POST', path, gzipSync('{}\n'), headers);
      assert.equal(refused.status, 415, kind);
      assert.equal(refused.body.error, 'UnsupportedMediaTypeError');
      assert.match(refused.body.message, /uncompressed/);
    }
  });

  it('log refused requests, without their secrets', async () => {
    const user = await newUser(running.server.address);
    const refused = await user.get<{ id: number }>('/users/current/accounts/none');
    let line: string | undefined;
    await until(() => {
      const lines = running.server.log().split('\n');
      line = lines.find((text) => text.includes(`"errorId":${refused.body.id},`));
      return line !== undefined;
    });
    const { userId, tokenId, method, operation, status } = JSON.parse(line ?? '{}');
    assert.deepEqual(
      [userId, typeof tokenId, method, operation, status],
      [user.userId, 'string', 'GET', 'readAccount', 404],
    );
    assert.ok(!running.server.log().includes(user.token ?? ''));
  });

  it('let pages of configured origins read answers, and no others', async () => {
    const ask = (method: string, origin: string, headers: Record<string, string> = {}) =>
      fetch(running.server.address + TOKEN, { method, headers: { origin, ...headers } });
    const own = 'https://journal.example.com';
    const preflight = await ask('OPTIONS', own, {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'auth-token',
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), own);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /auth-token/);
    const user = await newUser(running.server.address);
    const read = await ask('GET', own, { 'auth-token': user.token ?? '' });
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('access-control-allow-origin'), own);
    assert.match(read.headers.get('access-control-expose-headers') ?? '', /retry-after/);
    assert.equal(read.headers.get('access-control-allow-credentials'), null);
    const other = await ask('GET', 'https://evil.example.com', { 'auth-token': user.token ?? '' });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });
});

describe('an ended token', () => {
  let running: TestServer;
  let operator: Client;
  before(async () => {
    running = await startOn('sqlite');
    operator = new Client(running.server.address, ADMIN_TOKEN);
  });
  after(() => running.close());

  const tokenOf = async (userId: string, fields: object = {}) => {
    const made = await operator.post<{ id: string; token: string }>(
      `/admin/users/${userId}/tokens`,
      fields,
    );
    return Object.assign(new Client(running.server.address, made.body.token), {
      id: made.body.id,
    });
  };
  const open = (client: Client) =>
    fetch(`${client.address}/users/current/drawdown-events/live`, {
      headers: { 'auth-token': client.token ?? '' },
    });
  const follow = async (client: Client) => {
    const response = await open(client);
    assert.equal(response.status, 200);
    return response.text();
  };
  /** An account of the user whose next snapshot makes an event. */
  const readyToBreach = async (user: Client) => {
    const accountId = await newAccount(user);
    const tracker = { name: 't', period: 'lifetime', absoluteDrawdownThreshold: 10 };
    await user.post(`/users/current/accounts/${accountId}/trackers`, tracker);
    const row = { accountId, brokerTime: '2026-03-02 10:00:00', balance: 1000, equity: 1000 };
    await user.post('/users/current/snapshots', [row]);
    return async (): Promise<void> => {
      const next = { ...row, brokerTime: '2026-03-02 10:00:01', equity: 900 };
      assert.equal((await user.post('/users/current/snapshots', [next])).status, 200);
    };
  };

  it('gets no event any more, in its streams and in its polls', async () => {
    const user = await newUser(running.server.address);
    const breach = await readyToBreach(user);
    const revoked = await tokenOf(user.userId);
    const [ended, stream] = [follow(revoked), follow(user)];
    const poll = revoked.get<ErrorBody>('/users/current/drawdown-events/stream?wait=60');
    const good = user.get<unknown[]>('/users/current/drawdown-events/stream?wait=60');
    await until(async () => {
      const { body } = await user.get<string>('/metrics');
      return /^plimsoll_waiting_pollers 4$/m.test(body);
    }, 'four that wait');
    assert.equal((await operator.call('DELETE', `/admin/tokens/${revoked.id}`)).status, 204);
    await breach();
    assert.match(
      await ended,
      /^retry: 1000\n\nevent: closed\ndata: \{"reason":"token-ended"\}\n\n$/,
    );
    assert.equal((await poll).status, 401);
    assert.equal((await good).body.length, 1);
    void stream.catch(() => {});
  });

  it('ends streams and polls when their token expires', async () => {
    const user = await newUser(running.server.address);
    const begin = async (seconds: number) => {
      const short = await tokenOf(user.userId, { expiresInDays: seconds / 86_400 });
      const poll = short.get<ErrorBody>('/users/current/drawdown-events/stream?wait=60');
      return { poll, stream: await open(short) };
    };
    // On a busy machine a token may end before its requests have arrived.
    let begun = await begin(2);
    for (let seconds = 4; begun.stream.status === 401 && seconds < 100; seconds *= 2)
      begun = await begin(seconds);
    assert.equal(begun.stream.status, 200);
    const told = await begun.stream.text();
    assert.match(told, /event: closed\ndata: \{"reason":"token-ended"\}\n\n$/);
    assert.equal((await begun.poll).status, 401);
  });
});

describe('shares of places', () => {
  it('leave room for others when one token opens all the streams it can', async () => {
    const running = await startOn('sqlite');
    const [greedy, other] = [
      await newUser(running.server.address),
      await newUser(running.server.address),
    ];
    const gone = new AbortController();
    const open = (client: Client) =>
      fetch(`${client.address}/users/current/tracker-events/live`, {
        headers: { 'auth-token': client.token ?? '' },
        signal: gone.signal,
      });
    const answers = await Promise.all(Array.from({ length: 501 }, () => open(greedy)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual([statuses.at(0), statuses.at(-2), statuses.at(-1)], [200, 200, 429]);
    assert.equal((await open(other)).status, 200);
    assert.equal((await greedy.get(TOKEN)).status, 200);
    gone.abort();
    await running.close();
  });
});
