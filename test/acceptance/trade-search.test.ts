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

const TRADES = 620;
const minute = (n: number): string => formatBrokerTime(Date.UTC(2026, 0, 5) + n * 60_000);

/** Trades of a minute each: EURUSD bought, every third XAUUSD sold with a comment. */
const deals = Array.from({ length: TRADES }, (_, n) => {
  const isGold = n % 3 === 0;
  const base = {
    positionId: `p${n}`,
    symbol: isGold ? 'XAUUSD' : 'EURUSD',
    ...{ volume: 0.1, price: 1, swap: 0, commission: 0, fee: 0 },
    ...(isGold ? { comment: `Copy ${n}` } : {}),
  };
  const [open, close] = isGold ? ['SELL', 'BUY'] : ['BUY', 'SELL'];
  return [
    ...[
      {
        ...base,
        id: `${n}i`,
        type: `DEAL_TYPE_${open}`,
        entry: 'DEAL_ENTRY_IN',
        profit: 0,
        brokerTime: minute(2 * n),
      },
    ],
    ...[
      {
        ...base,
        id: `${n}o`,
        type: `DEAL_TYPE_${close}`,
        entry: 'DEAL_ENTRY_OUT',
        profit: 1,
        brokerTime: minute(2 * n + 1),
      },
    ],
  ];
}).flat();

type Found = { total: number; trades: { positionId: string; symbol: string }[]; next?: number };

for (const kind of testedOn()) {
  describe(`searching trades, on ${kind}`, () => {
    let server: TestServer;
    let user: Client;
    let path: string;
    before(async () => {
      server = await startOn(kind);
      user = await newUser(server.server.address);
      path = `/users/current/accounts/${await newAccount(user)}`;
      const answer = await user.post(`${path}/deals`, deals);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    });
    after(() => server.close());

    const search = async (query: Record<string, string | number>): Promise<Found> => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, String(value)]),
      );
      return user.asOfNow<Found>(`${path}/trades?${search}`);
    };
    const all = async (query: Record<string, string | number>): Promise<string[]> => {
      const found: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await search({ ...query, ...(before === undefined ? {} : { before }) });
        found.push(...page.trades.map(({ positionId }) => positionId));
        if (page.next === undefined) return found;
        before = page.next;
      }
    };
    const numbers = (fits: (n: number) => boolean): string[] =>
      Array.from({ length: TRADES }, (_, n) => n)
        .filter(fits)
        .reverse()
        .map((n) => `p${n}`);

    it('returns pages from the newest on, each trade once', async () => {
      assert.equal((await search({})).total, TRADES);
      assert.deepEqual(
        await all({ limit: 70 }),
        numbers(() => true),
      );
    });

    it('filters by symbol, side, words and time', async () => {
      const isGold = (n: number): boolean => n % 3 === 0;
      assert.deepEqual(await all({ symbol: 'xau' }), numbers(isGold));
      assert.deepEqual(
        await all({ kind: 'buy' }),
        numbers((n) => !isGold(n)),
      );
      assert.deepEqual(await all({ text: 'copy 300' }), ['p300']);
      assert.deepEqual(await all({ text: 'P301' }), ['p301']);
      const range = { startTime: minute(2 * 100 + 1), endTime: minute(2 * 400 + 1) };
      assert.deepEqual(
        await all(range),
        numbers((n) => n >= 100 && n < 400),
      );
    });

    it('includes excursions, if snapshots show them', async () => {
      const id = await newAccount(user);
      const own = `/users/current/accounts/${id}`;
      const deal = (id: string, minutes: number, profit: number, rest: object) => ({
        ...{ id, profit, swap: 0, commission: 0, fee: 0, brokerTime: minute(minutes), ...rest },
      });
      const position = (name: string, open: number, close: number, profit: number) => {
        const rest = { positionId: name, symbol: 'EURUSD', volume: 1, price: 1 };
        const [entry, exit] = ['DEAL_ENTRY_IN', 'DEAL_ENTRY_OUT'];
        return [
          deal(`${name}i`, open, 0, { ...rest, type: 'DEAL_TYPE_BUY', entry, commission: -2 }),
          deal(`${name}o`, close, profit, { ...rest, type: 'DEAL_TYPE_SELL', entry: exit }),
        ];
      };
      const seen = (minutes: number, balance: number, equity: number) => ({
        ...{ accountId: id, brokerTime: minute(minutes), balance, equity },
      });
      const sent = await user.post(`${own}/deals`, [
        deal('d', 0, 1000, { type: 'DEAL_TYPE_BALANCE' }),
        ...position('alone', 130, 200, 50),
        ...[...position('first', 500, 580, 5), ...position('second', 510, 570, 5)],
      ]);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const rows = [
        ...[seen(100, 1000, 1000), seen(131, 998, 970), seen(170, 998, 1075)],
        ...[seen(199, 998, 1040), seen(210, 1048, 1048), seen(460, 1048, 1048)],
        ...[seen(515, 1044, 1000), seen(579, 1047, 1030), seen(590, 1054, 1054)],
        seen(900, 1054, 1054),
      ];
      assert.equal((await user.post('/users/current/snapshots', rows)).status, 200);
      const find = (query = '?kind=buy&includeExcursions=true') =>
        user.get<{ trades: Record<string, unknown>[] }>(`${own}/trades${query}`);
      // Hours are stored with the next checkpoint.
      let trades: Record<string, unknown>[] = [];
      await until(async () => {
        const { body } = await find();
        trades = body.trades ?? [];
        return trades.some((trade) => 'maximumAdverseExcursion' in trade);
      }, 'an excursion');
      assert.deepEqual(
        trades.map((trade) => [
          ...[trade.positionId, trade.maximumAdverseExcursion, trade.maximumFavourableExcursion],
        ]),
        [
          ['first', undefined, undefined],
          ['second', undefined, undefined],
          ['alone', -30, 75],
        ],
      );
      const [plain] = (await find('?kind=buy&limit=1')).body.trades;
      assert.ok(plain && !('maximumAdverseExcursion' in plain));
      for (const cut of ['', '&symbol=EURUSD', '&from=2026-01-01']) {
        const { excursions } = await user.asOfNow<{ excursions: object }>(
          `${own}/metrics?includeExcursions=true${cut}`,
        );
        assert.deepEqual(
          excursions,
          {
            ...{ lookedAt: 3, trades: 1, averageAdverse: -30, worstAdverse: -30 },
            ...{ averageFavourable: 75, bestFavourable: 75, capturedPercent: 64 },
          },
          cut,
        );
      }
      const path = `${own}/metrics?includeExcursions=true&symbol=GOLD`;
      assert.deepEqual((await user.asOfNow<{ excursions: object }>(path)).excursions, {
        ...{ lookedAt: 0, trades: 0 },
      });
      assert.ok(!('excursions' in (await user.asOfNow<object>(`${own}/metrics`))));
    });

    it('returns none of other users', async () => {
      const other = await newUser(server.server.address);
      assert.equal((await other.get(`${path}/trades`)).status, 404);
    });
  });
}
