import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, contrastFaults, overflow } from './accessibility.ts';
import { brokerTime, push } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 390, height: 844 };

describe('one curve of the accounts in the list', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('is in a currency of choice, and says its rates and who is left out', async (test) => {
    const user = await newUser(dashboard.address);
    const fields = { brokerClock: { zone: 'UTC' }, labels: ['Desk'] };
    const dollars = await newAccount(user, { name: 'Dollars', ...fields });
    const euros = await newAccount(user, { name: 'Euros', currency: 'EUR', ...fields });
    await newAccount(user, { name: 'Pounds', currency: 'GBP', ...fields });
    const other = await newAccount(user, { name: 'Other', brokerClock: { zone: 'UTC' } });
    await push(user, dollars, { minutes: -180, equity: 9_000 }, { minutes: -60, equity: 11_000 });
    await push(user, euros, { minutes: -120, balance: 1000, equity: 1000 });
    await push(user, other, { minutes: -120, equity: 77_777 });
    const put = await user.call('PUT', `/users/current/accounts/${euros}/market`, {
      symbols: [
        {
          ...{ symbol: 'EURUSD.x', marginMode: 'FOREX', contractSize: 100_000, digits: 5 },
          ...{ currencyBase: 'EUR', currencyProfit: 'USD', currencyMargin: 'EUR' },
          ...{ volumeMin: 0.01, volumeMax: 100, volumeStep: 0.01 },
        },
      ],
      quotes: [{ symbol: 'EURUSD.x', bid: 1.09, ask: 1.11, brokerTime: brokerTime(-181) }],
    });
    assert.equal(put.status, 204);
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts?label=Desk' });
    await page.getByRole('link', { name: 'One curve' }).click();
    await page.getByText('of 3 accounts together').waitFor();
    await page.getByLabel('Currency of the curve').selectOption('USD');
    await page.getByText('12,100.00 USD').waitFor();
    await page.getByText('Pounds: no quote of the last seven days').waitFor();
    await page.getByText('of 2 of 3 accounts together').waitFor();
    const rate = page.getByRole('row').filter({ hasText: '1 EUR = 1.1 USD' });
    assert.match((await rate.textContent()) ?? '', /EURUSD\.x of Euros.*3 h ago/);
    const chart = page.getByRole('figure', {
      name: /^Chart of Equity and Balance in USD, \d hours/,
    });
    await chart.focus();
    await page.keyboard.press('PageUp');
    await page.getByText('9,000.00 USD').waitFor();
    // Of four hours the two in the middle: the cross-hair was at the third.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('figure', { name: /in USD, 2 hours/ }).waitFor();
    assert.doesNotMatch((await page.locator('.chart-time').textContent()) ?? '', /newest/);
    await page.keyboard.press('Escape');
    await page.getByText('As a table').press('Enter');
    await page.getByRole('cell', { name: '12,100.00' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await contrastFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
    await page.getByLabel('Currency of the curve').selectOption('EUR');
    await page.getByText('11,000.00 EUR').waitFor();
    await page.goto('/#/curve?search=Pounds&currency=USD');
    await page.getByText('All accounts are left out').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'To these accounts' }).click();
    await page.getByText('4 in all').waitFor();
    assert.match(page.url(), /label=Desk/);
  });
});
