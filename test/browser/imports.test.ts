import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  JOURNALS,
  journalCsv,
  journalTrades,
  LISTS_OF_TRADES,
} from '../../scripts/sample-statements/journals.ts';
import { p5TesterPage } from '../../scripts/sample-statements/p5-tester.ts';
import { p5TradePage } from '../../scripts/sample-statements/p5-variants.ts';
import { hedgingSample, P5_ACCOUNT } from '../../scripts/sample-statements/samples.ts';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { accessibilityFaults, hiddenAside, overflow } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };

const sample = hedgingSample();
const trades = journalTrades(sample).slice(0, 40);
/** A tester pays in once. */
const tested = { ...sample, operations: sample.operations.slice(0, 1) };
const nothing = { headings: [], rowsOf: () => [] };

/** A file of each family of kinds, and what the page calls it. */
const FILES: [name: string, words: string, content: Buffer][] = [
  ['tester.html', 'MetaTrader 5 strategy tester report', p5TesterPage(tested, P5_ACCOUNT)],
  ['open.html', 'MetaTrader 5 report of open positions', p5TradePage(sample, P5_ACCOUNT)],
  ['ctrader.csv', 'Table of closed trades', journalCsv(JOURNALS.cTrader ?? nothing, trades)],
  [
    'tradingview.csv',
    "Strategy's list of trades",
    journalCsv(LISTS_OF_TRADES['TradingView since 2025'] ?? nothing, trades),
  ],
];

