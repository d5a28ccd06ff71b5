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
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const PEOPLE = '/users/current/people';
const TOKENS = '/users/current/tokens';
const OWNER = { scopes: ['read', 'write', 'ingest', 'actions'] };
type Invitation = { id: string; code: string; expiresAt: string };
type Person = { id: string; name: string; email: string; role: string; version: string };
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

for (const kind of KINDS) {
  describe(`people on ${kind}`, () => {
    let running: TestServer;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());

    const invite = async (by: Client, role: string, more: object = {}) => {
      const fields = { name: `The ${role}`, email: `${role}@example.com`, role, ...more };
      const invited = await by.post<Invitation>(PEOPLE, fields);
      assert.equal(invited.status, 201, JSON.stringify(invited.body));
      const session = await sessionOf(by, { code: invited.body.code });
      return Object.assign(session, invited.body);
    };
    const statusOf = async (client: Client): Promise<number> =>
      (await client.get('/users/current/accounts')).status;

    it('are invited with a code that works once, listed, and named wherever they act', async () => {
      const user = await newUser(address(), OWNER);
      const anna = await invite(user, 'backOffice', { name: 'Anna', email: 'Anna@Example.com' });
      const again = new Client(address(), undefined, { origin: address() });
      assert.equal((await again.post('/session', { code: anna.code })).status, 401);
      const current = await anna.get<{ id: string; name: string; role: string }>('/session');
      assert.equal(JSON.stringify(current.body).includes('"Anna"'), true);
      const listed = (await user.get<Person[]>(PEOPLE)).body;
      assert.deepEqual(
        listed.map(({ name, email, role }) => [name, email, role]),
        [['Anna', 'anna@example.com', 'backOffice']],
      );
      const accountId = await newAccount(anna);
      const operator = new Client(address(), ADMIN_TOKEN);
      type Entry = { action: string; actor: string; tokenId: string };
      const { body } = await operator.get<Entry[]>(`/admin/audit?accountId=${accountId}`);
      assert.deepEqual(
        body.map(({ actor, tokenId }) => [actor, tokenId]),
        [['person:anna@example.com', anna.id]],
      );
      const same = { name: 'Other', email: 'anna@example.com', role: 'viewer' };
      assert.equal((await user.post(PEOPLE, same)).status, 409);
    });

    it('share the accounts of the user; a viewer changes none, a trader sees his own', async () => {
      const user = await newUser(address(), OWNER);
      const accountIds = [await newAccount(user)];
      await newAccount(user);
      const viewer = await invite(user, 'viewer');
      const trader = await invite(user, 'trader', { accountIds });
      const idsOf = async (client: Client) =>
        (await client.get<{ id: string }[]>('/users/current/accounts')).body.map(({ id }) => id);
      assert.equal((await idsOf(viewer)).length, 2);
      assert.deepEqual(await idsOf(trader), accountIds);
      const renamed = { name: 'Mine' };
      const path = `/users/current/accounts/${accountIds[0]}`;
      for (const client of [viewer, trader])
        assert.equal((await client.call('PATCH', path, renamed)).status, 403);
      for (const wrong of [{ role: 'trader' }, { role: 'risk', accountIds }]) {
        const fields = { name: 'X', email: 'x@example.com', ...wrong };
        assert.equal((await user.post(PEOPLE, fields)).status, 400);
      }
      const absent = { name: 'X', email: 'x@example.com', role: 'trader', accountIds: ['none'] };
      assert.equal((await user.post(PEOPLE, absent)).status, 400);
    });

    it('are managed by owners only, among them a person', async () => {
      const user = await newUser(address(), OWNER);
      const owner = await invite(user, 'owner');
      const risk = await invite(owner, 'risk');
      const usual = await newUser(address());
      const fields = { name: 'X', email: 'x@example.com', role: 'viewer' };
      for (const client of [risk, usual]) {
        assert.equal((await client.get(PEOPLE)).status, 403);
        assert.equal((await client.post(PEOPLE, fields)).status, 403);
        assert.equal((await client.call('DELETE', `${PEOPLE}/${owner.id}`)).status, 403);
      }
      const stranger = await newUser(address(), OWNER);
      assert.equal((await stranger.call('DELETE', `${PEOPLE}/${risk.id}`)).status, 404);
      assert.equal((await owner.post(`${PEOPLE}/${risk.id}/invitation`)).status, 201);
    });

    it('get another role at once, in running sessions and unused codes', async () => {
      const user = await newUser(address(), OWNER);
      const person = await invite(user, 'risk');
      const path = `${PEOPLE}/${person.id}`;
      const { code } = (await user.post<Invitation>(`${path}/invitation`)).body;
      const stream = await fetch(`${address()}/users/current/tracker-events/live`, {
        headers: person.headers,
      });
      const accountIds = [await newAccount(user)];
      await newAccount(user);
      const change = { role: 'trader', accountIds };
      const changed = await user.call<Person>('PATCH', path, change);
      assert.deepEqual([changed.status, changed.body.role], [200, 'trader']);
      // Its accounts are others now: the client asks again.
      assert.match(await stream.text(), /event: closed\ndata: {"reason":"token-ended"}/);
      for (const client of [person, await sessionOf(user, { code })]) {
        const seen = await client.get<{ id: string }[]>('/users/current/accounts');
        assert.deepEqual(
          seen.body.map(({ id }) => id),
          accountIds,
        );
        assert.equal((await client.post('/users/current/accounts', {})).status, 403);
      }
      assert.equal((await user.call('PATCH', path, { role: 'owner' })).status, 200);
      assert.equal((await person.get(PEOPLE)).status, 200);
    });

    it('are changed only as they were seen, if the caller says so', async () => {
      const user = await newUser(address(), OWNER);
      const { id } = await invite(user, 'risk');
      const [seen] = (await user.get<Person[]>(PEOPLE)).body;
      const change = { role: 'viewer', version: seen?.version };
      const path = `${PEOPLE}/${id}`;
      assert.equal((await user.call('PATCH', path, change)).status, 200);
      assert.equal((await user.call('PATCH', path, { ...change, role: 'owner' })).status, 409);
      const [now] = (await user.get<Person[]>(PEOPLE)).body;
      assert.equal(now?.role, 'viewer');
    });

    it('keep of their tokens, and of those made with them, what the new role may', async () => {
      const user = await newUser(address(), OWNER);
      const person = await invite(user, 'backOffice');
      const tokenOf = async (by: Client, scopes: string[]): Promise<Client> => {
        const { body } = await by.post<{ token: string }>(TOKENS, { scopes });
        return new Client(address(), body.token);
      };
      const writing = await tokenOf(person, ['read', 'write']);
      const [reading, sending] = [
        await tokenOf(writing, ['read']),
        await tokenOf(writing, ['read', 'write']),
      ];
      const path = `${PEOPLE}/${person.id}`;
      assert.equal((await user.call('PATCH', path, { role: 'viewer' })).status, 200);
      const statuses = await Promise.all([writing, sending, reading].map(statusOf));
      assert.deepEqual(statuses, [401, 401, 200]);
    });

    it('have names and addresses that look like nobody else', async () => {
      const user = await newUser(address(), OWNER);
      const good = { name: 'Anna', email: 'anna@example.com', role: 'viewer' };
      // A Cyrillic letter, and a mark that turns the direction.
      for (const wrong of [
        { name: 'Аnna' },
        { name: 'An\u200Fna' },
        { email: 'аnna@example.com' },
        // The sign of Kelvin: a small k, once in small letters.
        { email: 'an\u212Aa@example.com' },
      ]) {
        const { status, body } = await user.post<{ details: { parameter: string }[] }>(PEOPLE, {
          ...{ ...good, ...wrong },
        });
        assert.deepEqual([status, body.details[0]?.parameter], [400, Object.keys(wrong)[0]]);
      }
      assert.equal((await user.post(TOKENS, { name: 'Аnna' })).status, 400);
      assert.equal((await user.post(PEOPLE, { ...good, name: 'Анна Smith' })).status, 201);
    });

    it('see and revoke only the tokens that they made, unless they are owners', async () => {
      const user = await newUser(address(), OWNER);
      const risk = await invite(user, 'risk');
      const own = (await risk.post<{ id: string; token: string }>(TOKENS, { name: 'mine' })).body;
      const other = (await user.post<{ id: string }>(TOKENS, { scopes: ['read'] })).body;
      const listed = await risk.get<{ id: string }[]>(TOKENS);
      assert.deepEqual(
        listed.body.map(({ id }) => id),
        [own.id],
      );
      assert.equal((await risk.call('DELETE', `${TOKENS}/${other.id}`)).status, 404);
      assert.equal((await risk.post(`${TOKENS}/${other.id}/rotation`, {})).status, 404);
      // Nor do their tokens reach more than they do, nor the sessions of these.
      const made = new Client(address(), own.token);
      const second = (await made.post<{ id: string }>(TOKENS, {})).body;
      for (const client of [made, await sessionOf(made)]) {
        const seen = await client.get<{ id: string }[]>(TOKENS);
        assert.deepEqual(
          seen.body.map(({ id }) => id),
          [second.id],
        );
        assert.equal((await client.call('DELETE', `${TOKENS}/${other.id}`)).status, 404);
        assert.equal((await client.post(`${TOKENS}/${other.id}/rotation`, {})).status, 404);
      }
      assert.equal((await made.call('DELETE', `${TOKENS}/${own.id}`)).status, 204);
    });

    it('are removed at once, with all that they made if asked for', async () => {
      const user = await newUser(address(), OWNER);
      const owner = await invite(user, 'owner');
      const token = (await owner.post<{ token: string }>(TOKENS, {})).body.token;
      const friend = await invite(owner, 'viewer');
      const path = `${PEOPLE}/${owner.id}?withMade=true`;
      assert.equal((await user.call('DELETE', path)).status, 204);
      const left = [owner, new Client(address(), token), friend];
      assert.deepEqual(await Promise.all(left.map(statusOf)), [401, 401, 401]);
      assert.deepEqual((await user.get(PEOPLE)).body, []);
    });

    it('leave nothing that a stolen token made while it was revoked', async () => {
      const user = await newUser(address(), OWNER);
      const stolen = (await user.post<{ id: string; token: string }>(TOKENS, {})).body;
      const thief = new Client(address(), stolen.token);
      const planted: Client[] = [];
      const planting = Array.from({ length: 8 }, async () => {
        for (;;) {
          const { status, body } = await thief.post<{ token: string }>(TOKENS, {});
          if (status !== 201) return;
          planted.push(new Client(address(), body.token));
        }
      });
      await until(async () => planted.length > 20);
      assert.equal((await user.call('DELETE', `${TOKENS}/${stolen.id}?withMade=true`)).status, 204);
      await Promise.all(planting);
      const statuses = new Set(await Promise.all(planted.map(statusOf)));
      assert.deepEqual([...statuses], [401]);
    });

    it('go with the stolen token that invited them', async () => {
      const user = await newUser(address(), OWNER);
      const stolen = (await user.post<{ id: string; token: string }>(TOKENS, OWNER)).body;
      const planted = await invite(new Client(address(), stolen.token), 'viewer');
      assert.equal((await user.call('DELETE', `${TOKENS}/${stolen.id}?withMade=true`)).status, 204);
      assert.equal(await statusOf(planted), 401);
    });
  });
}
