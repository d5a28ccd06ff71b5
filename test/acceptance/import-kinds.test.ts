import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  JOURNALS,
  journalCsv,
  journalRows,
  journalTrades,
  LISTS_OF_TRADES,
} from '../../scripts/sample-statements/journals.ts';
import { p4StatementPage } from '../../scripts/sample-statements/p4-statement.ts';
import { p5HistoryPage, p5HistoryWorkbook } from '../../scripts/sample-statements/p5-report.ts';
import { p5TesterPage } from '../../scripts/sample-statements/p5-tester.ts';
import {
  headlessPage,
  p5TradePage,
  sheetsWorkbook,
  unnumberedOpenPage,
} from '../../scripts/sample-statements/p5-variants.ts';
import {
  hedgingSample,
  NETTING_ACCOUNT,
  nettingSample,
  P4_ACCOUNT,
  P5_ACCOUNT,
  p4Sample,
} from '../../scripts/sample-statements/samples.ts';
import { plainWorkbookFiles } from '../../scripts/sample-statements/sheet.ts';
import { zipOf } from '../../scripts/sample-statements/zip.ts';
import { testerPage } from '../fixtures/statements/p4.ts';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server');

/** A file of each kind that docs/statements.md lists, and what must come of it. */
type Kind = {
  file: Uint8Array | string;
  kind: string;
  currency?: string;
  /** Closed positions, where the sample counts them. */
  trades?: number;
  netProfit?: number;
  openPositions?: number;
  /** The fixture states figures of no trades in particular. */
  statesAnything?: boolean;
};

const sample = hedgingSample();
const ticketed = p4Sample();
const tested = { ...sample, operations: sample.operations.slice(0, 1) };
const listed = journalTrades(sample).slice(0, 40);
const cents = (amounts: readonly number[]): number =>
  Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(2));
const made = cents(listed.map(({ profit, swap, commission }) => profit + swap + commission));
const closedOf = ({ positions }: typeof sample): number =>
  positions.filter(({ lotsLeft }) => lotsLeft === 0).length;
const openOf = ({ positions }: typeof sample): number =>
  positions.filter(({ lotsLeft }) => lotsLeft > 0).length;

const p5 = {
  ...{ kind: 'p5-history', trades: closedOf(sample), openPositions: openOf(sample) },
};

const TESTER_WORDS = {
  columns: '#|Time|Type|Order|Size|Price|S / L|T / P|Profit|Balance'.split('|'),
  ...{ figure: 'Figure', symbol: 'Symbol' },
};

const REPORTS: Record<string, Kind> = {
  'a p4 statement': {
    ...{ file: p4StatementPage(ticketed, P4_ACCOUNT), kind: 'p4-statement' },
    ...{ trades: ticketed.positions.flatMap(({ fills }) => fills.slice(1)).length },
  },
  'a p4 tester page': {
    file: testerPage(TESTER_WORDS, '1000.00', '30.00', [
      '1 | 2026.01.02 11:00 | buy | 1 | 1.00 | 1.10000 | 0 | 0 | ',
      '2 | 2026.01.02 11:30 | buy limit | 2 | 1.00 | 1.09000 | 0 | 0 | ',
      '3 | 2026.01.02 12:00 | t/p | 1 | 1.00 | 1.10030 | 0 | 0 | 30.00 | 1030.00',
      '4 | 2026.01.02 13:00 | expiration | 2 | 1.00 | 1.09000 | 0 | 0 | ',
    ]),
    ...{ kind: 'p4-tester', trades: 1, netProfit: 30, statesAnything: true },
  },
  'a p5 history page': { ...p5, file: p5HistoryPage(sample, P5_ACCOUNT) },
  'a p5 history workbook': { ...p5, file: p5HistoryWorkbook(sample, P5_ACCOUNT) },
  'a p5 history in Japanese': {
    ...{ ...p5, file: p5HistoryPage(sample, { ...P5_ACCOUNT, language: 'ja' }) },
  },
  'a p5 history with a masked login': {
    ...{ ...p5, file: p5HistoryPage(sample, { ...P5_ACCOUNT, login: 'XXXXX01' }) },
  },
  'a p5 history without head rows': { ...p5, file: headlessPage(sample, P5_ACCOUNT) },
  'a p5 history over several sheets': { ...p5, file: sheetsWorkbook(sample, P5_ACCOUNT) },
  'a p5 history of 2011': { ...p5, file: unnumberedOpenPage(sample, P5_ACCOUNT) },
  'a p5 history of positions closed in part': {
    ...{ ...p5, file: p5HistoryPage(sample, { ...P5_ACCOUNT, listsParts: true }) },
  },
  'a p5 history of a netting account': {
    ...{ file: p5HistoryPage(nettingSample(), NETTING_ACCOUNT), kind: 'p5-history' },
    currency: 'JPY',
  },
  'a p5 tester page': {
    ...{ file: p5TesterPage(tested, P5_ACCOUNT), kind: 'p5-tester' },
    trades: closedOf(sample),
  },
  'a p5 trade report': {
    ...{ file: p5TradePage(sample, P5_ACCOUNT), kind: 'p5-trade', trades: 0, netProfit: 0 },
    openPositions: openOf(sample),
  },
};

