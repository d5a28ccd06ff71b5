import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from 'playwright-core';
import { needs } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import { movedClock } from '../servers/moved-clock.ts';
import {
  newAccount,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { addDeals, addTracker, brokerTime, push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { SERVER_GONE } from './witness.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };

const statement = (file: string): string =>
  fileURLToPath(new URL(`../../src/demo/statements/${file}`, import.meta.url));

const region = (page: Page, name: string) => page.getByRole('region', { name });

describe('the dashboard says only what is true', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard({
      PLIMSOLL_QUOTAS: 'maxAccounts=5000',
      ...movedClock(13 * 60_000, { onSignal: true }),
    });
  });
  after(() => dashboard.close());

  it('calls old snapshots stale, in the list and on the page of the account', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Silent');
    await push(user, id, { minutes: 0, equity: 9900 });
    const page = await dashboard.open(test, { token: user.token });
    const row = page.getByRole('row').filter({ hasText: 'Silent' });
    await row.getByText('Live', { exact: true }).waitFor();
    dashboard.server.server.process.kill('SIGUSR2');
    await row.getByText('Stale', { exact: true }).waitFor();
    // Some more where the page took its time.
    const age = /^1[3-9] min ago$/;
    await row.getByText(age).waitFor();
    await page.goto(`/#/accounts/${id}`);
    const panel = region(page, 'Where it stands');
    await panel.getByText('Stale', { exact: true }).waitFor();
    await panel.getByText(age).waitFor();
    assert.equal(await page.getByText('Live', { exact: true }).count(), 0);
    await push(user, id, { minutes: 0, equity: 9900 });
    await panel.getByText('Live', { exact: true }).waitFor();
  });

  it('draws the small line to scale, with a gap where nothing came', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Ten hours old');
    const equities = [10_000, 10_050, 9_950, 9_900];
    const minutes = [-600, -530, -70, -1];
    await push(user, id, ...minutes.map((at, n) => ({ minutes: at, equity: equities[n] ?? 0 })));
    const page = await dashboard.open(test, { token: user.token });
    const lines = page.getByRole('img', { name: 'Equity of Ten hours old' }).locator('polyline');
    await until(async () => (await lines.count()) === 2, 'both sides of the gap');
    const [begin] = ((await lines.first().getAttribute('points')) ?? '').split(',').map(Number);
    // Ten of 72 hours, of a width of 120.
    assert.ok(begin && begin > 100, `it begins at ${begin}`);
  });

  it('shows as many digits as a coin has, in cells and in words', async (test) => {
    const user = await newUser(dashboard.address);
    const account = { currency: 'BTC' };
    const id = await watchedAccount(user, 'Coins', { absoluteDrawdownThreshold: 0.5 }, account);
    await push(user, id, { minutes: 0, balance: 1, equity: 1.00412 });
    const page = await dashboard.open(test, { token: user.token });
    const row = page.getByRole('row').filter({ hasText: 'Coins' });
    await row.getByText('+0.00412000').waitFor();
    await page.goto(`/#/accounts/${id}`);
    await region(page, 'Where it stands').getByText('+0.00412000').first().waitFor();
  });

  it('has one balance for the chart, the list and the API', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'With an open position' });
    await addDeals(user, id, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000, brokerTime: '2026-01-05 09:00:00' },
      {
        ...{ id: '2', positionId: 'p', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
        ...{ symbol: 'EURUSD', volume: 2, price: 1.1, profit: 0, commission: -70 },
        brokerTime: '2026-01-06 09:00:00',
      },
      {
        ...{ id: '3', positionId: 'p', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1.2, profit: 500 },
        brokerTime: '2026-01-07 09:00:00',
      },
    ]);
    const path = `/users/current/accounts/${id}/metrics`;
    const metrics = await user.get<{ balance: number }>(path);
    assert.equal(metrics.body.balance, 10_430);
    const page = await dashboard.open(test, { token: user.token });
    await page.getByRole('row').filter({ hasText: '10,430.00' }).waitFor();
    await page.goto(`/#/accounts/${id}`);
    await region(page, 'Balance').getByText('10,430.00').waitFor();
  });

  it('has a profit that makes the balance of the deposits, open positions or not', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'One of two closed' });
    const trade = { symbol: 'EURUSD', volume: 1, price: 1.1 };
    await addDeals(user, id, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000, brokerTime: '2026-01-05 09:00:00' },
      {
        ...{ ...trade, id: '2', positionId: 'p', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{ profit: 500, brokerTime: '2026-01-07 09:00:00' },
      },
      {
        ...{ ...trade, id: '3', positionId: 'q', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
        ...{ profit: 0, commission: -70, brokerTime: '2026-01-08 09:00:00' },
      },
    ]);
    const page = await dashboard.open(test, { token: user.token, at: `#/accounts/${id}` });
    await region(page, 'Balance').getByText('10,430.00').waitFor();
    const booked = page.locator('.stat').filter({ hasText: 'Profit booked' });
    await booked.getByText('+430.00').waitFor();
    await booked.getByText('−70.00').waitFor();
    await booked.getByText('+500.00').waitFor();
  });

  it("counts a withdrawal as no drawdown, and draws the card's values", async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Paid out');
    await push(user, id, { minutes: -300, equity: 10_000 }, { minutes: -240, equity: 9800 });
    await addDeals(user, id, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000, brokerTime: brokerTime(-400) },
      { id: '2', type: 'DEAL_TYPE_BALANCE', profit: -5000, brokerTime: brokerTime(-150) },
      {
        ...{ id: '3', positionId: 'p', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1.1, profit: 0, brokerTime: brokerTime(-290) },
      },
      {
        ...{ id: '4', positionId: 'p', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1.1, profit: 100, brokerTime: brokerTime(-200) },
      },
    ]);
    await push(
      user,
      id,
      { minutes: -180, balance: 10_100, equity: 10_100 },
      { minutes: -120, balance: 5100, equity: 5100 },
      { minutes: -60, balance: 5100, equity: 5100 },
      { minutes: -1, balance: 5100, equity: 5100 },
    );
    const page = await dashboard.open(test, { token: user.token, at: `#/accounts/${id}` });
    const card = page.locator('.stat').filter({ hasText: 'Largest drawdown' });
    await card.getByText('2.00 %').waitFor();
    const chart = region(page, 'Equity and balance');
    await chart.getByText('Below the high').waitFor();
    await chart.getByText('0.00 %').waitFor();
    // Back to the loss before the withdrawal.
    await chart.getByRole('figure').focus();
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowLeft');
    await chart.getByText('10,000.00').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await chart.getByText('2.00 %').waitFor();
  });

  it('has no gain in percent for an account with an unknown deposit', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Without a deposit' });
    await addDeals(user, id, [
      {
        ...{ id: '1', positionId: 'p', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{
          symbol: 'EURUSD',
          volume: 1,
          price: 1.1,
          profit: 10,
          brokerTime: '2026-01-05 09:00:00',
        },
      },
      {
        ...{ id: '2', positionId: 'q', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{
          symbol: 'EURUSD',
          volume: 1,
          price: 1.1,
          profit: 900,
          brokerTime: '2026-01-06 09:00:00',
        },
      },
    ]);
    const page = await dashboard.open(test, { token: user.token, at: `#/accounts/${id}` });
    const card = page.locator('.stat').filter({ hasText: /^Gain/ });
    await card.getByText('Unknown').waitFor();
    await card.getByText('–', { exact: true }).waitFor();
    assert.equal(await page.getByText(/9,000/).count(), 0);
  });

  it("shows a tracker's present measurements, next to those frozen at the breach", async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Fallen', { absoluteDrawdownThreshold: 1000 });
    await push(
      user,
      id,
      { minutes: -3, equity: 10_000 },
      { minutes: -2, equity: 8150 },
      { minutes: -1, equity: 6150 },
    );
    const page = await dashboard.open(test, { token: user.token });
    await page.getByRole('row').filter({ hasText: 'Fallen' }).getByText('385 %').waitFor();
    await page.goto(`/#/accounts/${id}?tab=trackers`);
    const tracker = region(page, 'Limit of Fallen');
    await tracker.getByText('385 % used').waitFor();
    await tracker.getByText('2,850.00').waitFor();
    await tracker.getByText('Largest drawdown until then').waitFor();
    await tracker.getByText('185 %').waitFor();
    await tracker.getByText(/stopped when it was exceeded/).waitFor();
  });

  it('shows the present state of a limit that was exceeded or reached before', async (test) => {
    const user = await newUser(dashboard.address);
    const thresholds = { absoluteDrawdownThreshold: 1000, absoluteProfitThreshold: 500 };
    const id = await watchedAccount(user, 'Back again', thresholds);
    const won = await watchedAccount(user, 'Won', { absoluteProfitThreshold: 500 });
    await push(user, id, { minutes: -4, equity: 10_000 }, { minutes: -3, equity: 8900 });
    await push(user, id, { minutes: -1, equity: 9300 });
    await push(user, won, { minutes: -4, equity: 10_000 }, { minutes: -3, equity: 10_600 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page
      .getByRole('link', { name: /^1 Exceeded Broke a loss limit in this period/ })
      .waitFor();
    await page.goto(`/#/accounts/${id}`);
    const panel = region(page, 'Where it stands');
    await panel.getByText('Exceeded', { exact: true }).waitFor();
    await panel.getByText('300.00 USD now above the floor').waitFor();
    await page.goto(`/#/accounts/${won}`);
    await panel.getByText('Target reached').waitFor();
    await panel.getByText('100.00 USD above the target').waitFor();
    await push(user, won, { minutes: -1, equity: 10_200 });
    await panel.getByText('300.00 USD now below the target').waitFor();
  });

  it('does not reassure about unwatched accounts', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('There are no accounts yet, so nothing is watched.').waitFor();
    const id = await newAccount(user, { name: 'Unwatched one', brokerClock: { zone: 'UTC' } });
    await push(user, id, { minutes: 0, equity: 10_000 });
    await page.reload();
    await page.getByText(/This does not mean that all is well: 1 in use without/).waitFor();
    assert.equal(await page.getByText('All within limits').count(), 0);
    await page.getByRole('link', { name: 'Show these accounts' }).click();
    await region(page, 'Accounts without a loss limit').getByText('Unwatched one').waitFor();
    await addTracker(user, id, {
      ...{ name: 'Daily', period: 'date', relativeDrawdownThreshold: 0.05 },
    });
    await push(user, id, { minutes: 0.01, equity: 10_000 });
    await page.getByText('All within limits').waitFor();
  });

  it('opens another tab signed in, and signs out of all', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token });
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Quotas' }).click({ modifiers: ['ControlOrMeta'] });
    const tab = await opened;
    await tab.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
  });

  it('moves no account past the one that has the focus until it is asked to', async (test) => {
    const user = await newUser(dashboard.address);
    const ids = new Map<string, string>();
    for (const [name, equity] of [
      ['First', 9300],
      ['Second', 9500],
      ['Third', 9700],
    ] as const) {
      const id = await watchedAccount(user, name);
      ids.set(name, id);
      await push(user, id, { minutes: -2, equity });
    }
    const page = await dashboard.open(test, { token: user.token });
    const rows = page.locator('[role=row] a');
    // Measurements are shown with the checkpoint that stores them.
    const names = async (): Promise<string> => (await rows.allInnerTexts()).join();
    await until(async () => (await names()) === 'First,Second,Third', 'the order of their losses');
    await page.getByRole('link', { name: 'Second' }).focus();
    await push(user, ids.get('Third') ?? '', { minutes: -1, equity: 9100 });
    const newOrder = page.getByRole('button', { name: 'The order has changed' });
    await newOrder.waitFor();
    assert.equal(await names(), 'First,Second,Third');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Second');
    await newOrder.click();
    await until(async () => (await rows.first().textContent()) === 'Third', 'the new order');
  });

  it('calculates margin for the requested account, among thousands', async (test) => {
    const user = await newUser(dashboard.address);
    const names = Array.from({ length: 1010 }, (_, n) => `Many ${String(n).padStart(4, '0')}`);
    for (let start = 0; start < names.length; start += 10) {
      await Promise.all(names.slice(start, start + 10).map((name) => newAccount(user, { name })));
    }
    const last = await newAccount(user, { id: 'zz-last', name: 'The one I want', login: '4711' });
    const page = await dashboard.open(test, {
      token: user.token,
      at: `#/margin?account=${last}`,
    });
    const picker = page.getByRole('combobox', { name: 'Account' });
    await picker.waitFor();
    assert.match(await picker.inputValue(), /^The one I want · 4711/);
    await picker.fill('many 1009');
    await page.getByRole('option', { name: /Many 1009/ }).click();
    const isChosen = async () => (await picker.inputValue()).startsWith('Many 1009');
    await until(isChosen, 'the chosen account');
    await picker.fill('no such account at all');
    await page.getByLabel('Symbol').focus();
    await until(isChosen, 'the account that was chosen before');
  });

  it('says which account a report belongs to, compares its figures and takes it back', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'In dollars' });
    const at = `#/accounts/${id}?tab=import`;
    const page = await dashboard.open(test, { token: user.token, at });
    const files = page.getByLabel('Choose files');
    await files.setInputFiles(statement('p5-netting-jpy.html'));
    const refusal = page.getByRole('alert').filter({ hasText: 'Not imported.' });
    await refusal.getByText(/the report has JPY, the account USD/).waitFor();
    assert.doesNotMatch((await refusal.textContent()) ?? '', /=true/);
    const adopt = page.getByRole('button', { name: 'Make this the account of the report' });
    await adopt.click();
    const listed = page.getByRole('table', { name: 'Imported files' });
    await listed.waitFor();
    await files.setInputFiles(statement('p5-hedging-eurusd-gbpusd.xlsx'));
    await refusal.getByText(/the report has USD, the account JPY/).waitFor();
    assert.equal(await adopt.count(), 0);

    await listed.getByRole('button', { name: /^Take back/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
    await listed.waitFor({ state: 'detached' });
    const { body } = await user.get<{ deals: unknown[] }>(`/users/current/accounts/${id}/deals`);
    assert.deepEqual(body.deals, []);
    await files.setInputFiles(statement('p5-hedging-eurusd-gbpusd.xlsx'));
    await adopt.click();
    await listed.getByRole('button', { name: /^Compare/ }).click();
    await page
      .getByText(/figures of the report match those computed from its deals/)
      .last()
      .waitFor();
  });

  it('adds an account with its clock and profile, changes it, and deletes it', async (test) => {
    const user = await newUser(dashboard.address);
    const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated desk', platform: 'p5', kind: 'simulated' },
    });
    await user.post('/users/current/provisioning-profiles', {
      ...{
        name: 'At home',
        platform: 'p5',
        kind: 'simulated',
        brokerClock: { zone: 'Asia/Tokyo' },
      },
    });
    const page = await dashboard.open(test, { token: user.token });
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('By hand');
    await dialog.getByLabel('Broker').fill('Test broker');
    await dialog.getByLabel('Login').fill('200002');
    await dialog.getByLabel('Read through the profile').selectOption('At home');
    assert.equal(await dialog.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
    await dialog.getByLabel('Time zone').fill('Europe/Athens');
    await dialog.getByLabel('Hours added').fill('0');
    await dialog.getByLabel('Read through the profile').selectOption('Simulated desk');
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();
    await page.getByText('Broker clock: Europe/Athens').waitFor();
    type Accounts = { id: string; name: string; leverage: number; profileId?: string }[];
    const read = async () => (await user.get<Accounts>('/users/current/accounts')).body;
    assert.equal((await read())[0]?.profileId, profile.body.id);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('Renamed');
    await page.getByLabel('Leverage').fill('1,00,0');
    await page.getByText('“1,00,0” is not a number that can be read.').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByText('A number can’t be read').waitFor();
    await page.getByLabel('Leverage').fill('50');
    await page.getByText('Read as 1:50').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    assert.deepEqual(
      (await read()).map(({ name, leverage }) => [name, leverage]),
      [['Renamed', 50]],
    );
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page
      .getByRole('dialog')
      .getByText(/for everybody, at once and for good/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the account' }).click();
    await page.getByText('No accounts yet').waitFor();
    assert.deepEqual(await read(), []);
  });

  it('counts trade days by the deals, including late ones', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Late deals', brokerClock: { zone: 'UTC' } });
    await addTracker(user, id, {
      ...{ name: 'Daily', period: 'date', relativeDrawdownThreshold: 0.5 },
    });
    const day = 1440;
    await push(user, id, { minutes: -2 * day, equity: 10_000 }, { minutes: -day, equity: 10_000 });
    await push(user, id, { minutes: 0, equity: 10_000 });
    await addDeals(user, id, [
      {
        ...{ id: '1', positionId: 'p', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1, profit: 0, brokerTime: brokerTime(-day) },
      },
    ]);
    const page = await dashboard.open(test, {
      token: user.token,
      at: `#/accounts/${id}?tab=trackers`,
    });
    await page.getByRole('button', { name: 'Earlier periods' }).click();
    const rows = page.getByRole('table', { name: 'Periods of Daily' }).getByRole('row');
    await rows.nth(2).waitFor();
    const cells = await rows.allInnerTexts();
    assert.deepEqual(
      cells.slice(1).map((text) => text.trim().split(/\s+/).at(-1)),
      ['0', '1', '0'],
    );
  });

  it('shows time to scale, and names the limits in force', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Trailing', brokerClock: { zone: 'UTC' } });
    await addTracker(user, id, {
      ...{ name: 'Trailing 10 %', period: 'lifetime', baseline: 'peakEquity' },
      ...{ absoluteDrawdownThreshold: 1000, startBrokerTime: brokerTime(-600) },
    });
    await push(
      user,
      id,
      { minutes: -360, equity: 10_000 },
      { minutes: -240, equity: 12_000 },
      { minutes: -120, equity: 11_500 },
      { minutes: -1, equity: 11_600 },
    );
    const page = await dashboard.open(test, { token: user.token, at: `#/accounts/${id}` });
    const chart = region(page, 'Equity and balance');
    await chart.getByText('11,600.00').first().waitFor();
    await chart.getByText('Floor of Trailing 10 %').waitFor();
    await chart.getByText('11,000.00').waitFor();
    await chart.getByRole('figure').focus();
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowLeft');
    await chart.getByText('9,000.00').waitFor();

    // Two weeks, then eight years: half way along it is the end that is nearer.
    const old = await newAccount(user, { name: 'Old' });
    const deposit = (dealId: string, profit: number, date: string) => ({
      ...{ id: dealId, type: 'DEAL_TYPE_BALANCE', profit, brokerTime: `${date} 09:00:00` },
    });
    await addDeals(user, old, [
      deposit('1', 1000, '2014-01-06'),
      deposit('2', 1000, '2014-01-20'),
      deposit('3', 1000, '2022-01-05'),
    ]);
    await page.goto(`/#/accounts/${old}`);
    const balance = region(page, 'Balance');
    await balance.getByText('3,000.00').waitFor();
    const box = await balance.locator('.u-over').first().boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
    await balance.getByText('2022-01-05').waitFor();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await balance.getByText('2014-01-20').waitFor();
  });

  it('offers a read-only token nothing beyond its rights', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Looked at');
    await push(user, id, { minutes: -1, equity: 10_000 }, { minutes: 0, equity: 8000 });
    await user.post('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
    });
    const reader = await tokenOf(user, { scopes: ['read'] });
    const page = await dashboard.open(test, { token: reader });
    const none = async (at: string, there: string, ...buttons: RegExp[]): Promise<void> => {
      await page.goto(`/${at}`);
      await page.getByText(there).first().waitFor();
      for (const name of buttons) {
        assert.equal(await page.getByRole('button', { name }).count(), 0, `${at} ${name}`);
        assert.equal(await page.getByRole('link', { name }).count(), 0, `${at} ${name}`);
      }
    };
    await none('#/accounts', 'Looked at', /Add account/);
    await none(`#/accounts/${id}`, 'Equity and balance', /Import/, /Settings/);
    await none(`#/accounts/${id}?tab=trackers`, 'Limit of Looked at', /New tracker|Rename|Delete/);
    await none('#/risk', '1 open', /Acknowledge|Take|Note or assign/);
    await none('#/quotas', 'Region main', /Request more/);
    await none('#/provisioning', 'Simulated', /New profile|Delete/);
  });

  it('prints the first page of accounts, and says what it leaves out', async (test) => {
    const user = await newUser(dashboard.address);
    for (let n = 0; n < 130; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          newAccount(user, { name: `Printed ${String(n + i).padStart(3, '0')}` }),
        ),
      );
    }
    const at = '#/accounts?sort=name&order=ascending';
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('link', { name: 'Printed 000' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('link', { name: 'Printed 099' }).waitFor();
    await page.getByText('The first 100 of 130 rows; the others are left out.').waitFor();
    const pdf = await page.pdf({ format: 'A4' });
    // A page of each kind of thing: a blank first one would push the table behind it.
    const top = await page.getByRole('link', { name: 'Printed 000' }).boundingBox();
    assert.ok(top && top.y < 500, `the first row is at ${top?.y}`);
    assert.ok(pdf.length > 10_000);
  });

  it('prints all columns of the accounts in line, and only the chosen filter', async (test) => {
    const user = await newUser(dashboard.address);
    const long = 'A trader whose name is longer than others';
    for (const name of ['Short', long]) {
      const id = await watchedAccount(user, name);
      await push(user, id, { minutes: -1, equity: 1_234_567.89 });
    }
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts?search=test' });
    await page.getByRole('row', { name: long }).getByText('1,234,567.89').first().waitFor();
    await page.setViewportSize({ width: 720, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('link', { name: 'Compare accounts' }).waitFor({ state: 'hidden' });
    const edges = await page.evaluate<number[]>(`
      [...new Set([...document.querySelectorAll('.accounts-table .c-updated')].map(
        (cell) => Math.round(cell.getBoundingClientRect().right),
      ))]`);
    assert.equal(edges.length, 1, `the last column ends at ${edges.join(', ')}`);
    assert.ok((edges[0] ?? 721) <= 720, `it ends at ${edges[0]} of 720`);
    assert.ok(await page.getByText('Near a limit').isHidden(), 'a filter that is not chosen');
    assert.equal(await page.getByLabel('Search accounts').inputValue(), 'test');
    assert.ok(await page.getByLabel('Search accounts').isVisible(), 'what was searched for');
    assert.ok(await page.getByRole('button', { name: 'Add account' }).isHidden());
  });

  it('shows the balance of an account filled by statements on a phone, too', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'From statements' });
    await addDeals(user, id, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 4321, brokerTime: '2026-01-05 09:00:00' },
    ]);
    await user.get(`/users/current/accounts/${id}/metrics`);
    const page = await dashboard.open(test, { token: user.token, browser: { viewport: PHONE } });
    const row = page.getByRole('row').filter({ hasText: 'From statements' });
    await row.getByText('4,321.00').waitFor();
    assert.ok(await row.getByText('4,321.00').isVisible());
  });

  it('requests long answers compressed, and no more trades than it shows', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Long');
    const hours = Array.from({ length: 400 }, (_, n) => n - 400);
    await push(user, id, ...hours.map((n) => ({ minutes: n * 60, equity: 10_000 + n })));
    const trades = Array.from({ length: 300 }, (_, n) => ({
      ...{ id: String(n), positionId: `p${n}`, type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
      ...{ symbol: 'EURUSD', volume: 1, price: 1, profit: 1, brokerTime: brokerTime(n - 400) },
    }));
    await addDeals(user, id, trades);
    const page = await dashboard.open(test, { token: user.token });
    const chart = page.waitForResponse((response) => response.url().includes('/equity-chart'));
    await page.goto(`/#/accounts/${id}`);
    const answer = await chart;
    assert.equal(await answer.headerValue('content-encoding'), 'gzip');
    // The chart marks more trades than are listed, and its answer may still be on its way.
    await page.goto('about:blank');
    let bytes = 0;
    const read: Promise<void>[] = [];
    const count = async (request: Request): Promise<void> => {
      bytes += (await (await request.response())?.body())?.length ?? 0;
    };
    // Not those that the page broke off when it had no more use for them: they have no body.
    page.on('requestfinished', (request) => {
      if (/\/trades|historical/.test(request.url())) read.push(count(request));
    });
    await page.goto(`/#/accounts/${id}?tab=trades`);
    await page.getByText('The newest 50 of 300 lines').waitFor();
    await Promise.all(read);
    page.removeAllListeners('requestfinished');
    assert.ok(bytes < 40_000, `${bytes} bytes`);
    await page.getByLabel('Comment or ticket').fill('p17');
    await page.getByText('11 found, of 300 lines').waitFor();
  });
});

