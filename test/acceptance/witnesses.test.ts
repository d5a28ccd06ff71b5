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

type Import = {
  id: string;
  added: number;
  warnings: string[];
  conflicts: {
    positionId: string;
    dealId: string;
    field: string;
    stored: string;
    storedBy?: string;
    stated: string;
    kept: string;
    settledAt?: string;
  }[];
};
type Trade = { symbol?: string; profit: number; volume: number };

const DEALS_HEAD = 'ticket,position_id,time,type,entry,symbol,volume,price,commission,swap,profit';
/** Two positions as the p5 terminal lists their deals. */
const DEALS = [
  DEALS_HEAD,
  '9001,701,2024-03-04 09:00:10,0,0,EURUSD,0.1,1.08501,-0.35,0,0',
  '9002,701,2024-03-04 11:00:20,1,1,EURUSD,0.1,1.08601,-0.35,0,10',
  '9003,702,2024-03-05 09:00:30,1,0,EURUSD,0.2,1.08701,-0.7,0,0',
  '9004,702,2024-03-05 11:00:40,0,1,EURUSD,0.2,1.08601,-0.7,0,20',
].join('\n');
const ROWS_HEAD = 'Open,Type,Volume,Symbol,Open Price,Close,Close Price,Swap,Commission,Profit';
const FIRST = '2024-03-04 09:00:10,buy,0.1,EURUSD,1.08501,2024-03-04 11:00:20,1.08601,0,-0.7,10';
const SECOND = '2024-03-05 09:00:30,sell,0.2,EURUSD,1.08701,2024-03-05 11:00:40,1.08601,0,-1.4,20';
const ticketed = (...rows: [number, string][]) =>
  [`Ticket,${ROWS_HEAD}`, ...rows.map(([ticket, row]) => `${ticket},${row}`)].join('\n');
const ROWS = ticketed([701, FIRST], [702, SECOND]);

