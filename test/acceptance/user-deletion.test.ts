import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { assertAuditFits } from '../servers/audit-fits.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const SNAPSHOTS = '/users/current/snapshots';
const TRACKER = { name: 'daily', period: 'day', relativeDrawdownThreshold: 0.05 };
const START = Date.UTC(2026, 2, 2, 10);

/** Everything that can hold data of a user. */
const TABLES = [
  ...['account', 'access_token', 'account_count', 'provisioning_profile', 'webhook', 'program'],
  ...['event_seal', 'tracker_event', 'quota_request', 'user_quota', 'ingest_receipt'],
  ...['user_document'],
] as const;

type Owner = Client & { userId: string };
type Desk = { user: Owner; accountIds: string[] };

const rowsOf = (accountIds: string[], second: number, equity: number) =>
  accountIds.map((accountId) => ({
    ...{ accountId, balance: 10_000, equity },
    brokerTime: new Date(START + second * 1000).toISOString().slice(0, 19).replace('T', ' '),
  }));

for (const kind of testedOn()) {
  describe(`deleting a user on ${kind}`, () => {
    let database: TestDatabase;
    let server: PlimsollProcess;
    let admin: Client;
    const start = async (settings: Record<string, string> = {}): Promise<void> => {
      server = await startPlimsoll({ ...database.environment, ...settings });
      admin = new Client(server.address, ADMIN_TOKEN);
    };
    before(async () => {
      database = await openTestDatabase(kind);
      await start();
    });
    after(async () => {
      await server.stop();
      await database.close();
    });

    /** A user with something of everything: accounts that broke a limit, a webhook, a profile. */
    const openDesk = async ({ isSealed = true } = {}): Promise<Desk> => {
      const user = await newUser(server.address);
      const accountIds = [await newAccount(user), await newAccount(user)];
      for (const id of accountIds) {
        const made = await user.post(`/users/current/accounts/${id}/trackers`, TRACKER);
        assert.equal(made.status, 201);
      }
      const profile = { name: 'p5', platform: 'p5', kind: 'simulated' };
      assert.equal((await user.post('/users/current/provisioning-profiles', profile)).status, 201);
      const webhook = { url: 'https://hooks.example.com/x' };
      assert.equal((await user.post('/users/current/webhooks', webhook)).status, 201);
      const view = await user.call('PUT', '/users/current/account-views/near', { filter: 'near' });
      assert.ok(view.status < 300, JSON.stringify(view.body));
      const key = { 'idempotency-key': 'first' };
      assert.equal((await user.post(SNAPSHOTS, rowsOf(accountIds, 0, 10_000), key)).status, 200);
      assert.equal((await user.post(SNAPSHOTS, rowsOf(accountIds, 1, 9000))).status, 200);
      // Sealed, so that nothing more of it is stored.
      const path = '/users/current/tracker-events/seals';
      const sealed = async () => (await user.get<{ seals: unknown[] }>(path)).body.seals.length;
      await until(async () => (await sealed()) === (isSealed ? 2 : 0), 'sealed events');
      return { user, accountIds };
    };
    /** Tables that hold data of a user. */
    const tablesOf = async (userId: string): Promise<string[]> => {
      const found: string[] = [];
      for (const table of TABLES) {
        const sql = `select 1 as one from ${table} where user_id = $1 limit 1`;
        if (await database.database.get(sql, [userId])) found.push(table);
      }
      return found;
    };
    const remove = (userId: string) => admin.call('DELETE', `/admin/users/${userId}`);
    const usersOf = async () =>
      (await admin.get<{ id: string; email: string }[]>('/admin/users')).body;

    it('ends everything of the user while snapshots come in, and nothing of another', async () => {
      const [gone, stays] = [await openDesk(), await openDesk()];
      const before = await tablesOf(stays.user.userId);
      const statuses = new Set<number>();
      let sent = 1;
      const feeding = until(async () => {
        sent += 1;
        const rows = rowsOf(gone.accountIds, sent, 9000 - sent);
        const { status } = await gone.user.post(SNAPSHOTS, rows);
        statuses.add(status);
        return status === 401;
      }, 'the refusal of a snapshot');
      await until(() => sent > 3, 'a running feed');
      const stream = await fetch(`${gone.user.address}/users/current/tracker-events/live`, {
        headers: { 'auth-token': gone.user.token ?? '' },
      });
      const streamed = stream.text();
      const { email } = (await usersOf()).find(({ id }) => id === gone.user.userId) ?? {};
      assert.equal((await remove(gone.user.userId)).status, 204);
      assert.equal((await gone.user.get('/users/current/accounts')).status, 401);
      assert.equal((await remove(gone.user.userId)).status, 404);
      assert.ok((await usersOf()).every(({ id }) => id !== gone.user.userId));
      const again = await admin.post<{ id: string }>('/admin/users', { email });
      assert.equal(again.status, 201);
      assert.notEqual(again.body.id, gone.user.userId);
      await feeding;
      // A snapshot on its way at that moment may meet accounts that are gone already.
      assert.deepEqual(
        [...statuses].filter((status) => ![200, 401, 404].includes(status)),
        [],
      );
      await until(async () => (await tablesOf(gone.user.userId)).length === 0, 'an empty database');
      assert.match(await streamed, /event: closed\ndata: {"reason":"token-ended"}\n\n$/);
      assert.deepEqual(await tablesOf(stays.user.userId), before);
      const sentOn = await stays.user.post(SNAPSHOTS, rowsOf(stays.accountIds, 2, 8999));
      assert.equal(sentOn.status, 200);
      const events = await stays.user.get<unknown[]>('/users/current/drawdown-events/stream');
      assert.equal(events.body.length, 2);
      assert.ok((await usersOf()).some(({ id }) => id === again.body.id));
    });

    it('is audited, with who did it and how much was removed', async () => {
      const { user } = await openDesk();
      assert.equal((await remove(user.userId)).status, 204);
      type Entry = { action: string; actor: string; details: object };
      const path = `/admin/audit?userId=${user.userId}`;
      const { body } = await admin.get<Entry[]>(path);
      const entry = body.find(({ action }) => action === 'user.deleted');
      assert.equal(entry?.actor, 'operator');
      const { email: _, ...counts } = entry.details as Record<string, unknown>;
      assert.deepEqual(counts, { accounts: 2, tokens: 1, profiles: 1, webhooks: 1 });
      await assertAuditFits(admin);
    });

    it('continues after the process was killed', async () => {
      await server.stop();
      await start({ PLIMSOLL_ROLES: 'api,engine' });
      const { user } = await openDesk({ isSealed: false });
      assert.equal((await remove(user.userId)).status, 204);
      // Without the role jobs nothing of it is removed yet, but it is hidden.
      assert.ok((await tablesOf(user.userId)).includes('account'));
      assert.equal((await admin.get(`/admin/users/${user.userId}/tokens`)).status, 404);
      await server.kill();
      await start();
      await until(async () => (await tablesOf(user.userId)).length === 0, 'an empty database');
    });
  });
}
