import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

const TOKENS = '/users/current/tokens';
const SESSIONS = '/users/current/sessions';
const CODES = '/users/current/sign-in-codes';
type Made = { id: string; token: string };
type Code = { code: string; expiresAt: string };
type Listed = { id: string; device: string; isCurrent: boolean; lastUsedFrom: string };
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

for (const kind of KINDS) {
  describe(`sessions on ${kind}`, () => {
    let running: TestServer;
    let operator: Client;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind);
      operator = new Client(address(), ADMIN_TOKEN);
    });
    after(() => running.close());

    const tokenOf = async (by: Client, fields: object = {}) => {
      const made = await by.post<Made>(TOKENS, fields);
      return Object.assign(new Client(address(), made.body.token), made.body);
    };
    const refusedTo = async (by: object): Promise<number> =>
      (await new Client(address(), undefined, { origin: address() }).post('/session', by)).status;
    const statusOf = async (client: Client): Promise<number> =>
      (await client.get('/users/current/accounts')).status;

    it('have the rights of their token, in a cookie that scripts cannot read', async () => {
      const user = await newUser(address());
      const accountIds = [await newAccount(user)];
      await newAccount(user);
      const reader = await tokenOf(user, { scopes: ['read'], accountIds, name: 'screen' });
      const session = await sessionOf(reader);
      assert.match(session.setCookie, /; Path=\/; HttpOnly; SameSite=Strict$/);
      type Current = { id: string; sessionId: string; name: string; accountIds: string[] };
      const { body } = await session.get<Current>('/users/current/token');
      assert.deepEqual(
        [body.id, body.sessionId, body.name, body.accountIds],
        [reader.id, session.sessionId, 'screen', accountIds],
      );
      const accounts = await session.get<{ id: string }[]>('/users/current/accounts');
      assert.deepEqual(
        accounts.body.map(({ id }) => id),
        accountIds,
      );
      assert.equal((await session.post('/users/current/accounts', {})).status, 403);
      const known = await session.get<{ current?: Current }>('/session');
      assert.equal(known.body.current?.sessionId, session.sessionId);
      const nobody = await new Client(address(), undefined).get('/session');
      assert.deepEqual([nobody.status, nobody.body], [200, {}]);
    });

    it('have a cookie for TLS only, where the page came by it', async () => {
      const { token } = await newUser(address());
      const origin = address().replace('http:', 'https:');
      const answer = await operator.post('/session', { token }, { origin });
      const cookie = answer.headers.get('set-cookie') ?? '';
      assert.match(cookie, /^__Host-plimsoll_\d+=.*; Path=\/;.*; Secure$/);
    });

    it('are not mixed up with one that another host of the domain has set', async () => {
      const [user, thief] = [await newUser(address()), await newUser(address())];
      const own = (await sessionOf(user)).headers.cookie ?? '';
      const planted = (await sessionOf(thief)).headers.cookie ?? '';
      const idBy = async (cookie: string): Promise<string | undefined> => {
        const client = new Client(address(), undefined, { cookie });
        const { body } = await client.get<{ current?: { userId: string } }>('/session');
        return body.current?.userId;
      };
      assert.equal(await idBy(own), user.userId);
      for (const both of [`${planted}; ${own}`, `${own}; ${planted}`]) {
        assert.equal(await idBy(both), undefined);
        assert.equal(await statusOf(new Client(address(), undefined, { cookie: both })), 401);
      }
      for (const both of [`${planted}; __Host-${own}`, `__Host-${own}; ${planted}`])
        assert.equal(await idBy(both), user.userId);
    });

    it('begin only from a page of this server', async () => {
      const { token } = await newUser(address());
      const others = [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
      for (const headers of others) {
        const client = new Client(address(), undefined, headers);
        assert.equal((await client.post('/session', { token })).status, 403);
        assert.equal((await client.post('/session/preview', { token })).status, 403);
      }
      for (const by of [{}, { token: 'plm_x' }, { code: 'plmc_x' }, { token: '' }])
        assert.equal([400, 401].includes(await refusedTo(by)), true, JSON.stringify(by));
    });

    it('begin with a code once, after a look that spends nothing', async () => {
      const user = await newUser(address());
      const { body } = await user.post<Code>(CODES);
      assert.ok(Date.parse(body.expiresAt) > 0);
      const browser = new Client(address(), undefined, { origin: address() });
      const { code } = body;
      const look = await browser.post<{ id: string; name: string }>('/session/preview', { code });
      assert.equal(look.status, 200);
      const races = await Promise.all([1, 2, 3].map(() => refusedTo({ code })));
      assert.deepEqual(races.sort(), [201, 401, 401]);
      assert.equal((await browser.post('/session/preview', { code })).status, 401);
    });

    it('pass on no more than they have, by code or by token', async () => {
      const user = await newUser(address());
      const reader = await tokenOf(user, { scopes: ['read', 'write'], expiresInDays: 1 });
      const session = await sessionOf(reader);
      const { code } = (await session.post<Code>(CODES)).body;
      const second = await sessionOf(session, { code });
      type Rights = { scopes: string[]; expiresAt: string };
      const { body } = await second.get<Rights>('/users/current/token');
      assert.deepEqual(body.scopes, ['read', 'write']);
      assert.ok(Date.parse(body.expiresAt) < Date.now() + 86_400_000);
      assert.equal((await second.post(TOKENS, { scopes: ['ingest'] })).status, 403);
      // What a session makes is made by its token.
      const made = await tokenOf(second);
      const lasting = await tokenOf(await sessionOf(user));
      const ends = (await lasting.get<Rights>('/users/current/token')).body.expiresAt;
      assert.equal(ends, undefined, 'a token outlives the session that it was made in');
      const path = `${TOKENS}/${reader.id}?withMade=true`;
      assert.equal((await user.call('DELETE', path)).status, 204);
      assert.deepEqual(await Promise.all([session, second, made].map(statusOf)), [401, 401, 401]);
    });

    it('end with their token, also codes that were not used yet', async () => {
      const user = await newUser(address());
      const token = await tokenOf(user);
      const session = await sessionOf(token);
      const { code } = (await token.post<Code>(CODES)).body;
      assert.equal(await statusOf(session), 200);
      assert.equal((await user.call('DELETE', `${TOKENS}/${token.id}`)).status, 204);
      assert.equal(await statusOf(session), 401);
      assert.equal(await refusedTo({ code }), 401);
    });

    it('are listed with device and last use, and end one by one or all', async () => {
      const user = await newUser(address());
      const [desk, phone] = [await sessionOf(user), await sessionOf(user, undefined, 'Phone/1')];
      const listed = (await desk.get<Listed[]>(SESSIONS)).body;
      assert.deepEqual(
        listed.map(({ id, device, isCurrent }) => [id, device, isCurrent]),
        [
          [phone.sessionId, 'Phone/1', false],
          [desk.sessionId, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', true],
        ],
      );
      assert.equal((await desk.call('DELETE', `${SESSIONS}/${phone.sessionId}`)).status, 204);
      assert.deepEqual([await statusOf(phone), await statusOf(desk)], [401, 200]);
      const other = await sessionOf(user);
      const { code } = (await desk.post<Code>(CODES)).body;
      const ended = await desk.call('DELETE', SESSIONS);
      assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/);
      assert.deepEqual([await statusOf(desk), await statusOf(other)], [401, 401]);
      assert.equal(await refusedTo({ code }), 401);
      assert.equal(await statusOf(user), 200, 'the token is still good');
    });

    it('of others are seen and ended by an owner, and nobody else', async () => {
      const user = await newUser(address(), { scopes: ['read', 'write', 'ingest', 'actions'] });
      const reader = await tokenOf(user, { scopes: ['read'] });
      const [boss, screen] = [await sessionOf(user), await sessionOf(reader)];
      const idsOf = async (client: Client) =>
        (await client.get<Listed[]>(SESSIONS)).body.map(({ id }) => id);
      assert.deepEqual(await idsOf(screen), [screen.sessionId]);
      assert.deepEqual((await idsOf(boss)).sort(), [boss.sessionId, screen.sessionId].sort());
      const end = async (by: Client, id: string) =>
        (await by.call('DELETE', `${SESSIONS}/${id}`)).status;
      assert.equal(await end(screen, boss.sessionId), 404);
      assert.equal(await end(await newUser(address()), boss.sessionId), 404);
      assert.equal(await end(boss, reader.id), 404, 'a token is no session');
      assert.equal(await end(boss, screen.sessionId), 204);
    });

    it('are twenty at most from one token: the one used longest ago ends', async () => {
      const user = await newUser(address());
      const sessions = [];
      for (let each = 0; each < 21; each += 1) sessions.push(await sessionOf(user));
      const statuses = await Promise.all(sessions.map(statusOf));
      assert.equal(statuses.filter((status) => status === 401).length, 1);
    });

    it('of an open stream end it', async () => {
      const user = await newUser(address());
      const [watching, ending] = [await sessionOf(user), await sessionOf(user)];
      const stream = await fetch(`${address()}/users/current/tracker-events/live`, {
        headers: watching.headers,
      });
      assert.equal(stream.status, 200);
      assert.equal((await ending.call('DELETE', `${SESSIONS}/${watching.sessionId}`)).status, 204);
      assert.match(await stream.text(), /event: closed\ndata: {"reason":"token-ended"}/);
    });

    it('of the operator administer, and are in the audit with those of users', async () => {
      const session = await sessionOf(operator);
      assert.equal((await session.get('/admin/users')).status, 200);
      const user = await newUser(address());
      const own = await sessionOf(user);
      await own.call('DELETE', `${SESSIONS}/current`);
      type Entry = { action: string; actor: string; details: { sessionId: string } };
      const path = `/admin/audit?userId=${user.userId}`;
      const entries = (await session.get<Entry[]>(path)).body.filter(({ action }) =>
        action.startsWith('session.'),
      );
      assert.deepEqual(
        entries.map(({ action, actor, details }) => [action, actor, details.sessionId]),
        ['session.ended', 'session.started'].map((action) => [
          ...[action, `user:${user.userId}`, own.sessionId],
        ]),
      );
      assert.equal((await session.call('DELETE', `${SESSIONS}/current`)).status, 204);
      assert.equal((await session.get('/admin/users')).status, 401);
    });
  });
}
