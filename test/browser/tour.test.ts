import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

describe('the tour', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('is walked by keyboard, ends on the page described, and is not offered again', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('button', { name: 'Take the tour' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of 5').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Next' }).press('Enter');
    await dialog.getByRole('button', { name: 'Next' }).press('Enter');
    await page.setViewportSize({ width: 360, height: 740 });
    assert.deepEqual(await overflow(page), []);
    await dialog.getByRole('link', { name: /^Go there/ }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Risk desk' }).waitFor();
    await page.goto('/#/accounts');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.getByRole('link', { name: 'Test account' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Take the tour' }).count(), 0);
  });

  it('is never offered again after declining', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/accounts' });
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await page.getByRole('button', { name: 'Take the tour' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Test account' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Take the tour' }).count(), 0);
  });
});
