import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

describe('operator page', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('creates a user and a token that works until it is revoked', async (test) => {
    const page = await dashboard.open(test, {
      token: ADMIN_TOKEN,
      at: '#/operator?tab=users',
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText(/^E-mail must be an e-mail address/).waitFor();
    await page.getByLabel('E-mail').fill('desk@example.com');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { name: 'desk@example.com' }).waitFor();
    await page.getByText("Without one, this user can't sign in").waitFor();

    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel(/^Ingest/).uncheck();
    await page.getByLabel('Name').fill('Desk screen');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Copy it now.').waitFor();
    const copy = page.getByRole('button', { name: 'Copy token', exact: true });
    await untilTold(page, 'Copied', () => copy.click());
    const token = await page.evaluate<string>('navigator.clipboard.readText()');
    const client = new Client(dashboard.address, token);
    const known = await client.get<{ scopes: string[] }>('/users/current/token');
    assert.deepEqual(known.body.scopes.sort(), ['read', 'write']);
    await page.getByRole('button', { name: 'Done' }).click();
    assert.equal(await page.getByText(token).count(), 0);

    const row = page.getByRole('row').filter({ hasText: 'Desk screen' });
    await row.getByRole('button', { name: 'Revoke Desk screen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the token' }).click();
    await row.waitFor({ state: 'detached' });
    assert.equal((await client.get('/users/current/token')).status, 401);
  });

  it('refuses a second user of the same e-mail address in words', async (test) => {
    const admin = new Client(dashboard.address, ADMIN_TOKEN);
    await admin.post('/admin/users', { email: 'twice@example.com' });
    const page = await dashboard.open(test, { token: ADMIN_TOKEN, at: '#/operator?tab=users' });
    await page.getByRole('link', { name: 'twice@example.com' }).waitFor();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('E-mail').fill('twice@example.com');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('alert').filter({ hasText: 'already exists' }).waitFor();
  });

  it('deletes a user, after it has asked', async (test) => {
    const user = await newUser(dashboard.address);
    const at = `#/operator?tab=users&user=${user.userId}`;
    const page = await dashboard.open(test, { token: ADMIN_TOKEN, at });
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await user.get('/users/current/token')).status, 200);
    await page.getByRole('button', { name: 'Delete …' }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete the user' });
    await untilTold(page, ' is deleted', () => remove.click());
    await page.getByRole('button', { name: 'New user' }).waitFor();
    assert.equal((await user.get('/users/current/token')).status, 401);
  });

  it('says that a user does not exist', async (test) => {
    const at = '#/operator?tab=users&user=nobody';
    const page = await dashboard.open(test, { token: ADMIN_TOKEN, at });
    await page.getByText('There is no such user').waitFor();
  });
});
