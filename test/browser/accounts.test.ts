import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { spilled } from './accessibility.ts';
import { addDeals, brokerTime, push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const statement = (file: string): string =>
  fileURLToPath(new URL(`../../src/demo/statements/${file}`, import.meta.url));

const PHONE = { width: 360, height: 740 };

describe('accounts', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('are added by hand, and filled by the upload of a statement', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token });
    await page.getByText('No accounts yet').waitFor();
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('From a report');
    await dialog.getByLabel('Broker').fill('Test broker');
    await dialog.getByLabel('Login').fill('200001');
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await page.getByRole('heading', { level: 1, name: 'From a report' }).waitFor();
    const files = page.getByLabel('Choose files');
    await files.setInputFiles(statement('p5-hedging-eurusd-gbpusd.xlsx'));
    await page.getByText(/^Imported: .* deals are new\./).waitFor();
    await files.setInputFiles(statement('p5-hedging-eurusd-gbpusd.xlsx'));
    await page.getByText('Imported before: nothing in it is new.').waitFor();
    await page.getByRole('link', { name: 'Trades' }).click();
    await page.getByRole('table').getByText('EURUSD').first().waitFor();
  });

  it('show the result of each trade without scrolling sideways on a phone', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Trader' });
    await addDeals(user, id, [
      {
        ...{ id: '1', positionId: 'p', type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1.1, profit: -1234.56 },
        brokerTime: '2026-01-07 09:00:00',
      },
    ]);
    const at = `#/accounts/${id}?tab=trades`;
    const page = await dashboard.open(test, {
      ...{ token: user.token, at, browser: { viewport: PHONE } },
    });
    const amount = page.getByRole('table', { name: 'Closed trades' }).getByText('−1,234.56');
    await amount.waitFor();
    const box = await amount.boundingBox();
    assert.ok(box && box.x + box.width <= PHONE.width - 12, `it ends at ${box?.x} + ${box?.width}`);
  });

  it('scroll to the first field with a fault when refused', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, browser: { viewport: PHONE } });
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Half filled in');
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await dialog.getByText('Each says why.').waitFor();
    // The focus follows the words.
    const focused = 'document.activeElement.labels?.[0]?.firstChild.data';
    await until(async () => (await page.evaluate(focused)) === 'Broker', 'the focus on the broker');
  });

  it('refuse a file that is no statement, in words', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user);
    const page = await dashboard.open(test, {
      token: user.token,
      at: `#/accounts/${id}?tab=import`,
    });
    await page.getByLabel('Choose files').setInputFiles({
      name: 'holiday.html',
      mimeType: 'text/html',
      buffer: Buffer.from('<p>Not a statement</p>'),
    });
    await page.getByRole('alert').filter({ hasText: 'Not imported.' }).waitFor();
  });

  it('are searched, and lead to their pages', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user, { name: 'Alpha', login: '1' });
    await newAccount(user, { name: 'Beta', login: '2' });
    const page = await dashboard.open(test, { token: user.token });
    await page.getByRole('link', { name: 'Alpha' }).waitFor();
    await page.getByLabel('Search accounts').fill('bet');
    await page.getByRole('link', { name: 'Alpha' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Beta' }).click();
    await page.getByRole('heading', { level: 1, name: 'Beta' }).waitFor();
  });

  it('with long names stay within their rows on a phone, in the list and on the desk', async (test) => {
    const user = await newUser(dashboard.address);
    const name = 'Challenge of one hundred thousand in two steps, phase one, number 7';
    const labels = ['A label of a partner', 'Phase 1'];
    const id = await watchedAccount(user, name, undefined, { labels, broker: name });
    await watchedAccount(user, 'Short');
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    const browser = { viewport: { width: 360, height: 740 } };
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts', browser });
    for (const at of ['#/accounts', '#/risk']) {
      await page.goto(`/${at}`);
      const row = page.locator('.vt-rows').getByRole('row').filter({ hasText: 'Challenge' });
      await row.getByText('8,500.00').waitFor();
      assert.deepEqual(await spilled(page), []);
    }
  });

  it('get a tracker, and its breach shows live on the risk desk', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Watched', brokerClock: { zone: 'UTC' } });
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Loss of a tenth');
    await dialog.getByLabel('Period').selectOption('lifetime');
    await dialog.getByLabel('Largest loss, %').fill('10');
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Loss of a tenth' }).waitFor();

    await page.getByRole('link', { name: 'Risk desk' }).click();
    await page.getByText('No incident is open').waitFor();
    const push = async (minutes: number, equity: number): Promise<void> => {
      const row = { accountId: id, brokerTime: brokerTime(minutes), balance: 10_000, equity };
      const answer = await user.post('/users/current/snapshots', [row]);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    await push(1, 10_000);
    await push(2, 8_900);
    await page.getByText('Loss of a tenth').first().waitFor();
    await page
      .getByText(/1,100\.00/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Watched', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Watched' }).waitFor();
  });
});
