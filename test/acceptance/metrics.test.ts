import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server');

type Metrics = Record<string, unknown> & {
  bySymbol: { symbol: string }[];
  dailyGrowth: { date: string; balance: number; trades: number }[];
};

describe('metrics and open trades', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  const buy = (id: string, positionId: string, price: number, brokerTime: string) => ({
    ...{ id, positionId, type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN', symbol: 'EURUSD' },
    ...{ volume: 1, price, profit: 0, brokerTime },
  });
  const close = (id: string, positionId: string, profit: number, brokerTime: string) => ({
    ...{ id, positionId, type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', symbol: 'EURUSD' },
    ...{ volume: 1, price: 1.2, profit, brokerTime },
  });

  it('come from the deals, and the equity from the last snapshot', async () => {
    const id = await newAccount(user);
    await user.post(`/users/current/accounts/${id}/deals`, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 1000, brokerTime: '2026-01-05 00:00:00' },
      buy('2', '10', 1.1, '2026-01-05 10:00:00'),
      close('3', '10', 100, '2026-01-05 11:00:00'),
      buy('4', '11', 1.1, '2026-01-06 10:00:00'),
      close('5', '11', -50.5, '2026-01-06 10:30:00'),
      { id: '6', type: 'DEAL_TYPE_BALANCE', profit: -200, brokerTime: '2026-01-07 00:00:00' },
      { ...buy('7', '12', 1.15, '2026-01-07 10:00:00'), commission: -3.5 },
    ]);
    const body = await user.asOfNow<Metrics>(`/users/current/accounts/${id}/metrics`);
    const { balance, equity, deposits, withdrawals, trades, profitFactor } = body;
    const { wonTrades: won, lostTrades: lost } = body;
    assert.deepEqual(
      { balance, equity, deposits, withdrawals, trades, won, lost },
      { balance: 846, equity: 846, deposits: 1000, withdrawals: 200, trades: 2, won: 1, lost: 1 },
    );
    assert.ok(Math.abs(Number(profitFactor) - 100 / 50.5) < 1e-9);
    // The commission of the position that is open counts, too, at its own time.
    const gain = 100 * ((1 + 100 / 1000) * (1 - 50.5 / 1100) * (1 - 3.5 / 849.5) - 1);
    assert.ok(Math.abs(Number(body.gain) - gain) < 1e-6);
    const { dailyGrowth } = body;
    assert.deepEqual(
      dailyGrowth.map(({ date, balance, trades: closed }) => [date, balance, closed]),
      [
        ['2026-01-05', 1100, 1],
        ['2026-01-06', 1049.5, 1],
        ['2026-01-07', 846, 0],
      ],
    );
    assert.deepEqual(
      body.bySymbol.map((group) => group.symbol),
      ['EURUSD'],
    );

    await user.post('/users/current/snapshots', [
      { accountId: id, brokerTime: '2026-01-07 10:05:00', balance: 846, equity: 912.25 },
    ]);
    const later = await user.asOfNow<Metrics>(`/users/current/accounts/${id}/metrics`);
    assert.equal(later.equity, 912.25);
    const path = `/users/current/accounts/${id}/metrics?includeOpenPositions=true`;
    const inclusive = await user.asOfNow<Metrics>(path);
    assert.deepEqual([later.inclusive, inclusive.inclusive], [false, true]);
    assert.equal(inclusive.profit, Number(body.profit) + 66.25);
    assert.deepEqual([inclusive.balance, inclusive.trades], [846, 2]);

    const open = await user.get<Record<string, unknown>[]>(
      `/users/current/accounts/${id}/open-trades`,
    );
    const [{ durationInMinutes, ...position } = {}] = open.body;
    assert.ok(Number(durationInMinutes) >= 0);
    assert.deepEqual(position, {
      ...{ _id: `${id}+12`, accountId: id, positionId: '12', type: 'DEAL_TYPE_BUY' },
      ...{ symbol: 'EURUSD', volume: 1, openTime: '2026-01-07 10:00:00.000', openPrice: 1.15 },
      ...{ realisedProfit: 0, swap: 0, commission: -3.5, fee: 0 },
    });
  });

  describe('of a part of the trades', () => {
    const START = [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 1000, brokerTime: '2026-01-05 00:00:00' },
      { ...buy('2', '10', 1.1, '2026-01-05 10:00:00'), magic: 7, stopLoss: 1.05, comment: 'Grid' },
      close('3', '10', 100, '2026-01-05 11:00:00'),
      { ...buy('4', '11', 1.1, '2026-01-06 10:00:00'), magic: 0 },
      close('5', '11', -50.5, '2026-01-06 10:30:00'),
      { ...buy('6', '12', 1.1, '2026-02-10 10:00:00'), symbol: 'GOLD', magic: 7 },
      { ...close('7', '12', 30, '2026-02-10 12:00:00'), symbol: 'GOLD' },
    ];
    let path = '';
    before(async () => {
      const id = await newAccount(user);
      path = `/users/current/accounts/${id}`;
      await user.post(`${path}/deals`, START);
    });
    const cut = async (query: string) => {
      const { trades, profit, ...rest } = await user.asOfNow<Metrics>(`${path}/metrics?${query}`);
      return { trades, profit, rest };
    };

    it('are cut by symbol, side, expert, comment and range', async () => {
      for (const [query, trades, profit] of [
        ['symbol=EURUSD', 2, 49.5],
        ['side=sell', 0, 0],
        ['magic=7', 2, 130],
        ['magic=0&symbol=EURUSD', 1, -50.5],
        ['comment=grid', 1, 100],
        ['from=2026-01-06&to=2026-02-10%2012:00:00', 1, -50.5],
      ] as const) {
        const found = await cut(query);
        assert.deepEqual([found.trades, found.profit], [trades, profit], query);
        assert.ok(!('balance' in found.rest), 'the balance is no part of the trades');
      }
    });

    it('come with risk multiples, days and months, and the previous stretch', async () => {
      const { rest } = await cut('from=2026-02-01&to=2026-03-01');
      const { before: earlier, gain, dailyGrowth, calendarResults, part } = rest;
      assert.deepEqual(part, { from: '2026-02-01 00:00:00.000', to: '2026-03-01 00:00:00.000' });
      assert.equal(dailyGrowth.length, 1);
      assert.ok(Math.abs(Number(gain) - (100 * 30) / 1049.5) < 1e-6);
      assert.deepEqual(
        { ...(earlier as object) },
        { ...(earlier as object), from: '2026-01-04 00:00:00.000', trades: 2, profit: 49.5 },
      );
      assert.deepEqual((calendarResults as { months: object }).months, {
        ...{ best: 30, bestDate: '2026-02-01', worst: 30, worstDate: '2026-02-01' },
        ...{ profitable: 1, losing: 0 },
      });
      const { riskMultiples } = (await cut('magic=7')).rest;
      assert.deepEqual(riskMultiples, {
        ...{ trades: 1, total: 2, average: 2, standardDeviation: 0, best: 2, worst: 2 },
      });
    });

    it('are tables by one key or two', async () => {
      type Row = Record<string, unknown>;
      const rows = async (query: string, ...names: string[]) =>
        (await user.asOfNow<{ rows: Row[] }>(`${path}/metrics/table?${query}`)).rows.map((row) =>
          names.map((name) => row[name]),
        );
      assert.deepEqual(await rows('by=magic,outcome', 'magic', 'outcome', 'trades', 'profit'), [
        ['0', 'lost', 1, -50.5],
        ['7', 'won', 2, 130],
      ]);
      assert.deepEqual(await rows('by=month&symbol=EURUSD', 'month', 'profit'), [
        ['2026-01', 49.5],
      ]);
      assert.deepEqual(await rows('by=duration,hour', 'duration', 'hour', 'trades'), [
        ['15m-1h', 10, 1],
        ['1h-4h', 10, 2],
      ]);
      for (const query of ['by=symbol,symbol', 'by=none', '', 'by=side&from=2026-02-31'])
        assert.equal((await user.get(`${path}/metrics/table?${query}`)).status, 400, query);
    });

    it('are files for spreadsheets of a language', async () => {
      const file = async (query: string) => {
        await user.asOfNow(`${path}/metrics`);
        const headers = { 'auth-token': user.token ?? '' };
        const answer = await fetch(`${running.server.address}${path}/exports/${query}`, {
          headers,
        });
        return {
          answer,
          text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()),
        };
      };
      const german = await file('trades?locale=de-DE&from=2026-02-01');
      assert.match(german.answer.headers.get('content-disposition') ?? '', /trades-.*\.csv/);
      const [head, row, end] = german.text.split('\r\n');
      assert.ok(head?.startsWith('\uFEFFpositionId;type;symbol;volume;openTime'));
      assert.ok(row?.startsWith('12;DEAL_TYPE_BUY;GOLD;1;2026-02-10 10:00:00;1,1;'));
      assert.equal(end, '');
      const english = await file('deals?locale=en-GB');
      assert.equal(english.text.split('\r\n').length, START.length + 2);
      assert.match(english.text, /2,10,DEAL_TYPE_BUY,DEAL_ENTRY_IN,EURUSD,1,1\.1,0,/);
      const figures = await file('statistics?locale=de');
      assert.match(figures.text, /\r\nnetProfit;79,5\r\n/);
      const json = JSON.parse((await file('trades?format=json')).text) as object[];
      assert.equal(json.length, 4);
      assert.equal((await file('trades?locale=_')).answer.status, 400);
      assert.equal((await file('orders')).answer.status, 400);
    });
  });

  it('answer an empty account without undefined figures', async () => {
    const id = await newAccount(user);
    const body = await user.asOfNow<Metrics>(`/users/current/accounts/${id}/metrics`);
    assert.equal(body.balance, 0);
    assert.ok(!('profitFactor' in body) && !('sharpeRatio' in body));
  });

  it('are off with the statistics, and 404 for unknown accounts', async () => {
    const id = await newAccount(user, { statisticsEnabled: false });
    for (const part of ['metrics', 'open-trades']) {
      assert.equal((await user.get(`/users/current/accounts/${id}/${part}`)).status, 403);
      assert.equal((await user.get(`/users/current/accounts/none/${part}`)).status, 404);
    }
  });
});

