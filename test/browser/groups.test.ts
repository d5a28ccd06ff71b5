import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };
const UTC = { brokerClock: { zone: 'UTC' } };

/** Chooses a group without a mouse. */
async function pick(page: Page, letters: string): Promise<void> {
  await page.getByRole('button', { name: /^Group / }).waitFor();
  await page.keyboard.press('g');
  const dialog = page.getByRole('dialog', { name: 'Show a group of accounts' });
  // The dialog begins at its field.
  await dialog.waitFor();
  await page.keyboard.type(letters);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

describe('groups of accounts', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('are made by labels of many accounts at once, and filter the list and the desk', async (test) => {
    const user = await newUser(dashboard.address);
    for (const name of ['Ada', 'Ben', 'Cem']) await newAccount(user, { name, ...UTC });
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('button', { name: 'Label accounts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Add', { exact: true }).fill('Phase 1, Night desk');
    await dialog.getByLabel(/^Ada/).check();
    await dialog.getByLabel(/^Ben/).check();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Change 2 accounts' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Group / }).click();
    const groups = page.getByRole('dialog', { name: 'Show a group of accounts' });
    await groups.getByRole('option', { name: /^Phase 1 2 accounts/ }).click();
    await page.getByRole('link', { name: 'Cem' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ben', exact: true }).waitFor();
    assert.match(page.url(), /label=Phase\+1/);

    await page.goto('/#/risk');
    await page.getByRole('link', { name: 'Ben', exact: true }).waitFor();
    await pick(page, 'night');
    await page.getByRole('link', { name: 'Cem' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    const page2 = await user.get<{ accounts: { labels: string[] }[] }>(
      '/users/current/accounts-overview?label=Phase%201',
    );
    assert.deepEqual(page2.body.accounts[0]?.labels, ['Phase 1', 'Night desk']);
  });

  it('filter the incidents of the desk, on the server and as whole words', async (test) => {
    const user = await newUser(dashboard.address);
    for (const [name, label] of [
      ['Ada', 'Night'],
      ['Ben', 'Night desk'],
      ['Cem', 'night'],
    ] as const) {
      const id = await watchedAccount(user, name, undefined, { labels: ['Funded', label] });
      await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    }
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const items = page.getByRole('list', { name: 'Incidents, newest first' }).locator('> li');
    await page.getByText('3 open;').waitFor();
    await pick(page, 'Night');
    await page.getByText('1 open;').waitFor();
    await items.filter({ hasText: 'Ben' }).waitFor({ state: 'detached' });
    await items.filter({ hasText: 'Ada' }).waitFor();
    assert.equal(await items.count(), 1);
    await page.getByRole('button', { name: 'Show all accounts' }).click();
    await page.getByText('3 open;').waitFor();
    await page.goto('/#/risk?label=Nobody');
    await page.getByText('No incident is open in “Nobody”').waitFor();
  });

  it('are chosen once for the list, the desk, its inbox and the comparison, and after a reload', async (test) => {
    const user = await newUser(dashboard.address);
    for (const [name, label] of [
      ['Ada', 'Night'],
      ['Ben', 'Day'],
    ] as const) {
      const id = await watchedAccount(user, name, undefined, { labels: [label] });
      await push(user, id, { minutes: -61, equity: 10_000 }, { minutes: -1, equity: 8500 });
    }
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    const other = page.getByText('Ben', { exact: true });
    await other.first().waitFor();
    await pick(page, 'ni');
    await other.waitFor({ state: 'detached' });
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: /^Risk desk/ }).click();
    await page.getByText('1 open;').waitFor();
    await page.getByText('8,500.00 USD').first().waitFor();
    const exceeded = page.getByRole('link', { name: /^1 Exceeded/ });
    await exceeded.click();
    await page.locator('.tile[aria-current]').waitFor();
    await page.reload();
    await page.getByText('1 open;').waitFor();
    assert.match(page.url(), /show=exceeded/);
    assert.equal(await other.count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await main.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('link', { name: 'Compare accounts' }).click();
    await page.getByRole('figure', { name: /^Chart of the gain of Ada,/ }).waitFor();
    await page.getByRole('button', { name: 'Show all accounts' }).click();
    await page.getByText('Choose the accounts to compare').waitFor();
    assert.doesNotMatch(page.url(), /label=/);
    await main.getByRole('link', { name: 'Accounts', exact: true }).click();
    await other.first().waitFor();
  });

  it('change by the settings of one account', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Own', labels: ['Old'] });
    const at = `#/accounts/${id}?tab=settings`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByLabel('Labels').fill('New, Newer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Newer' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Old' }).count(), 0);
  });

  it('are kept as views that another screen of the desk has, too', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user, { name: 'In', labels: ['Funded'] });
    await newAccount(user, { name: 'Out' });
    const at = '#/accounts?label=Funded&sort=name&order=ascending';
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'Save this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Save what is shown as/).fill('Funded by name');
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    const other = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await other.getByRole('link', { name: 'Out' }).waitFor();
    await other.getByRole('link', { name: 'Funded by name' }).click();
    await other.getByRole('link', { name: 'Out' }).waitFor({ state: 'detached' });
    await other.locator('.view[aria-current]').waitFor();
    assert.match(other.url(), /label=Funded/);
    await other.getByRole('button', { name: 'Save or delete views' }).click();
    const views = other.getByRole('dialog', { name: 'Saved views' });
    await views.getByRole('button', { name: 'Delete the view “Funded by name”' }).click();
    const question = other.getByRole('dialog', { name: /^Delete the view/ });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    // The list stays open when only its question is closed.
    assert.ok(await views.isVisible());
    await other.locator('.view').waitFor({ state: 'detached' });
  });

  it('are summed up by currency, and in one only at rates given by the user', async (test) => {
    const user = await newUser(dashboard.address);
    const dollars = await newAccount(user, { name: 'Dollars', ...UTC });
    const euros = await newAccount(user, { name: 'Euros', currency: 'EUR', ...UTC });
    await newAccount(user, { name: 'Silent', ...UTC });
    await push(user, dollars, { minutes: -1, equity: 9_000 });
    await push(user, euros, { minutes: -1, balance: 2_000, equity: 2_100 });
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByText('Totals of these accounts').click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('1 without balance, 1 without equity').getByText('9,000.00 USD').waitFor();
    await row('2,100.00 EUR').getByText('none').first().waitFor();
    await page.getByText('Enter a rate for EUR to see everything in USD.').waitFor();
    await page.getByLabel('1 EUR in USD').fill('1.10');
    await page.getByText('Read as 1 EUR = 1.1 USD').waitFor();
    await page.getByText('In USD, at your rates:').waitFor();
    await page.getByText('11,310.00 USD').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
    const table = page.getByRole('table', { name: 'Totals by currency' });
    await table.waitFor();
    const lines = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.totals-body :is(th, td)')].map((cell) => {
        const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(cell);
        const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
        return Math.round((cell.clientHeight - padding) / parseFloat(lineHeight));
      })`);
    assert.deepEqual([...new Set(lines)], [1], 'lines of the cells of the totals');
  });
});