describe('the import page', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  for (const [name, words, buffer] of FILES) {
    it(`shows the outcome of ${name}`, async (test) => {
      const user = await newUser(dashboard.address);
      const { login } = P5_ACCOUNT;
      const id = await newAccount(user, { login });
      const at = `#/accounts/${id}?tab=import`;
      const page = await dashboard.open(test, { token: user.token, at });
      const mimeType = 'application/octet-stream';
      await page.getByLabel('Choose files').setInputFiles({ name, mimeType, buffer });
      await page.getByText(/^(?:Imported: .* deals are new|Nothing imported)/).waitFor();
      await page.getByText(words).first().waitFor();
      const imported = page.getByRole('table', { name: 'Imported files' });
      await imported.getByText(words).waitFor();
      await imported.getByText(name, { exact: true }).waitFor();
      assert.equal(await page.getByText(/left out/).count(), 0);
    });
  }

  it('asks for the columns of an unknown table, and shows its first deals', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user);
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=import` },
    });
    const buffer = Buffer.from('When,Side,Symbol,Much,Got\n2026-03-02 10:00:00,buy,EURUSD,1,50\n');
    const file = { name: 'mine.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel('Choose files').setInputFiles(file);
    await page.getByRole('button', { name: 'Say what its columns hold' }).click();
    for (const [label, field] of [
      ['When', 'closeTime'],
      ['Much', 'volume'],
      ['Got', 'netProfit'],
    ] as const)
      await page.getByLabel(label, { exact: true }).selectOption(field);
    await page.getByRole('button', { name: 'Save and look' }).click();
    const first = page.getByRole('table', { name: 'First deals' });
    await first.getByText('+50.00').waitFor();
    await page.getByRole('button', { name: 'Import it' }).click();
    await page.getByText(/^Imported: 1 deal is new/).waitFor();
    await page.getByRole('button', { name: 'Delete the mapping “mine”' }).waitFor();
  });

  it('makes an account of a dropped file', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('button', { name: 'Start from a statement' }).first().click();
    const buffer = p5TesterPage(tested, P5_ACCOUNT);
    const file = { name: 'tester.html', mimeType: 'text/html', buffer };
    await page.getByLabel('Choose files').setInputFiles(file);
    await page.getByText('Nothing is stored yet').waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('From a file');
    await page.getByRole('button', { name: 'Make the account and import' }).click();
    await page.getByRole('heading', { name: 'From a file' }).waitFor();
    const { body } = await user.get<{ name: string }[]>('/users/current/accounts');
    assert.deepEqual(
      body.map(({ name }) => name),
      ['From a file'],
    );
  });

  it('makes an account of each of several files, and leaves out one that is not wanted', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('button', { name: 'Start from a statement' }).first().click();
    const files = ['one.html', 'two.html', 'three.html'].map((name) => ({
      ...{ name, mimeType: 'text/html', buffer: p5TesterPage(tested, P5_ACCOUNT) },
    }));
    await page.getByLabel('Choose files').setInputFiles(files);
    await page.getByText('After this one: two.html, three.html').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    for (const [name, file] of [
      ['Account one', 'one.html'],
      ['Account three', 'three.html'],
    ] as const) {
      await page.getByText(`${file} has`).waitFor();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Make the account and import' }).click();
      if (file !== 'one.html') continue;
      await page.getByText('two.html has').waitFor();
      await page.getByRole('button', { name: 'Leave this one out' }).click();
    }
    await page.getByRole('heading', { name: 'Account three' }).waitFor();
    const { body } = await user.get<{ name: string }[]>('/users/current/accounts');
    assert.deepEqual(body.map(({ name }) => name).sort(), ['Account one', 'Account three']);
  });

  it('shows figures and days of a file dropped on any page of a phone', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/rules', browser: { viewport: PHONE } },
    });
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    const rows =
      'Ticket,Open Time,Close Time,Type,Symbol,Lots,Open Price,Close Price,Profit\n' +
      '7,2026-03-02 10:00:00,2026-03-02 11:00:00,buy,EURUSD,1,1.1,1.2,50\n' +
      '8,2026-03-03 10:00:00,2026-03-04 11:00:00,sell,GBPUSD,1,1.3,1.4,-20.5\n';
    await page.evaluate(`(() => {
      const carried = new DataTransfer();
      carried.items.add(new File([${JSON.stringify(rows)}], 'march.csv'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: carried, cancelable: true }));
    })()`);
    await page.getByText('Nothing is stored yet').waitFor();
    const dialog = page.getByRole('dialog');
    for (const [label, text] of [
      ['Name', 'From a phone'],
      ['Broker', 'Test broker'],
      ['Login', '7700'],
    ] as const)
      await dialog.getByLabel(label).first().fill(text);
    await dialog.getByRole('button', { name: 'Make the account and import' }).click();
    await page.getByRole('heading', { level: 1, name: 'From a phone' }).waitFor();
    assert.deepEqual(await overflow(page), []);
    await page.getByTitle('2026-03-04: −20.50 USD, 1 trade').click();
    const table = page.getByRole('table', { name: 'Closed trades' });
    await table.getByText('GBPUSD').waitFor();
    assert.equal(await table.getByText('EURUSD').count(), 0);
    await table.getByRole('button', { name: 'All of GBPUSD 8' }).click();
    await table.getByText('1.3 → 1.4').last().waitFor();
    assert.deepEqual([...(await overflow(page)), ...(await accessibilityFaults(page))], []);
    await page.reload();
    await table.getByText('GBPUSD').waitFor();
    assert.equal(await table.getByText('EURUSD').count(), 0);
  });

  it('has conflicts between sources settled', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user);
    const rows = (profit: string) =>
      'Ticket,Open Time,Close Time,Type,Symbol,Lots,Open Price,Close Price,Profit\n' +
      `7,2026-03-02 10:00:00,2026-03-02 11:00:00,buy,EURUSD,1,1.1,1.2,${profit}\n`;
    for (const profit of ['50', '60'])
      await user.post(`/users/current/accounts/${id}/statements`, rows(profit));
    const at = `#/accounts/${id}?tab=import`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByText('1 conflict', { exact: true }).waitFor();
    await page.getByText('Position 7: an earlier import has a result of 50').waitFor();
    await page.getByRole('button', { name: '60 is right' }).click();
    await page.getByText('Conflicts between sources').waitFor({ state: 'detached' });
    const { balance } = await user.asOfNow<{ balance: number }>(
      `/users/current/accounts/${id}/metrics`,
    );
    assert.equal(balance, 60);
  });

  it('is followed by trades, with their excursions if snapshots show them', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user);
    const own = `/users/current/accounts/${id}`;
    const at = (time: string): string => `2026-03-02 ${time}`;
    const deal = { swap: 0, commission: 0, fee: 0 };
    const held = { ...deal, positionId: '7', symbol: 'EURUSD', volume: 1, price: 1.1 };
    await user.post(`${own}/deals`, [
      { ...deal, id: '1', type: 'DEAL_TYPE_BALANCE', profit: 1000, brokerTime: at('08:00:00') },
      ...[
        { ...held, id: '2', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN', profit: 0 },
        { ...held, id: '3', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', profit: 50 },
      ].map((one, index) => ({ ...one, brokerTime: at(index === 0 ? '10:05:00' : '10:50:00') })),
    ]);
    const seen = (time: string, balance: number, equity: number) => ({
      ...{ accountId: id, brokerTime: at(time), balance, equity },
    });
    await user.post('/users/current/snapshots', [
      ...[seen('09:50:00', 1000, 1000), seen('10:10:00', 1000, 970)],
      ...[seen('10:40:00', 1000, 1075), seen('10:55:00', 1050, 1050)],
      seen('12:30:00', 1050, 1050),
    ]);
    // Hours are stored with the next checkpoint.
    await until(async () => {
      const path = `${own}/trades?includeExcursions=true&kind=buy`;
      const { body } = await user.get<{ trades?: object[] }>(path);
      return body.trades?.some((trade) => 'maximumAdverseExcursion' in trade) === true;
    }, 'an excursion');
    const visit = { token: user.token, at: `#/accounts/${id}?tab=trades` };
    const page = await dashboard.open(test, visit);
    await page.setViewportSize({ width: 1280, height: 720 });
    const row = page.getByRole('row').filter({ hasText: 'EURUSD' });
    await row.waitFor();
    assert.deepEqual(await hiddenAside(page), [], 'the table is wider than its card');
    await row.getByRole('button', { name: 'All of EURUSD 7' }).click();
    const opened = page.getByRole('row').filter({ hasText: 'MAE, MFE' });
    assert.match((await opened.textContent()) ?? '', /≈ [-−]30\.00 … \+75\.00/);
    await opened.getByText('How?').click();
    await opened.getByText(/lowest, and highest, equity .* − balance before it/).waitFor();
  });
});
