import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

describe('the rule of a tracker', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('is tried on the history of other accounts, and watches those that are chosen', async (test) => {
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
});