describe('statements over HTTP', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  type Imported = {
    deals: number;
    added: number;
    trades: number;
    netProfit: number;
    balance: number;
  };
  type Page = { trades: { type: string; profit: number }[] };
  const sample = (name: string): Promise<Buffer> =>
    readFile(new URL(`../../src/demo/statements/${name}`, import.meta.url));
  const upload = (id: string, file: Uint8Array) =>
    user.post<Imported & { error: string; details: { message: string }[] }>(
      `/users/current/accounts/${id}/statements`,
      file,
    );
  const allTrades = async (id: string): Promise<Page['trades']> => {
    const trades: Page['trades'] = [];
    for (;;) {
      const path = `/users/current/accounts/${id}/historical-trades/0000-01-01%2000:00:00/9999-12-31%2000:00:00`;
      const page = await user.asOfNow<Page>(`${path}?offset=${trades.length}`);
      trades.push(...page.trades);
      if (page.trades.length < 1000) return trades;
    }
  };

  for (const name of ['p4-statement.htm', 'p5-hedging-eurusd-gbpusd.xlsx', 'p5-netting-jpy.html']) {
    it(`fills an account from ${name}, and adds nothing the second time`, async () => {
      const currency = name.includes('jpy') ? 'JPY' : 'USD';
      const id = await newAccount(user, { currency });
      const file = await sample(name);
      const first = await upload(id, file);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      assert.equal(first.body.added, first.body.deals);
      const trades = await allTrades(id);
      const positions = trades.filter(({ type }) => /_(?:BUY|SELL)$/.test(type));
      assert.equal(positions.length, first.body.trades);
      const again = await upload(id, file);
      assert.equal(again.status, 201);
      assert.equal(again.body.added, 0);
      assert.deepEqual(await allTrades(id), trades);
      const { body } = await user.get<Metrics>(`/users/current/accounts/${id}/metrics`);
      assert.equal(body.balance, first.body.balance);
    });
  }

  it('answers an unreadable file with 400, with what was expected and where it failed', async () => {
    const id = await newAccount(user);
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const html = (await sample('p4-statement.htm')).subarray(0, 3000);
    for (const file of [
      Buffer.alloc(0),
      png,
      html,
      Buffer.from('PK\x03\x04broken'),
      Buffer.from('a;b\n1;2'),
    ]) {
      const answer = await upload(id, file);
      assert.equal(answer.status, 400, file.subarray(0, 10).toString());
      assert.match(answer.body.details[0]?.message ?? '', /[Ee]xpected|body/);
    }
    assert.deepEqual(await allTrades(id), []);
  });

  it('answers 413 to a body of 60 MB', async () => {
    const id = await newAccount(user);
    const answer = await upload(id, Buffer.alloc(60 * 1024 * 1024, 65)).catch(
      (error: Error) => error,
    );
    // The server may cut the connection of a client that goes on sending.
    if (!(answer instanceof Error)) assert.equal(answer.status, 413);
    assert.equal((await user.get('/health/live')).status, 200);
  });
});