for (const kind of testedOn())
  describe(`a position with several witnesses on ${kind}`, () => {
    let running: TestServer;
    let user: Client;
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());

    const base = (id: string) => `/users/current/accounts/${id}`;
    const imported = async (id: string, file: string): Promise<Import> => {
      const { status, body } = await user.post<Import>(`${base(id)}/statements`, file);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const profitsOf = async (id: string): Promise<number[]> => {
      const range = '1970-01-01%2000:00:00/2100-01-01%2000:00:00';
      const path = `${base(id)}/historical-trades/${range}`;
      const { trades } = await user.asOfNow<{ trades: Trade[] }>(path);
      return trades.map(({ profit }) => profit);
    };
    const takeBack = async (id: string, importId: string): Promise<void> => {
      const { status } = await user.call('DELETE', `${base(id)}/imports/${importId}`);
      assert.equal(status, 204);
    };

    it('counts once, whichever source comes first, and stays with the remaining one', async () => {
      for (const files of [
        [DEALS, ROWS],
        [ROWS, DEALS],
      ]) {
        const id = await newAccount(user);
        const ids: string[] = [];
        for (const file of files) {
          const { id: importId, conflicts } = await imported(id, file);
          assert.deepEqual(conflicts, []);
          ids.push(importId);
        }
        assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
        for (const importId of ids.slice(0, 1)) await takeBack(id, importId);
        assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
        await takeBack(id, ids[1] ?? '');
        assert.deepEqual(await profitsOf(id), []);
      }
    });

    it('is recognised by its content if sources number it differently, or not at all', async () => {
      const id = await newAccount(user);
      await imported(id, DEALS);
      const minutes = FIRST.replaceAll(/(\d\d:\d\d):\d\d/g, '$1').replaceAll('EURUSD', 'EUR/USD');
      const other = await imported(id, [ROWS_HEAD, minutes, SECOND].join('\n'));
      assert.equal(other.added, 0);
      const orders = await imported(id, ticketed([88001, FIRST], [88002, SECOND]));
      assert.equal(orders.added, 0);
      assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
      const written = [ROWS_HEAD, FIRST.replace('0.1', '0.100').replace(',10', ',10.00'), SECOND];
      const rows = await newAccount(user);
      await imported(rows, [ROWS_HEAD, FIRST, SECOND].join('\n'));
      assert.equal((await imported(rows, written.join('\n'))).added, 0);
      assert.deepEqual(await profitsOf(rows), [9.3, 18.6]);
    });

    it('has no differences from our own export of trades, whose profits are net', async () => {
      const id = await newAccount(user);
      const money = [
        '9000,0,2024-03-01 08:00:00,2,0,,0,0,0,0,1000',
        '9005,0,2024-03-06 08:00:00,7,0,,0,0,-3,0,0',
      ];
      await imported(id, [DEALS, ...money].join('\n'));
      const balance = async () =>
        (await user.asOfNow<{ balance: number }>(`${base(id)}/metrics`)).balance;
      assert.equal(await balance(), 1024.9);
      for (const locale of ['en-US', 'de-DE']) {
        const path = `${base(id)}/exports/trades?format=csv&locale=${locale}`;
        const headers = { 'auth-token': user.token ?? '' };
        const file = await fetch(running.server.address + path, { headers });
        assert.equal(file.status, 200);
        const { added, conflicts, warnings } = await imported(id, await file.text());
        assert.deepEqual({ added, conflicts, warnings }, { added: 0, conflicts: [], warnings: [] });
      }
      assert.equal(await balance(), 1024.9);
    });

    it('has its differences named, and keeps the more trusted source', async () => {
      const id = await newAccount(user);
      const first = await imported(id, DEALS);
      const wrong = SECOND.replace(/,20$/, ',25').replace('1.08601', '1.08501');
      const second = await imported(id, ticketed([701, FIRST], [702, wrong]));
      const about = { positionId: '702', dealId: '9004', storedBy: first.id, kept: 'stored' };
      assert.deepEqual(second.conflicts, [
        { ...about, field: 'money', stored: '18.6', stated: '23.6' },
        { ...about, field: 'price', stored: '1.08601', stated: '1.08501' },
      ]);
      assert.match(second.warnings.join(), /2 figures of positions differ/);
      assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
      const reversed = await newAccount(user);
      await imported(reversed, ticketed([701, FIRST], [702, wrong]));
      assert.equal((await imported(reversed, DEALS)).conflicts.length, 2);
      assert.deepEqual(await profitsOf(reversed), [9.3, 18.6]);
    });

    it('has a conflict settled by a person, permanently', async () => {
      const id = await newAccount(user);
      await imported(id, DEALS);
      const wrong = ticketed([701, FIRST], [702, SECOND.replace(/,20$/, ',25')]);
      const { id: importId } = await imported(id, wrong);
      const settle = (keep: string, place = 0) =>
        user.call<Import>('PUT', `${base(id)}/imports/${importId}/conflicts/${place}`, { keep });
      const open = async () => {
        const { body } = await user.get<{ conflicts: number }[]>(`${base(id)}/imports`);
        return body.map(({ conflicts }) => conflicts);
      };
      assert.deepEqual(await open(), [1, 0]);
      const { status, body } = await settle('stated');
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.conflicts[0]?.kept, 'stated');
      assert.ok(body.conflicts[0]?.settledAt);
      assert.deepEqual(await profitsOf(id), [9.3, 23.6]);
      assert.deepEqual(await open(), [0, 0]);
      assert.equal((await settle('stored')).status, 200);
      assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
      await imported(id, wrong);
      assert.deepEqual(await open(), [0, 0], 'the same file again does not ask again');
      assert.equal((await settle('stored', 1)).status, 404);
      assert.equal((await settle('both')).status, 400);
    });

    it('has the remaining figures when the counting source is taken back', async () => {
      const wrong = ticketed([701, FIRST], [702, SECOND.replace(/,20$/, ',25')]);
      for (const [first, second, left] of [
        [DEALS, wrong, 23.6],
        [wrong, DEALS, 18.6],
      ] as const) {
        const id = await newAccount(user);
        const { id: importId } = await imported(id, first);
        await imported(id, second);
        assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
        await takeBack(id, importId);
        assert.deepEqual(await profitsOf(id), [9.3, left]);
      }
    });

    it('is compared before storing, on request', async () => {
      const id = await newAccount(user);
      const ask = (file: string) =>
        user.post<Import & { first: { id: string }[] }>(`${base(id)}/statements?dryRun=true`, file);
      const first = await ask(DEALS);
      assert.deepEqual([first.status, first.body.added, first.body.id], [200, 4, undefined]);
      assert.equal(first.body.first[0]?.id, '9001');
      assert.deepEqual(await profitsOf(id), []);
      await imported(id, DEALS);
      const { body } = await ask(ticketed([701, FIRST], [702, SECOND.replace(/,20$/, ',25')]));
      assert.deepEqual([body.added, body.conflicts.length], [0, 1]);
      const { body: more } = await ask(
        ticketed([701, FIRST], [703, FIRST.replaceAll('-04', '-06')]),
      );
      assert.equal(more.added, 2);
      assert.deepEqual(await profitsOf(id), [9.3, 18.6]);
      const foreign = await ask(`account,${DEALS_HEAD}\n5,${DEALS.split('\n')[1]}`);
      assert.equal(foreign.status, 409);
      const { body: imports } = await user.call<unknown[]>('GET', `${base(id)}/imports`);
      assert.equal(imports.length, 1);
    });

    it('keeps two equal trades separate, and parts of one position together', async () => {
      const id = await newAccount(user);
      const twice = await imported(id, [ROWS_HEAD, FIRST, FIRST].join('\n'));
      assert.equal(twice.added, 4);
      const same = await imported(id, ticketed([1, FIRST], [2, FIRST], [3, FIRST]));
      assert.equal(same.added, 2);
      assert.deepEqual(await profitsOf(id), [9.3, 9.3, 9.3]);
    });
  });
