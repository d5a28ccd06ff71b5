import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const MAX_STEPS = 60;

const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement);

/** Presses Tab until the element has the focus, without a mouse. */
async function tabTo(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor();
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (await isFocused(locator)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${locator}`);
}

describe('by keyboard alone', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('one signs in, goes to a page and has a margin calculated', async (test) => {
    const user = await newUser(dashboard.address);
    const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
    });
    await newAccount(user, { login: '200001', profileId: profile.body.id });
    const page = await dashboard.open(test);
    await tabTo(page, page.getByLabel('Access token'));
    await page.keyboard.insertText(user.token ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await tabTo(page, page.getByRole('link', { name: 'Margin' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Symbol'));
    await page.keyboard.type('EURUSD');
    await tabTo(page, page.getByLabel('Volume'));
    await page.keyboard.type('0.1');
    await tabTo(page, page.getByLabel('Price'));
    await page.keyboard.type('1.1');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Margin' }).getByText('110.00 USD').waitFor();
  });

  it('one skips the navigation', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/quotas' });
    const more = page.getByRole('button', { name: 'Request more in main' });
    await more.waitFor();
    const skip = page.getByText('Skip to the content');
    await tabTo(page, skip);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await isFocused(more));
  });

  it('a question keeps the focus until it is answered, and gives it back', async (test) => {
    const user = await newUser(dashboard.address);
    await user.post('/users/current/provisioning-profiles', {
      ...{ name: 'Desk', platform: 'p4', kind: 'simulated' },
    });
    const page = await dashboard.open(test, { token: user.token, at: '#/provisioning' });
    const remove = page.getByRole('button', { name: 'Delete Desk' });
    await tabTo(page, remove);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByRole('button', { name: 'Keep it' }));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await isFocused(remove));
  });
});
