import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import {
  ADMIN_TOKEN,
  Client,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const PATH = '/users/current/tokens';
const PEOPLE = '/users/current/people';
type Made = { id: string; token: string };
type Listed = {
  id: string;
  name?: string;
  madeBy?: string;
  expiresAt?: string;
  lastUsedAt?: string;
  lastUsedFrom?: string;
};
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

for (const kind of KINDS) {
  describe(`families of tokens on ${kind}`, () => {
    let running: TestServer;
    let operator: Client;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind);
      operator = new Client(address(), ADMIN_TOKEN);
    });
    after(() => running.close());

    const make = async (by: Client, fields: object = {}, path = PATH) => {
      const made = await by.post<Made>(path, fields);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return Object.assign(new Client(address(), made.body.token), made.body);
    };
    const isValid = async (token: Client): Promise<boolean> =>
      (await token.get('/users/current/token')).status === 200;
    const validOf = (tokens: Client[]): Promise<boolean[]> => Promise.all(tokens.map(isValid));

    it('are revoked as a whole, and audited one by one', async () => {
      const user = await newUser(address());
      const stolen = await make(user);
      const child = await make(stolen);
      const grandchild = await make(child);
      const sibling = await make(user);
      const listed = (await user.get<Listed[]>(PATH)).body;
      assert.equal(listed.find(({ id }) => id === grandchild.id)?.madeBy, child.id);
      assert.equal((await user.call('DELETE', `${PATH}/${stolen.id}?withMade=true`)).status, 204);
      const valid = await validOf([stolen, child, grandchild, sibling]);
      assert.deepEqual(valid, [false, false, false, true]);
      type Entry = { action: string; details: { tokenId: string } };
      const { body } = await operator.get<Entry[]>(`/admin/audit?userId=${user.userId}`);
      const revoked = body.filter(({ action }) => action === 'token.revoked');
      assert.deepEqual(
        revoked.map(({ details }) => details.tokenId).sort(),
        [stolen.id, child.id, grandchild.id].sort(),
      );
    });

    it('survive the loss of one in between: the rest belongs to its maker', async () => {
      const user = await newUser(address());
      const stolen = await make(user);
      const hidden = await make(stolen);
      const left = await make(hidden);
      assert.equal((await user.call('DELETE', `${PATH}/${hidden.id}`)).status, 204);
      assert.deepEqual(await validOf([hidden, left]), [false, true]);
      assert.equal((await user.call('DELETE', `${PATH}/${stolen.id}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([left]), [false]);
    });

    it('reach other users only for the operator, also once their root is gone', async () => {
      const [user, other] = [await newUser(address()), await newUser(address())];
      const admin = await make(
        operator,
        { scopes: ['read', 'write', 'admin'] },
        `/admin/users/${user.userId}/tokens`,
      );
      const planted = await make(admin, {}, `/admin/users/${other.userId}/tokens`);
      assert.equal((await user.call('DELETE', `${PATH}/${admin.id}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([admin, planted]), [false, true]);
      const path = `/admin/tokens/${admin.id}`;
      assert.equal((await operator.call('DELETE', path)).status, 404);
      assert.equal((await operator.call('DELETE', `${path}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([planted]), [false]);
      assert.equal((await operator.call('DELETE', `${path}?withMade=true`)).status, 404);
    });

    it('keep their rights by rotation, while the old secret lasts for the overlap', async () => {
      const user = await newUser(address());
      const old = await make(user, { name: 'feed', scopes: ['read', 'ingest'] });
      const next = await make(user, { overlapMinutes: 5 }, `${PATH}/${old.id}/rotation`);
      assert.deepEqual(await validOf([old, next]), [true, true]);
      const rightsOf = async (client: Client) =>
        (await client.get<{ name: string; scopes: string[] }>('/users/current/token')).body;
      const { name, scopes } = await rightsOf(next);
      assert.deepEqual([name, scopes], ['feed', ['read', 'ingest']]);
      const listed = (await user.get<Listed[]>(PATH)).body.find(({ id }) => id === old.id);
      assert.ok(listed?.expiresAt);
      const third = await make(user, { overlapMinutes: 0 }, `${PATH}/${next.id}/rotation`);
      assert.deepEqual(await validOf([old, next, third]), [true, false, true]);
      // What has the old secret is found by the newest.
      assert.equal((await user.call('DELETE', `${PATH}/${third.id}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([old, third]), [false, false]);
      assert.equal((await user.post(`${PATH}/${next.id}/rotation`, {})).status, 404);
    });

    it('are revoked with what a stolen one rotated itself into', async () => {
      const user = await newUser(address());
      const stolen = await make(user);
      const next = await make(stolen, { overlapMinutes: 5 }, `${PATH}/${stolen.id}/rotation`);
      const third = await make(next, { overlapMinutes: 0 }, `${PATH}/${next.id}/rotation`);
      assert.deepEqual(await validOf([stolen, next, third]), [true, false, true]);
      assert.equal((await user.call('DELETE', `${PATH}/${stolen.id}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([stolen, next, third]), [false, false, false]);
    });

    it('are revoked with what a stolen one rotated others into, and only that', async () => {
      const user = await newUser(address());
      const [stolen, feed] = [await make(user), await make(user, { name: 'feed' })];
      const child = await make(feed);
      const taken = await make(stolen, { overlapMinutes: 5 }, `${PATH}/${feed.id}/rotation`);
      const hidden = await make(taken, { overlapMinutes: 0 }, `${PATH}/${taken.id}/rotation`);
      assert.deepEqual(await validOf([feed, child, hidden]), [true, true, true]);
      const listed = (await user.get<Listed[]>(PATH)).body;
      const makerOf = ({ id }: Made) => listed.find((token) => token.id === id)?.madeBy;
      assert.deepEqual([taken, child].map(makerOf), [stolen.id, feed.id]);
      assert.equal((await user.call('DELETE', `${PATH}/${stolen.id}?withMade=true`)).status, 204);
      assert.deepEqual(await validOf([feed, child, taken, hidden]), [true, true, false, false]);
      // What the old secret made stays with it, and ends with the maker of both.
      const maker = (await user.get<Made>('/users/current/token')).body.id;
      const all = `/admin/tokens/${maker}?withMade=true`;
      assert.equal((await operator.call('DELETE', all)).status, 204);
      assert.deepEqual(await validOf([user, feed, child]), [false, false, false]);
    });

    it('are revoked with what one of another user rotated as an administrator', async () => {
      const [user, other] = [await newUser(address()), await newUser(address())];
      const scopes = ['read', 'write', 'admin'];
      const admin = await make(operator, { scopes }, `/admin/users/${user.userId}/tokens`);
      const old = await make(other);
      const taken = await make(admin, { overlapMinutes: 5 }, `/admin/tokens/${old.id}/rotation`);
      const path = `/admin/tokens/${admin.id}?withMade=true`;
      assert.equal((await operator.call('DELETE', path)).status, 204);
      assert.deepEqual(await validOf([old, taken]), [true, false]);
    });

    it('keep no secret of a rotation by one that was revoked meanwhile', async () => {
      const user = await newUser(address());
      const stolen = await make(user);
      const taken: Client[] = [];
      // Half of the time by the stolen one, else by the secret that was taken before.
      const taking = Array.from({ length: 8 }, async (_, place) => {
        let [last, caller]: [Made, Client] = [await make(user), stolen];
        for (;;) {
          const path = `${PATH}/${last.id}/rotation`;
          const { status, body } = await caller.post<Made>(path, { overlapMinutes: 1 });
          if (status !== 201) return;
          taken.push(new Client(address(), body.token));
          last = body;
          if (place % 2 === 0) caller = new Client(address(), body.token);
        }
      });
      await until(async () => taken.length > 20);
      assert.equal((await user.call('DELETE', `${PATH}/${stolen.id}?withMade=true`)).status, 204);
      await Promise.all(taking);
      assert.deepEqual([...new Set(await validOf(taken))], [false]);
    });

    it('reach no further once an owner has rotated one that somebody else made', async () => {
      const user = await newUser(address(), { scopes: ['read', 'write', 'ingest', 'actions'] });
      const invite = async (role: string) => {
        const email = `${role}@example.com`;
        const { body } = await user.post<Made & { code: string }>(PEOPLE, {
          ...{ name: role, email, role },
        });
        return Object.assign(await sessionOf(user, { code: body.code }), body);
      };
      const [owner, risk] = [await invite('owner'), await invite('risk')];
      const old = await make(risk);
      const taken = await make(owner, {}, `${PATH}/${old.id}/rotation`);
      const next = await make(taken, {}, `${PATH}/${taken.id}/rotation`);
      for (const client of [taken, await sessionOf(taken)])
        assert.deepEqual(
          (await client.get<Listed[]>(PATH)).body.map(({ id }) => id),
          [next.id],
        );
      assert.deepEqual((await next.get<Listed[]>(PATH)).body, []);
      assert.equal((await next.call('DELETE', `${PATH}/${old.id}`)).status, 404);
      const path = `${PEOPLE}/${owner.id}?withMade=true`;
      assert.equal((await user.call('DELETE', path)).status, 204);
      assert.deepEqual(await validOf([old, taken, next]), [true, false, false]);
    });

    it('give nobody more rights by rotation', async () => {
      const user = await newUser(address(), { scopes: ['read', 'write', 'ingest'] });
      const weak = await make(user, { scopes: ['read', 'write'] });
      const strong = await make(user, { scopes: ['read', 'ingest'] });
      const refused = await weak.post<{ message: string }>(`${PATH}/${strong.id}/rotation`, {});
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /ingest/);
      const brief = await make(user, { expiresInDays: 1 });
      assert.equal((await brief.post(`${PATH}/${strong.id}/rotation`, {})).status, 403);
      const ended = await make(user, { expiresInDays: 1e-9 });
      assert.equal((await user.post(`${PATH}/${ended.id}/rotation`, {})).status, 409);
      const stranger = await newUser(address());
      assert.equal((await stranger.post(`${PATH}/${strong.id}/rotation`, {})).status, 404);
      assert.equal((await operator.post(`/admin/tokens/${strong.id}/rotation`, {})).status, 201);
    });

    it('show when each was last used, and from where', async () => {
      const user = await newUser(address());
      const used = await make(user);
      const unused = await make(user);
      await used.get('/users/current/accounts');
      const listed = async (of: Made) =>
        (await user.get<Listed[]>(PATH)).body.find(({ id }) => id === of.id);
      await until(async () => (await listed(used))?.lastUsedAt !== undefined, 'the last use');
      assert.equal((await listed(used))?.lastUsedFrom, '127.0.0.1');
      assert.equal((await listed(unused))?.lastUsedAt, undefined);
    });
  });
}
