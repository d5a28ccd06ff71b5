import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { movedClock } from '../servers/moved-clock.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Event = { sequenceNumber: number; kind: string; brokerTime: string; silentSeconds?: number };

for (const kind of testedOn()) {
  describe(`silent feeds on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      running = await startOn(kind, {
        LOG_LEVEL: 'warn',
        ...movedClock(400_000, { onSignal: true }),
      });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    it('reports a silent feed once, and its return once, but not as drawdowns', async () => {
      const id = await newAccount(client);
      const account = `/users/current/accounts/${id}`;
      const changed = await client.call('PATCH', account, { silentAfterSeconds: 60 });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const standing = async () =>
        (await client.get<{ state: string; clockOffsetSeconds: number }>(`${account}/standing`))
          .body;
      const passTime = () => running.server.process.kill('SIGUSR2');
      const see = (brokerTime: string) =>
        client.post('/users/current/snapshots', [
          { accountId: id, brokerTime, balance: 10_000, equity: 10_000 },
        ]);
      await see('2026-03-02 10:00:00');
      await until(async () => (await standing()).state === 'live', 'a snapshot that came in');
      // Whatever its broker time is.
      assert.ok((await standing()).clockOffsetSeconds < -1000);
      passTime();
      assert.equal((await standing()).state, 'stale');
      const told = async (count: number): Promise<Event[]> => {
        const path = `/users/current/tracker-events/stream?accountId=${id}&wait=0`;
        let events: Event[] = [];
        await until(async () => {
          events = (await client.get<Event[]>(path)).body;
          return events.length >= count;
        }, `${count} events`);
        return events;
      };
      const [silence] = await told(1);
      assert.deepEqual(
        [silence?.kind, silence?.brokerTime],
        ['silence', '2026-03-02 10:00:00.000'],
      );
      await see('2026-03-02 10:05:00');
      const [, back] = await told(2);
      assert.deepEqual([back?.kind, back?.brokerTime], ['return', '2026-03-02 10:05:00.000']);
      assert.ok(Number(back?.silentSeconds) > 400);
      passTime();
      const [, , again] = await told(3);
      assert.deepEqual([again?.kind, again?.brokerTime], ['silence', '2026-03-02 10:05:00.000']);
      const drawdowns = `/users/current/drawdown-events/stream?accountId=${id}&wait=0`;
      assert.deepEqual((await client.get<Event[]>(drawdowns)).body, []);
      await client.call('PATCH', account, { silentAfterSeconds: 0 });
      const { body } = await client.get<{ silentAfterSeconds: number }>(account);
      assert.equal(body.silentAfterSeconds, 0);
    });
  });
}
