import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
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
  assignee?: string;
  entries: Entry[];
  events: { sequenceNumber: number }[];
};
const PATH = '/users/current/incidents';

for (const kind of ['sqlite', 'postgres'] as const) {
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
      assert.equal(answer.status, 204, JSON.stringify(answer.body));
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