/** Another token of the user. */
async function tokenOf(
  user: Awaited<ReturnType<typeof newUser>>,
  token: Record<string, unknown>,
): Promise<string> {
  const { ADMIN_TOKEN, Client } = await import('../servers/plimsoll-process.ts');
  const admin = new Client(user.address, ADMIN_TOKEN);
  const made = await admin.post<{ token: string }>(`/admin/users/${user.userId}/tokens`, token);
  return made.body.token;
}

describe('a server that is gone', () => {
  it('is noticed on every page, makes figures grey, and is found again automatically', async (test) => {
    const dashboard = await startDashboard({ PORT: String(await freePort()) });
    let restarted: PlimsollProcess | undefined;
    test.after(async () => {
      await restarted?.stop();
      await dashboard.close();
    });
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Missed');
    await push(user, id, { minutes: 0, equity: 9900 });
    const at = `#/accounts/${id}`;
    const page = await dashboard.open(test, { token: user.token, at, expect: SERVER_GONE });
    const panel = region(page, 'Where it stands');
    await panel.getByText('Live', { exact: true }).waitFor();
    const colour = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.panel .stat-value')).color`);
    const usual = await colour();
    await dashboard.server.server.kill();
    const banner = page.getByRole('alert').filter({ hasText: 'Connection lost.' });
    await banner.getByText(/Figures on this page are \d+ s old or more/).waitFor();
    await panel.getByText('Stale', { exact: true }).waitFor();
    assert.equal(await page.getByText('Live', { exact: true }).count(), 0);
    assert.notEqual(await colour(), usual);
    const { port } = new URL(dashboard.address);
    const { environment } = dashboard.server.database;
    restarted = await startPlimsoll({ ...environment, PORT: port });
    await banner.waitFor({ state: 'detached' });
    await panel.getByText('Live', { exact: true }).waitFor();
    assert.equal(await colour(), usual);
  });
});
