import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { fc } from '../properties.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type Preview = {
  seenBy?: string;
  periods: { startBrokerTime: string; maxAbsoluteDrawdown: number }[];
  events: { brokerTime: string; absoluteDrawdown: number }[];
};
type Closed = { brokerTime: string; profit: number };

const RULE = { name: 'preview', period: 'date', absoluteDrawdownThreshold: 500 };
const PAID = 10_000;
const path = (id: string) => `/users/current/accounts/${id}`;
const DEPOSIT = {
  ...{ id: 'd', type: 'DEAL_TYPE_BALANCE', profit: PAID },
  brokerTime: '2026-03-01 00:00:00',
};
const dealOf = ({ brokerTime, profit }: Closed, index: number) => ({
  ...{ id: `c${index}`, type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', symbol: 'EURUSD' },
  ...{ positionId: `p${index}`, volume: 1, price: 1.1, profit, brokerTime },
});

const dateOf = (brokerTime: string): string => brokerTime.slice(0, 10);

/** What each day with trades had lost after each of them, counted naively in cents. */
function naiveDays(closed: readonly Closed[]): { brokerTime: string; lost: number }[][] {
  return [...Map.groupBy(closed, ({ brokerTime }) => dateOf(brokerTime)).values()].map((day) => {
    let cents = 0;
    return day.map(({ brokerTime, profit }) => {
      cents -= Math.round(profit * 100);
      return { brokerTime, lost: cents / 100 };
    });
  });
}

for (const kind of testedOn()) {
  describe(`a preview by deals on ${kind}`, () => {
    let running: TestServer;
    let client: Client;
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn' });
      client = await newUser(running.server.address);
    });
    after(() => running.close());

    const accountWith = async (closed: readonly Closed[]): Promise<string> => {
      const id = await newAccount(client);
      const rows = [DEPOSIT, ...closed.map(dealOf)];
      const { status, body } = await client.post(`${path(id)}/deals`, rows);
      assert.equal(status, 200, JSON.stringify(body));
      return id;
    };
    const preview = async (id: string): Promise<Preview> =>
      (await client.post<Preview>(`${path(id)}/trackers/preview`, RULE)).body;

    it('finds each day whose closed trades lost the limit, and no other', async () => {
      // Many in a row, as when a stop closes all; and the first second and the last of days.
      const second = fc.oneof(fc.nat(30), fc.constantFrom(0, 86_399), fc.nat(86_399));
      const times = fc.uniqueArray(
        fc.tuple(fc.nat(9), second).map(([day, seconds]) => day * 86_400 + seconds + 1),
        { minLength: 1, maxLength: 30 },
      );
      const profits = fc.array(fc.integer({ min: -30_000, max: 20_000 }), {
        ...{ minLength: 30, maxLength: 30 },
      });
      await fc.assert(
        fc.asyncProperty(times, profits, async (seconds, cents) => {
          const closed = seconds
            .toSorted((a, b) => a - b)
            .map((second, index) => ({
              brokerTime: brokerTimeOf(second),
              profit: (cents[index] ?? 0) / 100,
            }));
          const found = await preview(await accountWith(closed));
          assert.equal(found.seenBy, 'deals');
          const days = naiveDays(closed);
          const broken = days.filter((day) =>
            day.some(({ lost }) => lost >= RULE.absoluteDrawdownThreshold),
          );
          assert.deepEqual(
            found.events.map(({ brokerTime }) => dateOf(brokerTime)),
            broken.map((day) => dateOf(day[0]?.brokerTime ?? '')),
          );
          const deepest = new Map(
            found.periods.map((each) => [dateOf(each.startBrokerTime), each.maxAbsoluteDrawdown]),
          );
          assert.equal(deepest.size, found.periods.length, 'each day once');
          for (const day of days) {
            const most = Math.max(0, ...day.map(({ lost }) => lost));
            assert.equal(deepest.get(dateOf(day[0]?.brokerTime ?? '')), most);
          }
        }),
        { numRuns: 20 },
      );
    });

    it('knows nothing of what was open, as snapshots do', async () => {
      const id = await accountWith([{ brokerTime: '2026-03-02 12:00:00', profit: 100 }]);
      const byDeals = await preview(id);
      assert.deepEqual([byDeals.seenBy, byDeals.events.length], ['deals', 0]);
      const seen = (time: string, balance: number, equity: number) => ({
        ...{ accountId: id, brokerTime: `2026-03-02 ${time}`, balance, equity },
      });
      const rows = [
        seen('08:00:00', PAID, PAID),
        seen('11:00:00', PAID, PAID - 600),
        seen('12:00:00', PAID + 100, PAID + 100),
      ];
      assert.equal((await client.post('/users/current/snapshots', rows)).status, 200);
      const bySnapshots = await preview(id);
      assert.equal(bySnapshots.seenBy, 'snapshots');
      assert.deepEqual(
        bySnapshots.events.map(({ absoluteDrawdown }) => absoluteDrawdown),
        [600],
      );
    });
  });
}

/** A second of March 2026. */
const brokerTimeOf = (second: number): string =>
  new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' ');
