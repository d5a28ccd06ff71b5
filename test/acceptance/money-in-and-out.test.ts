import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type Drawdown = { deepest: number; gain: number; points: { below: number }[] };
type Metrics = { gain: number; risk: { maxDrawdown: number } };

/** Snapshots are seldom here, so that money moves between them and the ends of hours and days. */
for (const kind of testedOn()) {
  describe(`money paid in or out is neither gain nor loss, on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());

    const booked = (id: string, brokerTime: string, profit: number) => ({
      ...{ id, type: 'DEAL_TYPE_BALANCE', brokerTime: `2026-03-${brokerTime}`, profit },
    });
    const push = async (accountId: string, ...all: readonly [string, number][]) => {
      const rows = all.map(([time, equity]) => ({
        ...{ accountId, brokerTime: `2026-03-${time}`, balance: equity, equity },
      }));
      const sent = await user.post('/users/current/snapshots', rows);
      assert.equal(sent.status, 200);
    };
    const addDeals = async (id: string, deals: readonly object[]) => {
      const sent = await user.post(`/users/current/accounts/${id}/deals`, deals);
      assert.ok(sent.status < 300, JSON.stringify(sent.body));
    };
    const read = <T>(id: string, what: string): Promise<T> =>
      user.asOfNow<T>(`/users/current/accounts/${id}/${what}`);

    it('counts a withdrawal after the last snapshot of an hour in the hour that shows it', async () => {
      const id = await newAccount(user);
      await addDeals(id, [
        booked('1', '02 09:00:00', 10_000),
        booked('2', '02 12:43:00', -5000),
        booked('3', '02 23:55:00', -1000),
      ]);
      await push(id, ['02 10:13:00', 10_000], ['02 12:13:00', 10_000], ['02 13:13:00', 5000]);
      await push(id, ['02 23:13:00', 5000], ['03 00:13:00', 4000], ['04 00:13:00', 4000]);
      const range = 'startTime=2026-03-01 00:00:00&endTime=2026-03-10 00:00:00';
      const { deepest, gain, points } = await read<Drawdown>(id, `equity-drawdown?${range}`);
      assert.deepEqual([deepest, gain, points.length], [0, 0, 6]);
      const { risk } = await read<Metrics>(id, 'metrics');
      assert.equal(risk.maxDrawdown, 0);
    });

    it('counts the deposit of a new account as no loss of its first day', async () => {
      const id = await newAccount(user);
      await addDeals(id, [booked('1', '02 10:05:00', 10_000)]);
      await push(id, ['02 10:06:00', 10_000], ['02 10:50:00', 9900]);
      const { dayProfit } = await read<{ dayProfit: number }>(id, 'standing');
      assert.equal(dayProfit, -100);
      assert.equal((await read<Drawdown>(id, 'equity-drawdown')).deepest, 0.01);
    });

    it('counts a withdrawal after the last snapshot as no result of open positions', async () => {
      const id = await newAccount(user);
      await addDeals(id, [booked('1', '02 09:00:00', 10_000), booked('2', '02 11:00:00', -5000)]);
      await push(id, ['02 10:30:00', 10_000]);
      const { gain } = await read<Metrics>(id, 'metrics?includeOpenPositions=true');
      assert.equal(gain, 0);
    });
  });
}
