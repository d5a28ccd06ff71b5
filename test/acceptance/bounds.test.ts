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

needs('postgres', 'server');

type Incident = { id: number; assignee?: string; entryCount: number; entries: { place: number }[] };
const INCIDENTS = '/users/current/incidents';
const TOKENS = '/users/current/tokens';

/** All items of a list, and how many its first page says there are, page by page. */
async function pagesOf<T>(client: Client, path: string): Promise<{ pages: T[][]; total: number }> {
  const pages: T[][] = [];
  let total = 0;
  for (let next: string | undefined = path; next; ) {
    const answer: Response = await fetch(client.address + next, {
      headers: { 'auth-token': client.token ?? '' },
    });
    assert.equal(answer.status, 200);
    pages.push((await answer.json()) as T[]);
    total ||= Number(answer.headers.get('total-count'));
    next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return { pages, total };
}

for (const kind of testedOn()) {
  describe(`bounds of answers and of stored data on ${kind}`, () => {
    let running: TestServer;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind, { PLIMSOLL_STORED_MB_PER_USER: '1' });
    });
    after(() => running.close());

    const incidentOf = async (client: Client): Promise<Incident> => {
      const accountId = await newAccount(client);
      await client.post(`/users/current/accounts/${accountId}/trackers`, {
        ...{ name: 'Limit', period: 'lifetime', relativeDrawdownThreshold: 0.1 },
      });
      const row = { accountId, balance: 10_000 };
      await client.post('/users/current/snapshots', [
        { ...row, brokerTime: '2026-03-02 10:00:00', equity: 10_000 },
        { ...row, brokerTime: '2026-03-02 11:00:00', equity: 8500 },
      ]);
      let found: Incident | undefined;
      await until(async () => {
        const { body } = await client.get<{ incidents: Incident[] }>(INCIDENTS);
        found = body.incidents[0];
        return found !== undefined;
      }, 'the incident');
      assert.ok(found);
      return found;
    };
    const note = async (client: Client, id: number, text: string): Promise<number> =>
      (await client.call('PATCH', INCIDENTS, { ids: [id], note: text })).status;

    it('lists show the newest entries and their number, pages the rest', async () => {
      const client = await newUser(address());
      const { id } = await incidentOf(client);
      await client.call('PATCH', INCIDENTS, { ids: [id], assignee: 'Anna' });
      for (let n = 1; n <= 60; n += 1) assert.equal(await note(client, id, `Note ${n}`), 200);
      const listed = (await client.get<{ incidents: Incident[] }>(INCIDENTS)).body.incidents[0];
      assert.deepEqual([listed?.entryCount, listed?.entries.length], [61, 5]);
      assert.equal(listed?.assignee, 'Anna', 'though its entry is not among the newest');
      const one = (await client.get<Incident>(`${INCIDENTS}/${id}`)).body;
      assert.deepEqual([one.entryCount, one.entries.length], [61, 50]);
      const { pages, total } = await pagesOf<{ place: number }>(
        client,
        `${INCIDENTS}/${id}/entries?limit=25`,
      );
      assert.equal(total, 61);
      assert.deepEqual(
        pages.map(({ length }) => length),
        [25, 25, 11],
      );
      assert.deepEqual(
        pages.flat().map(({ place }) => place),
        Array.from({ length: 61 }, (_, index) => 61 - index),
      );
    });

    it('an incident takes notes up to its 400th entry, and can then still be acknowledged', async () => {
      const client = await newUser(address());
      const { id } = await incidentOf(client);
      for (let n = 0; n < 400; n += 1) assert.equal(await note(client, id, 'x'), 200);
      assert.equal(await note(client, id, 'x'), 409);
      const { body } = await client.get<Incident>(`${INCIDENTS}/${id}`);
      assert.equal(body.entryCount, 400, 'what was refused left nothing');
      const done = await client.call('PATCH', INCIDENTS, { ids: [id], acknowledged: true });
      assert.equal(done.status, 200);
    });

    it('tokens come newest first, page by page, each once', async () => {
      const client = await newUser(address());
      const made: string[] = [];
      for (let n = 0; n < 7; n += 1)
        made.unshift((await client.post<{ id: string }>(TOKENS, { name: `${n}` })).body.id);
      const { pages, total } = await pagesOf<{ id: string }>(client, `${TOKENS}?limit=3`);
      assert.equal(total, 8);
      const ids = pages.flat().map(({ id }) => id);
      assert.equal(new Set(ids).size, 8);
      assert.deepEqual(ids.filter((id) => made.includes(id)).toSorted(), made.toSorted());
      assert.equal((await client.get(`${TOKENS}?before=x`)).status, 400);
    });

    it('long programs and tokens do not make a long page', async () => {
      const client = await newUser(address());
      const accountIds = Array.from({ length: 1000 }, (_, n) => `${n}`.padStart(64, 'a'));
      for (let n = 0; n < 5; n += 1) await client.post(TOKENS, { scopes: ['read'], accountIds });
      const answer = await client.get<unknown[]>(TOKENS);
      assert.ok(JSON.stringify(answer.body).length < 4_000_000);
    });

    it('refuses more than a user may store, says so, and lets the user delete', async () => {
      const client = await newUser(address());
      const accountIds = Array.from({ length: 1000 }, (_, n) => `${n}`.padStart(64, 'a'));
      const made: string[] = [];
      let refused: { status: number; body: { id: string; message?: string } } | undefined;
      for (let n = 0; n < 20 && !refused; n += 1) {
        const answer = await client.post<{ id: string; message?: string }>(TOKENS, {
          ...{ scopes: ['read'], accountIds },
        });
        if (answer.status === 201) made.push(answer.body.id);
        else refused = answer;
      }
      assert.equal(refused?.status, 403);
      assert.match(refused?.body.message ?? '', /1 MiB stored for one user/);
      const { body } = await client.get<{ storedBytes: number; maxStoredBytes: number }>(
        '/users/current/storage',
      );
      assert.ok(body.storedBytes > 900_000 && body.storedBytes <= 2 ** 20 + 10_000);
      assert.equal(body.maxStoredBytes, 2 ** 20);
      assert.equal((await client.call('DELETE', `${TOKENS}/${made[0]}`)).status, 204);
      const again = await client.post(TOKENS, { scopes: ['read'], accountIds });
      assert.equal(again.status, 201, 'there is room again');
      const other = await newUser(address());
      assert.equal((await other.post(TOKENS, { accountIds })).status, 201, 'others have theirs');
    });

    type Kind = { kind: string; items: number; bytes: number };
    const kindsOf = async (client: Client): Promise<Record<string, number>> => {
      const { body } = await client.get<{ kinds: Kind[] }>('/users/current/storage');
      return Object.fromEntries(body.kinds.map(({ kind, items }) => [kind, items]));
    };
    const depositsOf = (count: number, from = 0): object[] =>
      Array.from({ length: count }, (_, n) => ({
        ...{ id: `d${from + n}`, type: 'DEAL_TYPE_BALANCE', profit: 5 },
        brokerTime: '2026-03-02 09:00:00',
      }));

    it('counts deals, hours and imports once, and gives them back when they go', async () => {
      const client = await newUser(address());
      const accountId = await newAccount(client);
      const deals = `/users/current/accounts/${accountId}/deals`;
      for (let times = 0; times < 2; times += 1)
        assert.equal((await client.post(deals, depositsOf(10))).status, 200);
      assert.equal((await client.call('DELETE', `${deals}/d0`)).status, 204);
      const file = 'ticket,position_id,time,type,entry,symbol,volume,price,commission,swap,profit';
      const imported = await client.post<{ id: string }>(
        `/users/current/accounts/${accountId}/statements`,
        `${file}\n9001,701,2025-03-03 09:00:10,0,0,EURUSD,0.1,1.08501,0,0,0`,
      );
      assert.equal(imported.status, 201, JSON.stringify(imported.body));
      const row = { accountId, balance: 50, equity: 50 };
      await client.post('/users/current/snapshots', [
        { ...row, brokerTime: '2026-03-02 10:00:00' },
        { ...row, brokerTime: '2026-03-02 11:00:00' },
        { ...row, brokerTime: '2026-03-02 12:00:00' },
        { ...row, brokerTime: '2026-03-02 10:30:00' },
      ]);
      const counted = { deal: 10, import: 1, hour: 2 };
      await until(async () => {
        const { deal, import: imports, hour } = await kindsOf(client);
        return JSON.stringify({ deal, import: imports, hour }) === JSON.stringify(counted);
      }, 'the facts to be counted');
      await client.call(
        'DELETE',
        `/users/current/accounts/${accountId}/imports/${imported.body.id}`,
      );
      await until(async () => {
        const { deal, import: imports } = await kindsOf(client);
        return deal === 9 && imports === 0;
      }, 'the import to be taken back');
      assert.equal(
        (await client.call('DELETE', `/users/current/accounts/${accountId}`)).status,
        204,
      );
      await until(async () => {
        const { deal, hour } = await kindsOf(client);
        return deal === 0 && hour === 0;
      }, 'what the account had to be removed');
    });

    it('a full user adds no more facts, but is watched as before', async () => {
      const client = await newUser(address());
      const accountId = await newAccount(client);
      const deals = `/users/current/accounts/${accountId}/deals`;
      assert.equal((await client.post(deals, depositsOf(1100))).status, 200);
      const more = await client.post<{ message?: string }>(deals, depositsOf(1, 2000));
      assert.equal(more.status, 403);
      assert.match(more.body.message ?? '', /1 MiB stored for one user/);
      const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
      const row = { accountId, balance: 5, equity: 5 };
      const send = async (brokerTime: string): Promise<number> =>
        (await client.post('/users/current/snapshots', [{ ...row, brokerTime }])).status;
      assert.equal(await send('2020-01-01 00:00:00'), 403, 'an hour of long ago');
      assert.equal(await send(now), 200);
      const quotas =
        await client.get<{ maxStoredBytes?: { usageInPercents: number } }[]>(
          '/users/current/quotas',
        );
      assert.ok((quotas.body[0]?.maxStoredBytes?.usageInPercents ?? 0) > 100);
      const users = await new Client(address(), ADMIN_TOKEN).get<
        { id: string; storedBytes: number }[]
      >('/admin/users');
      const listed = users.body.find(({ id }) => id === client.userId);
      assert.ok((listed?.storedBytes ?? 0) > 1_100_000);
    });

    it('counts programs, templates and webhooks without reading them', async () => {
      const client = await newUser(address());
      const rule = { period: 'date', relativeDrawdownThreshold: 0.05 };
      for (const name of ['a', 'b']) {
        const path = `/users/current/rule-templates/${name}`;
        assert.equal((await client.call('PUT', path, { rule })).status, 204);
        assert.equal((await client.call('DELETE', path)).status, 204);
      }
      const admin = new Client(address(), ADMIN_TOKEN);
      assert.ok(admin);
      const hooks: string[] = [];
      for (let n = 0; n < 20; n += 1) {
        const url = `https://hooks.example.com/${n}`;
        const made = await client.post<{ id: string }>('/users/current/webhooks', { url });
        assert.equal(made.status, 201);
        hooks.push(made.body.id);
      }
      const url = 'https://hooks.example.com/y';
      assert.equal((await client.post('/users/current/webhooks', { url })).status, 409);
      await client.call('DELETE', `/users/current/webhooks/${hooks[0]}`);
      assert.equal((await client.post('/users/current/webhooks', { url })).status, 201);
    });
  });
}
