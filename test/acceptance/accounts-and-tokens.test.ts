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

needs('postgres', 'server');

type Fault = { parameter: string; message: string };
type ErrorBody = { id: number; error: string; message: string; details?: Fault[] };

for (const kind of testedOn()) {
  describe(`users, tokens and accounts on ${kind}`, () => {
    let running: TestServer;
    let admin: Client;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind);
      admin = new Client(address(), ADMIN_TOKEN);
    });
    after(() => running.close());

    it('answers 401 with the error record without, with a malformed and with an unknown token', async () => {
      for (const token of [
        undefined,
        '',
        'x',
        'plm_unknown',
        'é'.normalize('NFD').slice(0, 1).repeat(300),
      ]) {
        const answer = await new Client(address(), token).get<ErrorBody>('/users/current/accounts');
        assert.equal(answer.status, 401);
        assert.equal(answer.body.error, 'UnauthorizedError');
        assert.ok(Number.isSafeInteger(answer.body.id));
      }
    });

    it('creates a user once: a second one with the same e-mail is a conflict', async () => {
      const first = await admin.post('/admin/users', { email: 'Ada@Example.com', name: 'Ada' });
      assert.equal(first.status, 201);
      const second = await admin.post<ErrorBody>('/admin/users', { email: 'ada@example.COM' });
      assert.equal(second.status, 409);
      assert.equal(second.body.error, 'ConflictError');
    });

    it('keeps administration from tokens without the admin scope', async () => {
      const user = await newUser(address());
      assert.equal((await user.get('/admin/users')).status, 403);
    });

    it("refuses requests beyond the token's scopes", async () => {
      const reader = await newUser(address(), { scopes: ['read'] });
      const answer = await reader.post<ErrorBody>('/users/current/accounts', {});
      assert.equal(answer.status, 403);
      assert.match(answer.body.message, /write/);
    });

    it('shows a token once, lists it without its secret, and revokes it at once', async () => {
      const user = await newUser(address(), { name: 'journal' });
      assert.equal((await user.get('/users/current/accounts')).status, 200);
      const list = await admin.get<{ id: string; name: string }[]>(
        `/admin/users/${user.userId}/tokens`,
      );
      assert.equal(list.body.length, 1);
      assert.ok(!JSON.stringify(list.body).includes(user.token ?? ''));
      const deleted = await admin.call('DELETE', `/admin/tokens/${list.body[0]?.id}`);
      assert.equal(deleted.status, 204);
      assert.equal((await user.get('/users/current/accounts')).status, 401);
      assert.equal((await admin.call('DELETE', `/admin/tokens/${list.body[0]?.id}`)).status, 404);
    });

    it('answers 401 to an expired token', async () => {
      const user = await newUser(address(), { expiresInDays: 1e-9 });
      assert.equal((await user.get('/users/current/accounts')).status, 401);
    });

    it('names every fault of a new account at once', async () => {
      const user = await newUser(address());
      const answer = await user.post<ErrorBody>('/users/current/accounts', {
        platform: 'p6',
        login: 'x y',
        broker: '',
        currency: 'usd',
        leverage: 0,
        colour: 'red',
      });
      assert.equal(answer.status, 400);
      const named = new Set(answer.body.details?.map((fault) => fault.parameter));
      assert.deepEqual([...named].sort(), [
        'broker',
        'colour',
        'currency',
        'leverage',
        'login',
        'name',
        'platform',
      ]);
    });

    it('names an unknown region, time zone and profile together with all other faults', async () => {
      const user = await newUser(address());
      const good = { name: 'a', login: 1, broker: 'b', currency: 'USD', leverage: 1 };
      const unknown = {
        platform: 'p4',
        region: 'atlantis',
        brokerClock: { zone: 'Sea/Atlantis' },
        profileId: 'nowhere',
      };
      const faultsOf = async (account: object): Promise<string[] | undefined> => {
        const answer = await user.post<ErrorBody>('/users/current/accounts', account);
        return answer.body.details?.map(({ parameter }) => parameter).sort();
      };
      const own = ['brokerClock.zone', 'profileId', 'region'];
      assert.deepEqual(await faultsOf({ ...good, ...unknown }), own);
      assert.deepEqual(await faultsOf({ ...good, ...unknown, leverage: 0, name: '' }), [
        'brokerClock.zone',
        'leverage',
        'name',
        'profileId',
        'region',
      ]);
    });

    it('refuses unknown parameters, and invalid integers', async () => {
      const user = await newUser(address());
      const faultsOf = async (query: string) =>
        (await user.get<ErrorBody>(`/users/current/accounts?${query}`)).body.details;
      assert.deepEqual(await faultsOf('limt=5'), [
        { parameter: 'limt', message: 'is not known; did you mean limit?' },
      ]);
      const message = 'must be an integer from 1 to 1000';
      for (const limit of ['0x10', '%205', '1e2', '5.0', '', '0', '1001', '9'.repeat(30)]) {
        assert.deepEqual(await faultsOf(`limit=${limit}`), [{ parameter: 'limit', message }]);
      }
      assert.equal((await user.get('/users/current/token?x=1')).status, 400);
    });

    it('changes an account in part, and refuses unknown fields', async () => {
      const user = await newUser(address());
      const id = await newAccount(user);
      const path = `/users/current/accounts/${id}`;
      const changed = await user.call<{ name: string; leverage: number }>('PATCH', path, {
        name: 'New',
      });
      assert.equal(changed.status, 200);
      assert.equal(changed.body.name, 'New');
      assert.equal(changed.body.leverage, 100);
      assert.equal((await user.call('PATCH', path, { currency: 'EUR' })).status, 400);
      assert.equal((await user.call('PATCH', path, {})).status, 400);
    });

    it("hides another user's account as if it did not exist", async () => {
      const owner = await newUser(address());
      const other = await newUser(address());
      const id = await newAccount(owner);
      const path = `/users/current/accounts/${id}`;
      const missing = await other.get<ErrorBody>('/users/current/accounts/none');
      for (const method of ['GET', 'DELETE']) {
        const answer = await other.call<ErrorBody>(method, path);
        assert.equal(answer.status, 404);
        assert.equal(answer.body.message, missing.body.message);
      }
      assert.deepEqual((await other.get('/users/current/accounts')).body, []);
      assert.equal((await owner.get(path)).status, 200);
    });

    it('lets a token of some accounts reach only those', async () => {
      const user = await newUser(address());
      const [one, two] = [await newAccount(user), await newAccount(user)];
      const path = `/admin/users/${user.userId}/tokens`;
      const made = await admin.post<{ token: string }>(path, { accountIds: [one] });
      const narrow = new Client(address(), made.body.token);
      const list = await narrow.get<{ id: string }[]>('/users/current/accounts');
      assert.deepEqual(
        list.body.map((account) => account.id),
        [one],
      );
      assert.equal((await narrow.get(`/users/current/accounts/${one}`)).status, 200);
      assert.equal((await narrow.get(`/users/current/accounts/${two}`)).status, 404);
      assert.equal(
        (
          await narrow.post('/users/current/accounts', {
            name: 'a',
            platform: 'p4',
            login: 1,
            broker: 'b',
            currency: 'USD',
            leverage: 1,
          })
        ).status,
        403,
      );
    });

    it('answers 409 to a taken id, and frees it by deletion', async () => {
      const user = await newUser(address());
      const id = await newAccount(user, { id: `fixed-${kind}` });
      await assert.rejects(newAccount(user, { id }), /ConflictError/);
      assert.equal((await user.call('DELETE', `/users/current/accounts/${id}`)).status, 204);
      assert.equal(await newAccount(user, { id }), id);
    });

    it('keeps a token of some accounts from a later account of the same id', async () => {
      const user = await newUser(address());
      const [kept, again] = [await newAccount(user), await newAccount(user)];
      const later = `later-${kind}`;
      const path = `/admin/users/${user.userId}/tokens`;
      const made = await admin.post<{ token: string }>(path, { accountIds: [kept, again, later] });
      const narrow = new Client(address(), made.body.token);
      await user.call('DELETE', `/users/current/accounts/${again}`);
      for (const id of [again, later]) await newAccount(user, { id });
      const send = (client: Client, accountId: string, equity: number) => {
        const brokerTime = '2026-01-05 10:00:00';
        return client.post('/users/current/snapshots', [
          { accountId, brokerTime, balance: 1000, equity },
        ]);
      };
      for (const id of [again, later]) {
        const account = `/users/current/accounts/${id}`;
        assert.equal((await narrow.get(account)).status, 404);
        assert.equal((await narrow.call('DELETE', account)).status, 404);
        assert.equal((await send(narrow, id, 1000)).status, 404);
        const tracker = { name: 'Loss', period: 'day', absoluteDrawdownThreshold: 1 };
        assert.equal((await user.post(`${account}/trackers`, tracker)).status, 201);
        for (const equity of [1000, 900]) assert.equal((await send(user, id, equity)).status, 200);
        const events = `/users/current/tracker-events/stream?accountId=${id}`;
        assert.equal((await user.get<unknown[]>(`${events}&wait=10`)).body.length, 1);
        assert.deepEqual((await narrow.get(`${events}&wait=0`)).body, []);
      }
      assert.deepEqual((await narrow.get('/users/current/tracker-events/stream?wait=0')).body, []);
      const incidents = await narrow.get('/users/current/incidents?state=all');
      assert.ok(!JSON.stringify(incidents.body).includes(again));
      const list = await narrow.get<{ id: string }[]>('/users/current/accounts');
      assert.deepEqual(
        list.body.map(({ id }) => id),
        [kept],
      );
      const overview = await narrow.get<{ accounts: { id: string }[] }>(
        '/users/current/accounts-overview',
      );
      assert.deepEqual(
        overview.body.accounts.map(({ id }) => id),
        [kept],
      );
      assert.equal((await send(narrow, kept, 1000)).status, 200);
    });

    it('pages the list of accounts in order of ids', async () => {
      const user = await newUser(address());
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) ids.push(await newAccount(user));
      const pages = await Promise.all(
        [0, 2, 4].map((offset) =>
          user.get<{ id: string }[]>(`/users/current/accounts?limit=2&offset=${offset}`),
        ),
      );
      assert.deepEqual(
        pages.flatMap((page) => page.body.map((account) => account.id)),
        ids.sort(),
      );
    });

    it('writes no token to the log', async () => {
      const user = await newUser(address());
      await user.get('/users/current/accounts/none');
      assert.ok(!running.server.log().includes(user.token ?? ''));
    });
  });
}
