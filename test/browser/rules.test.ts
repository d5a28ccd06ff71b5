import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

describe('the rule of a tracker', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('is tried on the history of other accounts, and watches the chosen ones', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Model');
    await push(user, id, { minutes: -1, equity: 10_000 });
    const fallen = await newAccount(user, { name: 'Fallen', brokerClock: { zone: 'UTC' } });
    await push(user, fallen, { minutes: -180, equity: 10_000 }, { minutes: -60, equity: 8_000 });
    await newAccount(user, { name: 'Quiet' });
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'For other accounts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^All 2 that are shown/).check();
    await dialog.getByRole('button', { name: 'Try on their history' }).click();
    const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
    await row('Quiet').getByText('No history to try it on').waitFor();
    await row('Fallen')
      .getByText(/^Would (never )?have (never )?fired/)
      .waitFor();
    await dialog.getByLabel(/^Quiet/).uncheck();
    await dialog.getByRole('button', { name: 'Watch 1 account' }).click();
    await row('Fallen').getByText('Watching').waitFor();
    const trackers = async (accountId: string) =>
      (await user.get<{ name: string }[]>(`/users/current/accounts/${accountId}/trackers`)).body;
    assert.deepEqual(
      (await trackers(fallen)).map(({ name }) => name),
      ['Limit of Model'],
    );
  });

  it('is kept as a template, tried on the history of many and applied to them', async (test) => {
    const user = await newUser(dashboard.address);
    const model = await watchedAccount(user, 'Pattern', { absoluteDrawdownThreshold: 500 });
    await push(user, model, { minutes: -1, equity: 10_000 });
    for (const name of ['Fallen', 'Steady']) {
      const id = await newAccount(user, { name, brokerClock: { zone: 'UTC' } });
      const equity = name === 'Fallen' ? 8_000 : 10_000;
      await push(user, id, { minutes: -180, equity: 10_000 }, { minutes: -60, equity });
    }
    await newAccount(user, { name: 'In euros', currency: 'EUR' });
    const at = `#/accounts/${model}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'Save as template' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('House limit');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto('/#/rules');
    await page.getByRole('heading', { name: 'House limit' }).waitFor();
    await page.getByRole('button', { name: /^Apply/ }).click();
    await dialog.getByText('only accounts in USD are listed').waitFor();
    assert.equal(await dialog.getByLabel(/^In euros/).count(), 0);
    await dialog.getByLabel(/^Fallen/).check();
    await dialog.getByLabel(/^Steady/).check();
    await dialog.getByRole('button', { name: 'Try on their history' }).click();
    await dialog.getByText(/^Over the history of 2 accounts it would have fired/).waitFor();
    await dialog.getByText('1 time on 1 of them').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Watch 2 accounts' }).click();
    await dialog.getByText('2 are watched').waitFor();
    await dialog.getByRole('button', { name: 'Watch 2 accounts' }).click();
    await dialog.getByText(/^0 are watched/).waitFor();
    await dialog.getByText(/^Steady: .*already has a tracker with this name/).waitFor();
  });

  it('is written as a template, changed under another name, and used as a start', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Euro account', currency: 'EUR' });
    const page = await dashboard.open(test, { token: user.token, at: '#/rules' });
    await page.getByText('No templates yet').waitFor();
    await page.getByRole('button', { name: 'New template' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Currency of its amounts').fill('eur');
    await dialog.getByLabel(/^Largest loss, %/).fill('');
    await dialog.getByLabel('Largest loss, EUR').fill('1,250');
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('heading', { name: 'Daily loss 1,250.00 EUR' }).waitFor();
    await page.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByText('Read as 1,250.00 EUR').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Evening limit');
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('heading', { name: 'Evening limit' }).waitFor();
    await page
      .getByRole('heading', { name: 'Daily loss 1,250.00 EUR', exact: true })
      .waitFor({ state: 'detached' });

    await page.goto(`/#/accounts/${id}?tab=trackers`);
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    await dialog.getByLabel('Begin with a template').selectOption('Evening limit');
    await dialog.getByText('Read as 1,250.00 EUR').waitFor();
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await page.getByRole('heading', { name: 'Evening limit' }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/#/rules');
    await page.getByRole('heading', { name: 'Evening limit' }).waitFor();
    assert.deepEqual(await overflow(page), []);
  });
});
