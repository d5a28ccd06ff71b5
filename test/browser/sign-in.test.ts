import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const storageOf = (page: Page) =>
  page.evaluate<{ session: string[]; local: string[]; cookies: string }>(
    `({
      session: Object.values(sessionStorage),
      local: Object.values(localStorage),
      cookies: document.cookie,
    })`,
  );

describe('signing in', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('takes a pasted token and keeps it in the storage of the tab only', async (test) => {
    const { token = '' } = await newUser(dashboard.address);
    const page = await dashboard.open(test);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    assert.deepEqual(await storageOf(page), { session: [token], local: [], cookies: '' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  it('takes the token of a link and removes it from the address and the history', async (test) => {
    const { token = '' } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token });
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    assert.ok(!page.url().includes(token), page.url());
    assert.deepEqual(await storageOf(page), { session: [token], local: [], cookies: '' });
    await page.goBack();
    assert.ok(!page.url().includes(token), page.url());
  });

  it('asks whether the token of a link may replace a running session, naming both', async (test) => {
    const { token = '' } = await newUser(dashboard.address);
    const other = await newUser(dashboard.address);
    const names = [token, other.token ?? ''].map(async (each) => {
      const headers = { 'auth-token': each };
      const answer = await fetch(`${dashboard.address}/users/current/token`, { headers });
      return ((await answer.json()) as { name: string }).name;
    });
    const page = await dashboard.open(test, { token });
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    const question = page.getByRole('dialog', { name: 'Sign in as somebody else?' });
    for (const answer of ['Stay as I am', 'Sign in by the link']) {
      await page.evaluate(`location.hash = '#token=${other.token}'`);
      for (const name of await Promise.all(names)) await question.getByText(name).waitFor();
      assert.deepEqual((await storageOf(page)).session, [token]);
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'detached' });
    }
    assert.deepEqual((await storageOf(page)).session, [other.token]);
  });

  it('signs in by a link where the running session is refused', async (test) => {
    const { token = '' } = await newUser(dashboard.address);
    const page = await dashboard.open(test);
    await page.evaluate(`sessionStorage.setItem('plimsoll-token', 'ended')`);
    await page.goto(`/?again#token=${token}`);
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    assert.deepEqual((await storageOf(page)).session, [token]);
  });

  it('refuses a malformed link in words', async (test) => {
    const page = await dashboard.open(test, { token: '%E0%A4%A' });
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
  });

  it('asks again, saying why, when the token is refused', async (test) => {
    const page = await dashboard.open(test, { token: 'not-a-token' });
    await page.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
    await page.getByLabel('Access token').waitFor();
    assert.deepEqual((await storageOf(page)).session, []);
  });

  it('forgets the token when one signs out', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    assert.deepEqual((await storageOf(page)).session, []);
  });

  it('shows the operator page to admin tokens only', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/operator' });
    await page.getByText('This page needs another token').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    assert.equal(await navigation.getByRole('link', { name: 'Operator' }).count(), 0);
    const admin = await dashboard.open(test, { token: ADMIN_TOKEN, at: '#/operator' });
    await admin
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Operator' })
      .waitFor();
  });
});
