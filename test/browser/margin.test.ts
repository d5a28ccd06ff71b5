import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { type Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

/** An account that is read from a simulated platform. */
async function newPlatformAccount(user: Client): Promise<string> {
  const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
    ...{ name: 'Simulated', platform: 'p4', kind: 'simulated' },
  });
  return newAccount(user, { platform: 'p4', login: '100001', profileId: profile.body.id });
}

describe('margin calculator', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it("shows an order's margin in the account's currency", async (test) => {
    const user = await newUser(dashboard.address);
    await newPlatformAccount(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/margin' });
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByLabel('Volume').fill('0,1');
    await page.getByLabel('Price').fill('1.1');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByRole('region', { name: 'Margin' }).getByText('110.00 USD').waitFor();
  });

  it('shows its result on a phone without searching', async (test) => {
    const user = await newUser(dashboard.address);
    await newPlatformAccount(user);
    const browser = { viewport: { width: 360, height: 640 } };
    const page = await dashboard.open(test, { token: user.token, at: '#/margin', browser });
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByLabel('Volume').fill('0.1');
    await page.getByLabel('Price').fill('1.1');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByRole('region', { name: 'Margin' }).getByText('110.00 USD').waitFor();
    await page.waitForFunction(`(() => {
      const { top, bottom } = document.querySelector('.margin-figure').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`);
  });

  it('says at each field why an order is refused', async (test) => {
    const user = await newUser(dashboard.address);
    await newPlatformAccount(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/margin' });
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByLabel('Volume').fill('0.015');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByText('Volume must be a multiple of 0.01.').waitFor();
    await page.getByText('Price must be a number greater than 0').waitFor();
    assert.equal(await page.getByLabel('Volume').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByLabel('Symbol').getAttribute('aria-invalid'), null);
    await page.getByLabel('Symbol').fill('NOPE');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByText('This is not a symbol of the account.').waitFor();
  });

  it('says what to do for an account without a platform, and without any account', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/margin' });
    await page.getByText('No account yet').waitFor();
    await newAccount(user);
    await page.reload();
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByLabel('Price').fill('1.1');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByText('This account is not read from a platform').waitFor();
  });
});
