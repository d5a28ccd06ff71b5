import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, contrastFaults, overflow } from './accessibility.ts';
import { addDeals, brokerTime, push } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const HOUR = 60;
const PHONE = { width: 360, height: 740 };

describe('accounts on one chart', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('begin at 0 together, with deposits taken out, in any currency', async (test) => {
    const user = await newUser(dashboard.address);
    const utc = { brokerClock: { zone: 'UTC' } };
    const dollars = await newAccount(user, { name: 'Dollars', ...utc });
    const euros = await newAccount(user, { name: 'Euros', currency: 'EUR', ...utc });
    // In the middle of an hour, so that none ends between two of them.
    const middle = 30 - new Date().getUTCMinutes();
    // The dollars double before the euros begin, then gain a tenth and get a deposit.
    await push(
      user,
      dollars,
      { minutes: middle - 5 * HOUR, equity: 10_000 },
      { minutes: middle - 3 * HOUR, balance: 20_000, equity: 20_000 },
      { minutes: middle - 2 * HOUR, balance: 22_000, equity: 22_000 },
    );
    await addDeals(user, dollars, [
      ...[
        { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 8_000, brokerTime: brokerTime(middle - 90) },
      ],
    ]);
    await push(user, dollars, { minutes: middle - HOUR, balance: 30_000, equity: 30_000 });
    await push(
      user,
      euros,
      { minutes: middle - 3 * HOUR, balance: 500, equity: 500 },
      { minutes: middle - HOUR, balance: 400, equity: 400 },
    );
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('link', { name: 'Compare accounts' }).click();
    for (const name of ['Dollars', 'Euros']) {
      await page.getByLabel('Add an account').fill(name);
      await page.getByRole('option', { name: new RegExp(name) }).click();
    }
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Dollars').getByText('+10.00 %').waitFor();
    await row('Euros').getByText('−20.00 %').first().waitFor();
    const chart = page.getByRole('figure', { name: /^Chart of the gain of Dollars, Euros/ });
    await chart.focus();
    await page.keyboard.press('PageUp');
    await page.getByRole('columnheader', { name: /^Gain at / }).waitFor();
    await row('Dollars').getByText('0.00 %').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await contrastFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
    await row('Euros').getByRole('button', { name: 'Remove Euros' }).click();
    await row('Euros').waitFor({ state: 'detached' });
    assert.match(page.url(), /accounts=[^,&]+$/);
  });
});
