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
import { metricsOf } from '../servers/server-metrics.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Entry = {
  action: string;
  details: Record<string, unknown>;
  actorEmail?: string;
  userEmail?: string;
  accountName?: string;
};
type Event = { kind: string };

for (const kind of testedOn()) {
  describe(`an account whose last limit is deleted on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    it('has an event, is counted, and the audit shows who deleted which limit', async () => {
      const id = await newAccount(client, { name: 'Challenge', brokerClock: { zone: 'UTC' } });
      const account = `/users/current/accounts/${id}`;
      const add = async (name: string): Promise<string> => {
        const limit = { name, period: 'lifetime', absoluteDrawdownThreshold: 500 };
        const made = await client.post<{ id: string }>(`${account}/trackers`, limit);
        assert.equal(made.status, 201, JSON.stringify(made.body));
        return made.body.id;
      };
      const [first, second] = [await add('First'), await add('Second')];
      const brokerTime = new Date().toISOString().replace('T', ' ').slice(0, 23);
      await client.post('/users/current/snapshots', [
        { accountId: id, brokerTime, balance: 10_000, equity: 10_000 },
      ]);
      const events = async (): Promise<string[]> => {
        const path = `/users/current/tracker-events/stream?accountId=${id}&wait=0`;
        return (await client.get<Event[]>(path)).body.map((event) => event.kind);
      };
      await client.call('DELETE', `${account}/trackers/${first}`);
      await client.get(`${account}/standing`);
      assert.deepEqual(await events(), []);
      await client.call('DELETE', `${account}/trackers/${second}`);
      await until(async () => (await events()).length > 0, 'the event');
      assert.deepEqual(await events(), ['unwatched']);
      const unwatched = /plimsoll_accounts\{state="unwatched"\} 1/;
      const { address } = running.server;
      await until(async () => unwatched.test(await metricsOf(address)), 'the count');
      assert.match(
        await metricsOf(address),
        new RegExp(`plimsoll_user_request_seconds_total\\{user="${client.userId}"\\} `),
      );
      const operator = new Client(address, ADMIN_TOKEN);
      const path = `/admin/audit?accountId=${id}&action=tracker`;
      const { body } = await operator.get<Entry[]>(path);
      assert.deepEqual(
        body.map(({ action, details, accountName }) => [
          ...[action, details.absoluteDrawdownThreshold, accountName],
        ]),
        ['deleted', 'deleted', 'created', 'created'].map((word) => [
          ...[`tracker.${word}`, 500, 'Challenge'],
        ]),
      );
      const [newest] = body;
      assert.ok(newest?.actorEmail);
      assert.equal(newest.actorEmail, newest.userEmail);
    });
  });
}
