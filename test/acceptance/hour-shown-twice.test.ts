import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { balanceRow, p4Page, summaryRow, ticketRow } from '../fixtures/statements/p4.ts';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type Trade = { positionId: string; openTime: string; closeTime: string; volume: number };
type Page = { trades: (Trade & { durationInMinutes: number })[] };

/** The broker's clock, New York + 7 hours, shows the hour from 08:00 of this day twice. */
const on = (time: string): string => `2025-11-02 ${time}:00`;

const deal = (id: number, positionId: string, time: string, profit?: number): object => ({
  ...{ id: `${id}`, positionId, symbol: 'BTCUSD', volume: 0.1, price: 100_000 },
  type: profit === undefined ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
  entry: profit === undefined ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT',
  profit: profit ?? 0,
  brokerTime: on(time),
});

for (const kind of testedOn()) {
  describe(`an hour that the clock shows twice, on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());

    const base = (id: string) => `/users/current/accounts/${id}`;
    const tradesOf = async (id: string) => {
      const path = `${base(id)}/historical-trades/2025-11-01%2000:00:00/2025-11-04%2000:00:00`;
      return (await user.asOfNow<Page>(path)).trades.filter(({ volume }) => volume > 0);
    };
    const openOf = async (id: string) =>
      (await user.asOfNow<unknown[]>(`${base(id)}/open-trades`)).length;
    const asRead = (trades: Page['trades']) =>
      trades.map(({ positionId, openTime, closeTime, durationInMinutes }) => [
        ...[positionId, openTime.slice(11, 16), closeTime.slice(11, 16), durationInMinutes],
      ]);

    it('closes a position of its first pass in its second, in any order of arrival', async () => {
      const deals = [
        deal(10, '10', '08:33'),
        deal(11, '10', '08:02', 5),
        deal(12, '12', '08:10'),
        deal(13, '13', '08:20'),
        deal(14, '12', '09:05', -3),
      ];
      const expected = [
        ['10', '08:33', '08:02', 29],
        ['12', '08:10', '09:05', 55],
      ];
      for (const sent of [deals, deals.toReversed()]) {
        const id = await newAccount(user);
        for (const one of sent) {
          const { status, body } = await user.post(`${base(id)}/deals`, [one]);
          assert.equal(status, 200, JSON.stringify(body));
          await tradesOf(id);
        }
        assert.deepEqual(asRead(await tradesOf(id)), expected);
        assert.equal(await openOf(id), 1, 'position 13');
        type Metrics = { averageTradeLengthInMilliseconds: number; balance: number };
        const metrics = await user.asOfNow<Metrics>(`${base(id)}/metrics`);
        assert.equal(metrics.averageTradeLengthInMilliseconds, 42 * 60_000);
        assert.equal(metrics.balance, 2);
      }
    });

    it('closes a ticket of a report', async () => {
      const id = await newAccount(user, { platform: 'p4', login: '7' });
      const ticket = (number: number, opened: string, closed: string) =>
        ticketRow(
          `${number} | 2025.11.02 ${opened}:00 | buy | 1.00 | btcusd | 1.10000 | 0 | 0 | ` +
            `2025.11.02 ${closed}:00 | 1.10100 | 0.00 | 0.00 | 0.00 | 100.00`,
        );
      const file = p4Page({
        closed: [
          balanceRow('1', '2025.11.01 00:00:00', 'Deposit', '1 000.00'),
          ticket(2, '08:33', '08:02'),
          ticket(3, '08:05', '08:50'),
        ],
        summary: summaryRow('Balance', '1200.00'),
      });
      const { status, body } = await user.post(`${base(id)}/statements`, file);
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(asRead(await tradesOf(id)), [
        ['2', '08:33', '08:02', 29],
        ['3', '08:05', '08:50', 45],
      ]);
      assert.equal(await openOf(id), 0);
    });
  });
}