const journal = (layout: (typeof JOURNALS)[string]) => journalCsv(layout, listed);
const TABLES: Record<string, Kind> = {
  ...Object.fromEntries(
    Object.entries(JOURNALS).map(([name, layout]): [string, Kind] => [
      `closed trades of ${name}`,
      {
        ...{ file: journal(layout), kind: 'closed-trades', trades: listed.length },
        // ZuluTrade lists no commission.
        netProfit:
          name === 'ZuluTrade' ? cents(listed.map(({ profit, swap }) => profit + swap)) : made,
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LISTS_OF_TRADES).map(([name, layout]): [string, Kind] => [
      `the list of trades of ${name}`,
      {
        ...{ file: journal(layout), kind: 'list-of-trades' },
        ...{ trades: listed.length, netProfit: made },
      },
    ]),
  ),
  'a flat workbook': {
    file: zipOf(
      plainWorkbookFiles([
        journalRows(JOURNALS.TradeLocker ?? { headings: [], rowsOf: () => [] }, listed).map((row) =>
          row.map(String),
        ),
      ]),
    ),
    ...{ kind: 'closed-trades', trades: listed.length, netProfit: made },
  },
  'history_deals_get as csv': {
    file:
      'ticket;order;time;time_msc;type;entry;magic;position_id;reason;volume;price;commission;swap;profit;fee;symbol;comment;external_id\n' +
      '10;0;1777000000;1777000000123;2;0;0;0;0;0.0;0.0;0.0;0.0;1000.0;0.0;;in;\n' +
      '11;21;1777000001;1777000001250;0;0;5;21;0;0.01;0.7982;-0.1;0.0;0.0;0.0;USDCHF;;\n' +
      '12;22;1777000002;1777000002500;1;1;0;21;0;0.01;0.79911;0.0;-0.2;1.14;-0.05;USDCHF;;\n',
    ...{ kind: 'deals', trades: 1, netProfit: 0.79 },
  },
  'open positions alone': {
    file: 'Ticket,Open Date,Symbol,Action,Units/Lots,Open Price,Profit\n2,01/21/2026 09:00,EURUSD,Sell,0.2,1.3,-4\n',
    ...{ kind: 'open-trades', trades: 0, netProfit: 0, openPositions: 1 },
  },
};

type Import = {
  kind: string;
  trades: number;
  netProfit: number;
  openPositions: number;
  balance: number;
  added: number;
  deals: number;
  reconciliation: { differences: string[] };
  warnings: string[];
};

describe('a file of each kind', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  const accountFor = async ({ kind, currency = 'USD' }: Kind): Promise<string> => {
    const platform = kind.startsWith('p4') ? 'p4' : 'p5';
    return `/users/current/accounts/${await newAccount(user, { platform, currency })}`;
  };

  for (const [name, expected] of Object.entries({ ...REPORTS, ...TABLES })) {
    it(`${name} becomes trades and statistics`, async () => {
      const account = await accountFor(expected);
      const upload = () => user.post<Import>(`${account}/statements`, expected.file);
      const { status, body } = await upload();
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.kind, expected.kind);
      if (!expected.statesAnything) assert.deepEqual(body.reconciliation.differences, []);
      assert.ok(!body.warnings.some((warning) => /left out/.test(warning)), `${body.warnings}`);
      if (expected.trades !== undefined) assert.equal(body.trades, expected.trades);
      if (expected.netProfit !== undefined) assert.equal(body.netProfit, expected.netProfit);
      if (expected.openPositions !== undefined)
        assert.equal(body.openPositions, expected.openPositions);
      const metrics = await user.asOfNow<{ trades: number; balance: number }>(`${account}/metrics`);
      assert.equal(metrics.trades, body.trades);
      if (body.deals > 0) assert.equal(metrics.balance, body.balance);
      assert.equal((await upload()).body.added, 0);
    });
  }

  it("our own API's list reads back unchanged", async () => {
    const first = await accountFor({ file: '', kind: 'p5' });
    await user.post(`${first}/statements`, p5HistoryPage(sample, P5_ACCOUNT));
    const deals: object[] = [];
    for (let query = '?limit=1000'; ; ) {
      const page = await user.asOfNow<{ deals: object[]; next?: string }>(`${first}/deals${query}`);
      deals.push(...page.deals);
      if (page.next === undefined) break;
      query = `?limit=1000&after=${encodeURIComponent(page.next)}`;
    }
    const second = await accountFor({ file: '', kind: 'p5' });
    const { status, body } = await user.post<Import>(
      `${second}/statements`,
      JSON.stringify({ deals }),
    );
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.kind, body.deals], ['deals', deals.length]);
    const of = (account: string) =>
      user
        .asOfNow<Record<string, unknown>>(`${account}/metrics`)
        .then((metrics) => metrics.dailyGrowth);
    assert.deepEqual(await of(second), await of(first));
  });

  for (const [name, file, where] of [
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls/],
    ['a table of which no row is understood', 'Ticket,Type,Profit\n1,what,2\n', /./],
  ] as const)
    it(`${name} is refused by its name`, async () => {
      const account = await accountFor({ file, kind: 'p5' });
      const answer = await user.post<{ message: string }>(`${account}/statements`, file);
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, where);
    });
});
