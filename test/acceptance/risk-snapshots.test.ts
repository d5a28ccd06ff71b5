import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

const PATH = '/users/current/snapshots';
const NDJSON = { 'content-type': 'application/x-ndjson' };

type Chart = { startBrokerTime: string; lastEquity: number; minEquity: number }[];
type Fault = { parameter: string; message: string };
type ErrorBody = { error: string; details: Fault[] };

const row = (accountId: string, time: string, equity = 10_000, balance = 10_000) => ({
  accountId,
  brokerTime: `2026-03-02 ${time}`,
  balance,
  equity,
});

for (const kind of testedOn()) {
  describe(`snapshots on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    before(async () => {
      const port = String(await freePort());
      running = await startOn(kind, { LOG_LEVEL: 'warn', PORT: port });
      client = await newUser(running.server.address);
    });
    after(async () => {
      await running.server.stop();
      await running.close();
    });

    const chartOf = (id: string): Promise<Chart> => {
      const range = 'startTime=2026-03-02 00:00:00&endTime=2026-03-03 00:00:00&realTime=true';
      return client.asOfNow<Chart>(`/users/current/accounts/${id}/equity-chart?${range}`);
    };

    it('takes NDJSON and arrays of many accounts and shows them in their charts', async () => {
      const [first, second] = [await newAccount(client), await newAccount(client)];
      const rows = [
        row(first, '10:00:00.000'),
        row(second, '10:00:00'),
        row(first, '11:05:00.500', 9_900),
      ];
      const lines = rows.map((one) => JSON.stringify(one)).join('\n');
      const sent = await client.post(PATH, `${lines}\n\n`, NDJSON);
      assert.deepEqual([sent.status, sent.body], [200, { accepted: 3, late: 0 }]);
      const array = await client.post(PATH, [row(second, '12:00:00', 9_000)]);
      assert.deepEqual(array.body, { accepted: 1, late: 0 });
      const chart = await chartOf(first);
      assert.deepEqual(
        chart.map(({ startBrokerTime, lastEquity }) => [startBrokerTime, lastEquity]),
        [
          ['2026-03-02 10:00:00.000', 10_000],
          ['2026-03-02 11:00:00.000', 9_900],
        ],
      );
      assert.equal((await chartOf(second)).length, 2);
    });

    it('counts late rows, and rows sent again change nothing', async () => {
      const id = await newAccount(client);
      const rows = [row(id, '10:00:00'), row(id, '12:00:00', 9_500), row(id, '11:00:00', 9_000)];
      assert.deepEqual((await client.post(PATH, rows)).body, { accepted: 3, late: 1 });
      const chart = await chartOf(id);
      const again = await client.post(PATH, rows);
      assert.equal(again.status, 200);
      assert.deepEqual(await chartOf(id), chart);
    });

    it('answers a known Idempotency-Key alike and refuses it for other rows', async () => {
      const id = await newAccount(client);
      const key = { 'idempotency-key': 'once' };
      const rows = [row(id, '10:00:00'), row(id, '09:00:00')];
      const first = await client.post(PATH, rows, key);
      assert.deepEqual(first.body, { accepted: 2, late: 1 });
      assert.deepEqual((await client.post(PATH, rows, key)).body, first.body);
      const other = await client.post(PATH, [row(id, '11:00:00')], key);
      assert.equal(other.status, 409);
      assert.equal((await chartOf(id)).length, 2);
    });

    it('answers a known Idempotency-Key alike when an account of it has gone since', async () => {
      const [id, gone] = [await newAccount(client), await newAccount(client)];
      const rows = [row(id, '10:00:00'), row(gone, '10:00:00')];
      const key = { 'idempotency-key': 'once, before' };
      const first = await client.post(PATH, rows, key);
      await client.call('DELETE', `/users/current/accounts/${gone}`);
      const { status, body } = await client.post(PATH, rows, key);
      assert.deepEqual([status, body], [200, first.body]);
      const without = await client.post(PATH, rows, { 'idempotency-key': 'another' });
      assert.equal(without.status, 404);
    });

    it('names every fault with its row and stores nothing', async () => {
      const id = await newAccount(client);
      const future = new Date(Date.now() + 3 * 86_400_000).toISOString().replace('T', ' ');
      const bad: unknown[] = [
        row(id, '10:00:00'),
        { ...row(id, '25:00:00'), balance: '1' },
        { accountId: id, brokerTime: '2026-02-30 10:00:00', balance: 1, equity: 1, extra: 1 },
        17,
        { ...row(id, '10:00:00'), deals: [{ id: 'a' }] },
        { ...row(id, '10:00:00'), equity: 1e15, margin: 'x' },
      ];
      const answer = await client.post<ErrorBody>(PATH, bad);
      assert.equal(answer.status, 400);
      const named = new Set(answer.body.details.map(({ parameter }) => parameter));
      for (const name of [
        '[1].brokerTime',
        '[1].balance',
        '[2].brokerTime',
        '[2].extra',
        '[3]',
        '[5].equity',
        '[5].margin',
      ]) {
        assert.ok(named.has(name), `${name} in ${[...named]}`);
      }
      assert.ok([...named].some((name) => name.startsWith('[4].deals[0]')));
      const ahead = await client.post<ErrorBody>(PATH, [
        { ...row(id, '10:00:00'), brokerTime: future.slice(0, 23) },
      ]);
      assert.deepEqual([ahead.status, ahead.body.details[0]?.parameter], [400, '[0].brokerTime']);
      const lines = await client.post<ErrorBody>(PATH, '{"a":1}\nnot json\n{', NDJSON);
      assert.deepEqual(
        lines.body.details.map(({ parameter }) => parameter),
        [
          ...['[0].a', '[0].accountId', '[0].brokerTime', '[0].balance', '[0].equity'],
          ...['[1]', '[2]'],
        ],
      );
      assert.equal((await client.post(PATH, 'not json at all')).status, 400);
      assert.equal((await client.post(PATH, {})).status, 400);
      assert.deepEqual(await chartOf(id), []);
    });

    it('hides accounts of others and those that the token does not reach', async () => {
      const stranger = await newUser(running.server.address);
      const [own, strange] = [await newAccount(client), await newAccount(stranger)];
      const answer = await client.post<ErrorBody>(PATH, [
        row(own, '10:00:00'),
        row(strange, '10:00:00'),
        row('nobody', '10:00:00'),
      ]);
      assert.equal(answer.status, 404);
      assert.deepEqual(
        answer.body.details.map(({ parameter }) => parameter),
        ['[1].accountId', '[2].accountId'],
      );
      assert.deepEqual(await chartOf(own), []);
      const readOnly = await newUser(running.server.address, { scopes: ['read'] });
      assert.equal((await readOnly.post(PATH, [])).status, 403);
      assert.equal((await client.post(PATH, Array(10_001).fill(row(own, '10:00:00')))).status, 413);
    });

    it('takes known and new accounts in one request after another account was deleted', async () => {
      const [known, gone] = [await newAccount(client), await newAccount(client)];
      assert.equal((await client.post(PATH, [row(known, '10:00:00')])).status, 200);
      const fresh = await newAccount(client);
      const deleted = await client.call('DELETE', `/users/current/accounts/${gone}`);
      assert.equal(deleted.status, 204);
      const rows = [row(fresh, '10:00:01'), row(known, '10:00:01')];
      const sent = await client.post(PATH, rows);
      assert.deepEqual([sent.status, sent.body], [200, { accepted: 2, late: 0 }]);
    });

    it('takes withdrawals with their snapshot and deals once only', async () => {
      const id = await newAccount(client);
      const tracker = await client.post<{ id: string }>(`/users/current/accounts/${id}/trackers`, {
        name: 'daily',
        period: 'date',
        relativeDrawdownThreshold: 0.05,
      });
      assert.equal(tracker.status, 201);
      const deal = {
        id: 'w1',
        type: 'DEAL_TYPE_BALANCE',
        profit: -5000,
        brokerTime: '2026-03-02 10:30:00',
      };
      const withdrawn = { ...row(id, '10:30:00', 5_000, 5_000), deals: [deal] };
      await client.post(PATH, [row(id, '10:00:00'), withdrawn]);
      const known = await client.post(`/users/current/accounts/${id}/deals`, [deal]);
      assert.deepEqual(known.body, { accepted: 0, duplicates: 1 });
      const path = `/users/current/accounts/${id}/trackers/${tracker.body.id}/statistics`;
      type Period = { maxAbsoluteDrawdown: number; initialBalance: number };
      const [period] = await client.asOfNow<Period[]>(`${path}?realTime=true`);
      assert.equal(period?.maxAbsoluteDrawdown, 0);
      assert.equal(period?.initialBalance, 10_000);
    });

    it('applies deals that come together in the order of their times', async () => {
      const tracker = { name: 'whole', period: 'lifetime', relativeDrawdownThreshold: 0.05 };
      const depositAt = (time: string) => ({
        id: time,
        type: 'DEAL_TYPE_BALANCE',
        profit: 5000,
        brokerTime: `2026-03-02 ${time}`,
      });
      const times = ['10:30:00.000', '10:00:00.000', '10:15:00.000'];
      const deals = times.map(depositAt);
      for (const isWithSnapshot of [false, true]) {
        const id = await newAccount(client);
        await client.post(PATH, [row(id, '09:00:00')]);
        const trackers = `/users/current/accounts/${id}/trackers`;
        const made = await client.post<{ id: string }>(trackers, tracker);
        if (!isWithSnapshot) {
          const sent = await client.post(`/users/current/accounts/${id}/deals`, deals);
          assert.deepEqual(sent.body, { accepted: 3, duplicates: 0 });
        }
        const more = isWithSnapshot ? { deals } : {};
        await client.post(PATH, [{ ...row(id, '11:00:00'), ...more }]);
        const statistics = `${trackers}/${made.body.id}/statistics?realTime=true`;
        const periods = await client.asOfNow<{ startBrokerTime: string }[]>(statistics);
        assert.deepEqual(
          periods.map(({ startBrokerTime }) => startBrokerTime),
          ['2026-03-02 10:00:00.000'],
        );
      }
    });

    it('takes 10 000 rows at once in their order, with a key or without', async () => {
      const id = await newAccount(client);
      for (const [hour, headers] of [
        ['10', NDJSON],
        ['11', { ...NDJSON, 'idempotency-key': 'many' }],
      ] as const) {
        const lines = Array.from({ length: 10_000 }, (_, at) => {
          const seconds = (at / 1000).toFixed(3).padStart(6, '0');
          return JSON.stringify(row(id, `${hour}:00:${seconds}`, 10_000 + at / 100));
        });
        const sent = await client.post(PATH, lines.join('\n'), headers);
        assert.deepEqual([sent.status, sent.body], [200, { accepted: 10_000, late: 0 }]);
      }
      assert.deepEqual(
        (await chartOf(id)).map(({ lastEquity, minEquity }) => [lastEquity, minEquity]),
        [
          [10_099.99, 10_000],
          [10_099.99, 10_000],
        ],
      );
    });

    it('loses nothing acknowledged when killed', async () => {
      const id = await newAccount(client);
      await client.post(PATH, [row(id, '10:00:00'), row(id, '11:00:00', 9_999)]);
      const port = new URL(running.server.address).port;
      await running.server.kill();
      running.server = await startPlimsoll({
        ...running.database.environment,
        LOG_LEVEL: 'warn',
        PORT: port,
      });
      assert.deepEqual(
        (await chartOf(id)).map(({ lastEquity }) => lastEquity),
        [10_000, 9_999],
      );
    });
  });
}
