import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { balanceRow, p4Page, summaryRow, ticketRow } from '../fixtures/statements/p4.ts';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Import = {
  id: string;
  state: string;
  deals: number;
  added: number;
  netProfit: number;
  balance: number;
  carriedIn?: number;
  reconciliation: {
    figures: { name: string; stated: number; computed?: number }[];
    differences: string[];
  };
  warnings: string[];
};
type Deal = { id: string; profit: number; comment?: string; importId?: string };
type Page = { trades: { type: string; profit: number; positionId: string; closeTime: string }[] };

/** A closed trade of a day of March that earned so much. */
const trade = (ticket: number, day: number, profit: number): string =>
  ticketRow(
    `${ticket} | 2026.03.0${day} 10:00:00 | buy | 1.00 | eurusd | 1.10000 | 0 | 0 | ` +
      `2026.03.0${day} 11:00:00 | 1.10100 | 0.00 | 0.00 | 0.00 | ${profit.toFixed(2)}`,
  );
const deposit = balanceRow('1', '2026.03.01 00:00:00', 'Deposit', '1 000.00');
const report = (closed: string[], balance: number, fields: object = {}): string =>
  p4Page({ closed, summary: summaryRow('Balance', balance.toFixed(2)), ...fields });

for (const kind of testedOn()) {
  describe(`imports on ${kind}`, () => {
    let running: TestServer;
    let user: Client & { userId: string };
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());

    const newP4 = () => newAccount(user, { platform: 'p4', login: '7' });
    const base = (id: string) => `/users/current/accounts/${id}`;
    const upload = (id: string, file: string, query = '') =>
      user.post<Import & { message: string; details: { parameter: string }[] }>(
        `${base(id)}/statements${query}`,
        file,
      );
    const imported = async (id: string, file: string, query = ''): Promise<Import> => {
      const { status, body } = await upload(id, file, query);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const takeBack = async (id: string, importId: string): Promise<void> => {
      assert.equal((await user.call('DELETE', `${base(id)}/imports/${importId}`)).status, 204);
      await until(async () => {
        const left = await user.get<{ id: string }[]>(`${base(id)}/imports`);
        return left.body.every((each) => each.id !== importId);
      });
    };
    const balanceOf = async (id: string): Promise<number> =>
      (await user.asOfNow<{ balance: number }>(`${base(id)}/metrics`)).balance;
    const tradesOf = async (id: string): Promise<Page['trades']> => {
      const range = '2000-01-01%2000:00:00/2100-01-01%2000:00:00';
      return (await user.asOfNow<Page>(`${base(id)}/historical-trades/${range}`)).trades;
    };
    const dealsOf = async (id: string, query = ''): Promise<Deal[]> =>
      (await user.get<{ deals: Deal[] }>(`${base(id)}/deals${query}`)).body.deals;
    const auditOf = async (accountId: string): Promise<string[]> => {
      const operator = new Client(running.server.address, ADMIN_TOKEN);
      const path = `/admin/audit?userId=${user.userId}&accountId=${accountId}`;
      const { body } = await operator.get<{ action: string }[]>(path);
      return body.map(({ action }) => action);
    };

    it("are answered with the report's figures and those of its deals", async () => {
      const id = await newP4();
      const summary = [
        summaryRow('Balance', '1 100.00'),
        summaryRow('Closed Trade P/L', '100.00'),
        summaryRow('Profit Factor', '9.99'),
        summaryRow('Total Trades', '2'),
        summaryRow('Margin', '12.00'),
      ].join('');
      const closed = [deposit, trade(2, 2, 150), trade(3, 3, -50)];
      const { reconciliation } = await imported(id, p4Page({ closed, summary }));
      assert.deepEqual(reconciliation.differences, ['profit_factor']);
      assert.deepEqual(
        reconciliation.figures.map(({ name, stated, computed }) => [name, stated, computed]),
        [
          ['floating_pl', 0, 0],
          ['balance', 1100, 1100],
          ['closed_trade_pl', 100, 100],
          ['profit_factor', 9.99, 3],
          ['total_trades', 2, 2],
          ['margin', 12, undefined],
        ],
      );
    });

    it('are listed, newest first, and read again', async () => {
      const id = await newP4();
      const one = await imported(id, report([deposit], 1000));
      const two = await imported(id, report([deposit, trade(2, 2, 5)], 1005));
      const { body } = await user.get<Record<string, unknown>[]>(`${base(id)}/imports`);
      assert.deepEqual(
        body.map((each) => [each.id, each.state, each.deals, each.added, each.differences]),
        [
          [two.id, 'stored', 3, 2, 0],
          [one.id, 'stored', 1, 1, 0],
        ],
      );
      const read = await user.get<Import>(`${base(id)}/imports/${one.id}`);
      assert.deepEqual(read.body, one);
      assert.equal((await user.get(`${base(id)}/imports/none`)).status, 404);
    });

    it('of a repeated file are the same import, which restores deleted deals', async () => {
      const id = await newP4();
      const file = report([deposit, trade(2, 2, 5)], 1005);
      const first = await imported(id, file);
      assert.equal((await user.call('DELETE', `${base(id)}/deals/2-out`)).status, 204);
      assert.equal(await balanceOf(id), 1000);
      const again = await imported(id, file);
      assert.deepEqual([again.id, again.added], [first.id, 1]);
      assert.equal(await balanceOf(id), 1005);
    });

    it('of another currency or platform are always refused, of another login unless forced', async () => {
      const id = await newAccount(user, { platform: 'p4', login: '7' });
      await imported(id, report([deposit], 1000));
      const renumbered = report([trade(9, 9, 5)], 5, { login: '8' });
      assert.equal((await upload(id, renumbered)).status, 409);
      const forced = await imported(id, renumbered, '?force=true');
      assert.match(forced.warnings.join(), /login differs: the report has 8, the account 7/);
      const other = report([trade(3, 3, 6)], 5, { login: '8', currency: 'EUR' });
      for (const query of ['', '?force=true', '?adopt=true&force=true']) {
        const { status, body } = await upload(id, other, query);
        assert.equal(status, 409, JSON.stringify(body));
        const named = body.details.map(({ parameter }) => parameter);
        assert.deepEqual(named, ['login', 'currency']);
      }
      const p5 = await newAccount(user, { platform: 'p5', login: '7' });
      const sent = [
        { id: 'p', type: 'DEAL_TYPE_BALANCE', profit: 7, brokerTime: '2026-02-01 00:00:00' },
      ];
      assert.equal((await user.post(`${base(p5)}/deals`, sent)).status, 200);
      const { status, body } = await upload(p5, report([deposit], 1000), '?force=true');
      assert.deepEqual([status, body.details[0]?.parameter], [409, 'platform']);
      assert.equal((await dealsOf(id)).length, 3);
    });

    it('make an empty account that of the report, on request', async () => {
      const id = await newAccount(user, { platform: 'p5', login: '1001' });
      const file = report([deposit], 1000, { login: '8', currency: 'EUR' });
      const { status, body } = await upload(id, file, '?adopt=false&force=true');
      assert.equal(status, 409);
      assert.match(body.message, /adopt=true/);
      const first = await imported(id, file);
      assert.match(first.warnings[0] ?? '', /login 8 \(was 1001\), currency EUR \(was USD\)/);
      const { body: account } = await user.call<Record<string, unknown>>('GET', base(id));
      assert.deepEqual([account.login, account.currency, account.platform], ['8', 'EUR', 'p4']);
      assert.ok((await auditOf(id)).includes('account.changed'));
      const usd = report([trade(2, 2, 5)], 5, { login: '8' });
      assert.equal((await upload(id, usd, '?adopt=true')).status, 409);
    });

    it('in a currency of other units make the account theirs, to the last unit', async () => {
      const id = await newAccount(user, { platform: 'p4', login: '1001' });
      const file = report([deposit, trade(2, 2, 250)], 1250, { login: '8', currency: 'JPY' });
      assert.equal((await imported(id, file)).netProfit, 250);
      assert.equal(await balanceOf(id), 1250);
      const profits = (await tradesOf(id)).map(({ profit }) => profit);
      assert.deepEqual(profits, [1000, 250]);
    });

    it('of several accounts are refused until one is chosen', async () => {
      const id = await newAccount(user, { platform: 'p4', login: '71001' });
      const table =
        'account,ticket,symbol,type,volume,open time,open price,close time,close price,profit\n' +
        '71001,11,EURUSD,buy,0.1,2024-03-04 09:00,1.085,2024-03-04 11:00,1.086,10\n' +
        '71002,12,EURUSD,buy,1,2024-03-04 09:00,1.085,2024-03-04 11:00,1.086,100\n';
      const { status, body } = await upload(id, table);
      assert.equal(status, 400);
      assert.match(body.message, /71001 \(1 rows\), 71002 \(1 rows\)/);
      assert.equal((await upload(id, table, '?login=3')).status, 400);
      assert.equal((await imported(id, table, '?login=71001')).netProfit, 10);
      assert.equal((await upload(id, table, '?login=71002')).status, 409);
    });

    it('when taken back remove all deals that they alone brought; all figures follow', async () => {
      const id = await newP4();
      const pushed = { id: 'p', type: 'DEAL_TYPE_BALANCE', profit: 7 };
      const sent = [{ ...pushed, brokerTime: '2026-02-01 00:00:00' }];
      assert.equal((await user.post(`${base(id)}/deals`, sent)).status, 200);
      const rows = [deposit, trade(2, 2, 5), trade(3, 3, 6)];
      const short = await imported(id, p4Page({ closed: rows.slice(0, 2) }));
      const long = await imported(id, p4Page({ closed: rows }));
      const whole = await tradesOf(id);
      assert.equal(await balanceOf(id), 1018);
      await takeBack(id, short.id);
      assert.deepEqual(await tradesOf(id), whole);
      assert.ok((await dealsOf(id)).every((deal) => deal.id === 'p' || deal.importId === long.id));
      await takeBack(id, long.id);
      assert.equal(await balanceOf(id), 7);
      assert.deepEqual(
        (await dealsOf(id)).map((deal) => deal.id),
        ['p'],
      );
      assert.equal((await user.call('DELETE', `${base(id)}/imports/${long.id}`)).status, 404);
      const actions = await auditOf(id);
      assert.ok(actions.includes('statement.imported'));
      assert.ok(actions.includes('statement.taken-back'));
    });

    it('state their initial balance, in any order', async () => {
      const id = await newP4();
      const late = await imported(id, report([trade(5, 5, 50)], 1200));
      assert.equal(late.carriedIn, 1150);
      assert.equal(await balanceOf(id), 1200);
      const carried = (await tradesOf(id)).filter(({ type }) => type === 'DEAL_TYPE_BALANCE');
      assert.deepEqual(
        carried.map(({ profit, closeTime }) => [profit, closeTime]),
        [[1150, '2026-03-05 10:59:59.999']],
      );
      const early = await imported(id, report([deposit, trade(2, 2, 150)], 1150));
      assert.equal(await balanceOf(id), 1200);
      assert.deepEqual(
        (await tradesOf(id)).map(({ profit }) => profit),
        [1000, 150, 50],
      );
      await takeBack(id, early.id);
      assert.deepEqual(
        (await tradesOf(id)).map(({ profit }) => profit),
        [1150, 50],
      );
    });

    it('can have single deals read back, corrected and deleted', async () => {
      const id = await newP4();
      const { id: importId } = await imported(id, report([deposit, trade(2, 2, 5)], 1005));
      const deals = await dealsOf(id);
      assert.deepEqual(
        deals.map((deal) => [deal.id, deal.profit, deal.importId]),
        [
          ['1', 1000, importId],
          ['2-in', 0, importId],
          ['2-out', 5, importId],
        ],
      );
      const { id: dealId, importId: _, ...exit } = deals[2] ?? { id: '' };
      const put = (body: object) => user.call('PUT', `${base(id)}/deals/${dealId}`, body);
      assert.equal((await put({ ...exit, profit: 25 })).status, 204);
      assert.equal(await balanceOf(id), 1025);
      assert.deepEqual(await dealsOf(id, '?startTime=2026-03-02%2011:00:00'), [
        { ...exit, id: dealId, profit: 25, importId },
      ]);
      assert.equal((await put({ ...exit, symbol: undefined })).status, 400);
      assert.equal((await user.call('PUT', `${base(id)}/deals/none`, exit)).status, 404);
      assert.equal((await user.call('DELETE', `${base(id)}/deals/none`)).status, 404);
      assert.equal((await user.call('DELETE', `${base(id)}/deals/${dealId}`)).status, 204);
      assert.equal(await balanceOf(id), 1000);
      const actions = await auditOf(id);
      assert.ok(actions.includes('deal.corrected') && actions.includes('deal.deleted'));
    });

    it('page through deals from the last one of a page', async () => {
      const id = await newP4();
      const sent = Array.from({ length: 25 }, (_, n) => ({
        ...{ id: `${n}`, type: 'DEAL_TYPE_BALANCE', profit: 1 },
        brokerTime: `2026-03-01 00:00:0${n % 3}`,
      }));
      assert.equal((await user.post(`${base(id)}/deals`, sent)).status, 200);
      const ids: string[] = [];
      let query = '?limit=4';
      for (;;) {
        const { body } = await user.get<{ deals: Deal[]; next?: string }>(
          `${base(id)}/deals${query}`,
        );
        ids.push(...body.deals.map((deal) => deal.id));
        if (body.next === undefined) break;
        query = `?limit=4&after=${body.next}`;
      }
      assert.equal(ids.length, 25);
      assert.equal(new Set(ids).size, 25);
      const until2 = await dealsOf(id, '?endTime=2026-03-01%2000:00:01');
      assert.equal(until2.length, 9);
      for (const bad of ['after=x', 'startTime=x', 'limit=0'])
        assert.equal((await user.get(`${base(id)}/deals?${bad}`)).status, 400, bad);
    });
  });
}
