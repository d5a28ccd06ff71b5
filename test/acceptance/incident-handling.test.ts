import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Entry = { kind: string; words?: string };
type Incident = {
  id: number;
  version: string;
  assignee?: string;
  entries: Entry[];
  events: { sequenceNumber: number }[];
};
const PATH = '/users/current/incidents';

for (const kind of testedOn()) {
  describe(`handling of incidents on ${kind}`, () => {
    let running: TestServer;
    let client: Client;
    let accountId: string;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());

    /** Breaks limits of an account of a new user, all at one moment. */
    const incidentOf = async (limits: number): Promise<Incident> => {
      client = await newUser(running.server.address, {
        ...{ name: 'Anna', scopes: ['read', 'write', 'ingest', 'admin'] },
      });
      accountId = await newAccount(client);
      for (let n = 0; n < limits; n += 1) {
        await client.post(`/users/current/accounts/${accountId}/trackers`, {
          ...{ name: `Limit ${n}`, period: 'lifetime', relativeDrawdownThreshold: 0.1 },
        });
      }
      const row = { accountId, balance: 10_000 };
      await client.post('/users/current/snapshots', [
        { ...row, brokerTime: '2026-03-02 10:00:00', equity: 10_000 },
        { ...row, brokerTime: '2026-03-02 11:00:00', equity: 8500 },
      ]);
      let found: Incident | undefined;
      await until(async () => {
        found = await newest();
        return found?.events.length === limits;
      }, 'the incident');
      assert.ok(found);
      return found;
    };
    const newest = async (): Promise<Incident | undefined> =>
      (await client.get<{ incidents: Incident[] }>(`${PATH}?state=all`)).body.incidents[0];
    const handle = async (ids: number[], handling: Record<string, unknown>): Promise<void> => {
      const answer = await client.call('PATCH', PATH, { ids, ...handling });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const noted = async (): Promise<string[]> => {
      const audit = await client.get<{ action: string }[]>(`/admin/audit?accountId=${accountId}`);
      const own = audit.body.filter(({ action }) => action.startsWith('incident.'));
      return own.map(({ action }) => action).reverse();
    };
    const done = async (): Promise<(string | undefined)[][]> =>
      ((await newest())?.entries ?? []).map(({ kind, words }) => [kind, words]);

    it('does not repeat actions, and the audit does not mention them', async () => {
      const { id } = await incidentOf(1);
      await handle([id], { assignee: '' });
      assert.deepEqual(await done(), [], 'nobody had it, so nobody gave it back');
      await handle([id], { assignee: 'Anna', acknowledged: true });
      await handle([id], { assignee: ' Anna ', acknowledged: true });
      await handle([id], { assignee: '', acknowledged: false });
      await handle([id], { assignee: '', acknowledged: false });
      await handle([id], { assignee: 'Anna' });
      assert.deepEqual(await done(), [
        ['assigned', 'Anna'],
        ['acknowledged', undefined],
        ['assigned', undefined],
        ['reopened', undefined],
        ['assigned', 'Anna'],
      ]);
      assert.deepEqual(
        await noted(),
        (await done()).map(([kind]) => `incident.${kind}`),
      );
    });

    it('assigns it once if two screens assign it at once', async () => {
      const { id } = await incidentOf(1);
      await Promise.all(Array.from({ length: 8 }, () => handle([id], { assignee: 'Anna' })));
      assert.deepEqual(await done(), [['assigned', 'Anna']]);
      assert.deepEqual(await noted(), ['incident.assigned']);
    });

    it('changes nothing that is not as it was seen, and names it', async () => {
      const { id, version } = await incidentOf(1);
      const handled = await client.call<{ incidents: Incident[] }>('PATCH', PATH, {
        ...{ ids: [id], versions: [version], assignee: 'Ben' },
      });
      const now = (await newest())?.version;
      assert.notEqual(now, version);
      assert.deepEqual(handled.body.incidents, [{ id, version: now }]);
      type Refusal = { message: string; details: { parameter: string }[] };
      const late = { ids: [id], versions: [version], assignee: 'Anna', acknowledged: true };
      const refused = await client.call<Refusal>('PATCH', PATH, late);
      assert.equal(refused.status, 409);
      assert.match(refused.body.message, /^Changed since you read it: Incident \d+ is at 1-\d+\./);
      assert.deepEqual(
        refused.body.details.map(({ parameter }) => parameter),
        ['ids[0]'],
      );
      assert.deepEqual(await done(), [['assigned', 'Ben']]);
      const again = await client.call('PATCH', PATH, { ...late, versions: [now] });
      assert.equal(again.status, 200);
      assert.equal((await newest())?.assignee, 'Anna');
    });

    it('wants a version for each incident, or none', async () => {
      const { id, version } = await incidentOf(1);
      for (const versions of [[], [version, version], ['1']]) {
        const asked = { ids: [id], versions, acknowledged: true };
        assert.equal((await client.call('PATCH', PATH, asked)).status, 400, versions.join());
      }
    });

    it('is at another version once a revision of it is known', async () => {
      client = await newUser(running.server.address);
      accountId = await newAccount(client, { brokerClock: { zone: 'UTC' } });
      const path = `/users/current/accounts/${accountId}`;
      await client.post(`${path}/trackers`, {
        ...{ name: 'Limit', period: 'lifetime', relativeDrawdownThreshold: 0.1 },
      });
      const nowMs = Date.now();
      const at = (minutes: number): string => formatBrokerTime(nowMs + minutes * 60_000);
      await client.post('/users/current/snapshots', [
        { accountId, brokerTime: at(-3), balance: 10_000, equity: 10_000 },
        { accountId, brokerTime: at(-2), balance: 8000, equity: 8000 },
      ]);
      let seen: Incident | undefined;
      await until(async () => {
        seen = await newest();
        return seen !== undefined;
      }, 'the incident');
      const paidOut = { id: 'out', type: 'DEAL_TYPE_BALANCE', profit: -2000, brokerTime: at(-2.5) };
      await client.post(`${path}/deals`, [paidOut]);
      await until(async () => (await newest())?.version !== seen?.version, 'its revision');
      const late = { ids: [seen?.id], versions: [seen?.version], acknowledged: true };
      assert.equal((await client.call('PATCH', PATH, late)).status, 409);
      assert.deepEqual(await done(), []);
    });

    it('handles an incident once that is named by several of its events', async () => {
      const { events } = await incidentOf(2);
      const ids = events.map(({ sequenceNumber }) => sequenceNumber);
      await handle(ids, { assignee: 'Ben', note: 'Called', acknowledged: true });
      assert.deepEqual(await done(), [
        ['assigned', 'Ben'],
        ['noted', 'Called'],
        ['acknowledged', undefined],
      ]);
    });
  });
}
