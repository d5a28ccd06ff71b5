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
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Trade = {
  _id: string;
  positionId: string;
  closeTime: string;
  profit: number;
  type: string;
  symbol?: string;
};
type Page = { trades: Trade[] };
type ErrorBody = { error: string; details?: { parameter: string; message: string }[] };

const range = (accountId: string, start: string, end: string, query = ''): string =>
  `/users/current/accounts/${accountId}/historical-trades/${encodeURIComponent(start)}/${encodeURIComponent(end)}${query}`;
const all = (accountId: string, query = ''): string =>
  range(accountId, '0000-01-01 00:00:00.000', '9999-12-31 23:59:59.999', query);

const second = (n: number): string =>
  new Date(Date.UTC(2026, 0, 5) + n * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** A position that opens and closes within a second: profit n. */
const position = (n: number, closeSecond = n): object[] => [
  {
    id: `${n * 2}`,
    positionId: `p${n}`,
    type: 'DEAL_TYPE_BUY',
    entry: 'DEAL_ENTRY_IN',
    symbol: 'EURUSD',
    volume: 0.1,
    price: 1.1,
    profit: 0,
    brokerTime: second(closeSecond),
  },
  {
    id: `${n * 2 + 1}`,
    positionId: `p${n}`,
    type: 'DEAL_TYPE_SELL',
    entry: 'DEAL_ENTRY_OUT',
    symbol: 'EURUSD',
    volume: 0.1,
    price: 1.1,
    profit: n,
    brokerTime: second(closeSecond),
  },
];

for (const kind of testedOn()) {
  describe(`operation 1 on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());

    const record = async (accountId: string, deals: object[]): Promise<void> => {
      const answer = await user.post(`/users/current/accounts/${accountId}/deals`, deals);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const readAll = async (accountId: string, limit: number): Promise<Trade[]> => {
      const trades: Trade[] = [];
      for (;;) {
        const page = await user.get<Page>(
          all(accountId, `?limit=${limit}&offset=${trades.length}`),
        );
        assert.equal(page.status, 200);
        trades.push(...page.body.trades);
        if (page.body.trades.length < limit) return trades;
      }
    };

    it('answers the worked example of partial closes to the digit', async () => {
      const id = await newAccount(user);
      await record(id, [
        {
          id: '1',
          type: 'DEAL_TYPE_BALANCE',
          profit: 10000,
          brokerTime: '2026-03-02 08:00:00',
          comment: 'Deposit',
        },
        {
          id: '2',
          positionId: '9',
          type: 'DEAL_TYPE_BUY',
          entry: 'DEAL_ENTRY_IN',
          symbol: 'EURUSD',
          volume: 1,
          price: 1.1,
          profit: 0,
          commission: -7,
          brokerTime: '2026-03-02 09:00:00.500',
        },
        {
          id: '3',
          positionId: '9',
          type: 'DEAL_TYPE_SELL',
          entry: 'DEAL_ENTRY_OUT',
          symbol: 'EURUSD',
          volume: 0.4,
          price: 1.102,
          profit: 80,
          brokerTime: '2026-03-02 09:30:00',
        },
        {
          id: '4',
          positionId: '9',
          type: 'DEAL_TYPE_SELL',
          entry: 'DEAL_ENTRY_OUT',
          symbol: 'EURUSD',
          volume: 0.6,
          price: 1.099,
          profit: -60,
          swap: -1.2,
          brokerTime: '2026-03-03 09:00:00.499',
        },
      ]);
      const { body } = await user.get<Page>(all(id));
      assert.deepEqual(body.trades, [
        {
          _id: `${id}+1`,
          accountId: id,
          positionId: '1',
          volume: 0,
          durationInMinutes: 0,
          profit: 10000,
          gain: 0,
          success: 'won',
          openTime: '2026-03-02 08:00:00.000',
          closeTime: '2026-03-02 08:00:00.000',
          type: 'DEAL_TYPE_BALANCE',
          comment: 'Deposit',
        },
        {
          _id: `${id}+9`,
          accountId: id,
          positionId: '9',
          volume: 1,
          durationInMinutes: 1439,
          profit: 11.8,
          gain: 0.118,
          marketValue: 110_000,
          success: 'won',
          openTime: '2026-03-02 09:00:00.500',
          closeTime: '2026-03-03 09:00:00.499',
          type: 'DEAL_TYPE_BUY',
          symbol: 'EURUSD',
          openPrice: 1.1,
          closePrice: 1.1002,
          pips: 2,
        },
      ]);
    });

    it('includes the start of a range and excludes its end', async () => {
      const id = await newAccount(user);
      await record(
        id,
        [1, 2, 3].flatMap((n) => position(n)),
      );
      const ids = async (start: string, end: string): Promise<string[]> =>
        (await user.get<Page>(range(id, start, end))).body.trades.map((trade) => trade.positionId);
      assert.deepEqual(await ids(second(1), second(3)), ['p1', 'p2']);
      assert.deepEqual(await ids(second(2), second(2)), []);
      assert.deepEqual(await ids(`${second(1)}.001`, `${second(3)}.001`), ['p2', 'p3']);
    });

    it('gives the same trades in pages of any size, in order of close time, then id', async () => {
      const id = await newAccount(user);
      const deals = Array.from({ length: 1203 }, (_, n) => position(n, Math.floor(n / 7))).flat();
      await record(id, deals.slice(0, 1000));
      await record(id, deals.slice(1000));
      const whole = await readAll(id, 1000);
      assert.equal(whole.length, 1203);
      const expected = whole.toSorted((a, b) =>
        a.closeTime < b.closeTime ? -1 : a.closeTime > b.closeTime ? 1 : 0,
      );
      assert.deepEqual(whole, expected);
      for (const limit of [1, 97, 250, 251]) {
        if (limit === 1) {
          const page = await user.get<Page>(all(id, '?limit=1&offset=777'));
          assert.deepEqual(page.body.trades, [whole[777]]);
        } else assert.deepEqual(await readAll(id, limit), whole);
      }
      const inside = await user.get<Page>(range(id, second(50), second(60), '?offset=5&limit=20'));
      const between = whole.filter(
        (t) => t.closeTime >= `${second(50)}.000` && t.closeTime < `${second(60)}.000`,
      );
      assert.deepEqual(inside.body.trades, between.slice(5, 25));
    });

    it('gives the same answer for deals in any order and batches', async () => {
      const deals = Array.from({ length: 300 }, (_, n) =>
        position(n, 300 - Math.floor(n / 3)),
      ).flat();
      const [ordered, shuffled] = [await newAccount(user), await newAccount(user)];
      await record(ordered, deals);
      const parts = Array.from({ length: 7 }, (_, part) =>
        deals.filter((_deal, n) => n % 7 === part),
      );
      for (const part of parts) {
        await record(shuffled, part);
        await user.get(all(shuffled, '?limit=1'));
      }
      const [a, b] = [await readAll(ordered, 1000), await readAll(shuffled, 1000)];
      const bare = (trades: Trade[]): object[] =>
        trades.map(({ _id, ...trade }) => ({ ...trade, accountId: '' }));
      assert.deepEqual(bare(b), bare(a));
    });

    it('counts deals with a known id as duplicates that change nothing', async () => {
      const id = await newAccount(user);
      const deals = position(1);
      const path = `/users/current/accounts/${id}/deals`;
      assert.deepEqual((await user.post(path, [...deals, deals[0]])).body, {
        accepted: 2,
        duplicates: 1,
      });
      const before = (await user.get<Page>(all(id))).body;
      const ndjson = deals.map((deal) => JSON.stringify({ ...deal, profit: 77 })).join('\n');
      const again = await user.post(path, ndjson, { 'content-type': 'application/x-ndjson' });
      assert.deepEqual(again.body, { accepted: 0, duplicates: 2 });
      assert.deepEqual((await user.get<Page>(all(id))).body, before);
    });

    it('refuses a batch with a bad row whole, naming every fault with its index', async () => {
      const id = await newAccount(user);
      const answer = await user.post<ErrorBody>(`/users/current/accounts/${id}/deals`, [
        ...position(1),
        { id: '', type: 'DEAL_TYPE_GIFT', profit: '5', brokerTime: '2026-02-30 00:00:00' },
        {
          id: 'x',
          type: 'DEAL_TYPE_BUY',
          profit: 1,
          brokerTime: '2026-02-03 00:00:00',
          volume: -1,
          extra: 1,
        },
      ]);
      assert.equal(answer.status, 400);
      assert.deepEqual([...new Set(answer.body.details?.map((fault) => fault.parameter))].sort(), [
        '[2].brokerTime',
        '[2].id',
        '[2].profit',
        '[2].type',
        '[3].extra',
        '[3].volume',
      ]);
      assert.deepEqual((await user.get<Page>(all(id))).body.trades, []);
    });

    it('accepts NDJSON without a line as no deals, but JSON without an array is a fault', async () => {
      const id = await newAccount(user);
      const send = (type: string) =>
        user.post<ErrorBody>(`/users/current/accounts/${id}/deals`, '', { 'content-type': type });
      const none = await send('application/x-ndjson');
      assert.deepEqual([none.status, none.body], [200, { accepted: 0, duplicates: 0 }]);
      const missing = await send('application/json');
      assert.equal(missing.status, 400);
      assert.deepEqual(missing.body.details, [{ parameter: 'body', message: 'is required' }]);
    });

    it('names the lines of NDJSON that are not JSON', async () => {
      const id = await newAccount(user);
      const body = `${JSON.stringify(position(1)[0])}\n{"id":\n\nnope\n`;
      const answer = await user.post<ErrorBody>(`/users/current/accounts/${id}/deals`, body, {
        'content-type': 'application/x-ndjson',
      });
      assert.deepEqual(
        answer.body.details?.map((fault) => fault.parameter),
        ['[1]', '[2]'],
      );
    });

    it('answers 400 to impossible dates, ranges and limits, naming all of them', async () => {
      const id = await newAccount(user);
      const bad = await user.get<ErrorBody>(
        range(id, '2026-02-30 00:00:00.000', 'yesterday', '?limit=0&offset=-1'),
      );
      assert.equal(bad.status, 400);
      assert.deepEqual(bad.body.details?.map((fault) => fault.parameter).sort(), [
        'endTime',
        'limit',
        'offset',
        'startTime',
      ]);
      const reversed = await user.get<ErrorBody>(
        range(id, '2026-02-03 00:00:00', '2026-02-02 00:00:00'),
      );
      assert.equal(reversed.status, 400);
      for (const query of [
        '?limit=1001',
        '?limit=1.5',
        '?limit=x',
        '?offset=1e99',
        '?updateHistory=maybe',
      ]) {
        assert.equal((await user.get(all(id, query))).status, 400, query);
      }
    });

    it('decodes times written with +, %20 and %3A', async () => {
      const id = await newAccount(user);
      await record(id, position(1));
      const start = '2026-01-05%2000%3A00%3A00';
      const answer = await user.get<Page>(
        `/users/current/accounts/${id}/historical-trades/${start}/2026-01-06%2000:00:00.000?updateHistory=true`,
      );
      assert.equal(answer.body.trades.length, 1);
    });

    it('answers 403 with statistics switched off, 404 to unknown accounts', async () => {
      const id = await newAccount(user, { statisticsEnabled: false });
      assert.equal((await user.get<ErrorBody>(all(id))).status, 403);
      assert.equal((await user.get<ErrorBody>(all('none'))).status, 404);
    });

    it('answers 202 with retry-after while a large history is computed, then all of it', async () => {
      const id = await newAccount(user);
      const deals = Array.from({ length: 10_000 }, (_, n) => position(n)).flat();
      for (let start = 0; start < deals.length; start += 10_000) {
        await record(id, deals.slice(start, start + 10_000));
      }
      const statuses = new Set<number>();
      await until(async () => {
        const answer = await user.get<Page & { status: string; message: string }>(all(id));
        statuses.add(answer.status);
        if (answer.status === 200) return true;
        assert.equal(answer.status, 202);
        assert.ok(Number(answer.headers.get('retry-after')) >= 1);
        assert.ok(answer.body.status && answer.body.message);
        return false;
      }, 'trades of a large history');
      assert.ok(statuses.has(202));
      assert.equal((await readAll(id, 1000)).length, 10_000);
    });

    it('keeps acknowledged deals over kill -9, and computes the rest', async () => {
      const own = await startOn(kind);
      const client = await newUser(own.server.address);
      const id = await newAccount(client);
      await client.post(
        `/users/current/accounts/${id}/deals`,
        Array.from({ length: 4000 }, (_, n) => position(n)).flat(),
      );
      await own.server.kill();
      const { startPlimsoll, Client } = await import('../servers/plimsoll-process.ts');
      const server = await startPlimsoll(own.database.environment);
      const again = new Client(server.address, client.token);
      const page = await again.asOfNow<Page>(all(id, '?offset=3000'));
      assert.equal(page.trades.length, 1000);
      assert.equal(await server.stop(), 0);
      await own.database.close();
    });
  });
}
