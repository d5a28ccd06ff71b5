import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatBrokerTime, MINUTE_MS, startOfMinute } from '../../src/domain/broker-time.ts';
import { needs, testedOn } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import { newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';

needs('postgres', 'server');

type Minute = { startBrokerTime: string; brokerTime: string; minEquity: number };
type Refusal = { details: { parameter: string; message: string }[] };

for (const kind of testedOn()) {
  describe(`a chart of minutes on ${kind}`, () => {
    it('has every snapshot that was acknowledged, although the server was killed', async () => {
      await using stack = new AsyncDisposableStack();
      const stored = await openTestDatabase(kind);
      stack.defer(() => stored.close());
      const environment = { ...stored.environment, PORT: String(await freePort()) };
      let server = await startPlimsoll(environment);
      stack.defer(() => server.kill());
      const client = await newUser(server.address);
      const accountId = await newAccount(client, { brokerClock: { zone: 'UTC' } });
      const firstMs = startOfMinute(Date.now()) - 30 * MINUTE_MS;
      const chart = `/users/current/accounts/${accountId}/equity-chart`;
      const send = async (minute: number, equity: number): Promise<void> => {
        const brokerTime = formatBrokerTime(firstMs + minute * MINUTE_MS);
        const row = { accountId, brokerTime, balance: 10_000, equity };
        const sent = await client.post('/users/current/snapshots', [row]);
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
      };
      for (let minute = 0; minute < 20; minute += 1) {
        if (minute % 5 !== 3) await send(minute, 10_000 - minute);
        if (minute % 8 === 7) {
          await server.kill();
          server = await startPlimsoll(environment);
        }
      }
      await send(8, 9_000);
      const minutes = await client.asOfNow<Minute[]>(`${chart}?resolution=minute&realTime=true`);
      assert.deepEqual(
        minutes.map(({ brokerTime, minEquity }) => [brokerTime, minEquity]),
        [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 19].map((minute) => [
          formatBrokerTime(firstMs + minute * MINUTE_MS),
          minute === 8 ? 9_000 : 10_000 - minute,
        ]),
      );
      const refused = await client.get<Refusal>(`${chart}?resolution=second`);
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.body.details, [
        { parameter: 'resolution', message: 'must be one of hour, minute' },
      ]);
      const stranger = await newUser(server.address);
      assert.equal((await stranger.get(`${chart}?resolution=minute`)).status, 404);
      const hours = await client.asOfNow<object[]>(`${chart}?realTime=true`);
      assert.ok(hours.length <= 2 && hours.every((hour) => 'averageEquity' in hour));
    });
  });
}
