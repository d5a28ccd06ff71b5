import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

describe('integrations', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('create a webhook whose key is shown once, show its state, and delete it', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/integrations' });
    await page.getByText('No webhook').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill('not an address');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText(/^Address must/).waitFor();
    await page.getByLabel('Address').fill('https://risk.example.com/events');
    await page.getByLabel('Events').selectOption({ label: 'Loss limits only' });
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Copy the key now').waitFor();
    const secret = (await page.locator('.secret-value').textContent()) ?? '';
    assert.ok(secret.length > 20);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(secret).waitFor({ state: 'detached' });

    await page.getByRole('heading', { name: 'https://risk.example.com/events' }).waitFor();
    await page.getByText('Nothing sent yet').waitFor();
    await page.getByText('loss limits, revised events', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^The test was not accepted: ./).waitFor();
    await page.getByRole('button', { name: /^Delete https/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('No webhook').waitFor();
  });

  it('make a webhook send the chosen kinds of events, and no others', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/integrations' });
    const sends = {
      'Loss limits and profit targets': 'loss limits, profit targets, revised events',
      'Loss limits, and warnings before': 'loss limits, warnings before limits, revised events',
      'Changes of enrolments only': 'enrolments',
      'All kinds':
        'loss limits, profit targets, warnings before limits, revised events, enrolments, silent feeds, feeds that return, clocks that are off, clocks that are right again, lost limits',
    };
    for (const [place, [choice, words]] of Object.entries(sends).entries()) {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Address').fill(`https://risk.example.com/${place}`);
      await page.getByLabel('Events').selectOption({ label: choice });
      await page.getByLabel('Delivery').selectOption({ label: 'up to 100 at once, in order' });
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      const item = page.getByRole('listitem').filter({ hasText: `risk.example.com/${place}` });
      await item.getByText(words, { exact: true }).waitFor();
      await item.getByText('up to 100 at once, in order').waitFor();
    }
  });

  it('create a token with no more rights than its maker, until it is revoked', async (test) => {
    const { token } = await newUser(dashboard.address, { scopes: ['read', 'write'] });
    const page = await dashboard.open(test, { token, at: '#/integrations' });
    await page.getByRole('button', { name: 'New token' }).click();
    assert.equal(await page.getByLabel(/^Ingest/).count(), 0);
    await page.getByLabel(/^Write/).uncheck();
    await page.getByLabel('Name').fill('Wall screen');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Copy it now.').waitFor();
    const made = (await page.locator('.secret-value').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    const client = new Client(dashboard.address, made);
    const known = await client.get<{ scopes: string[] }>('/users/current/token');
    assert.deepEqual(known.body.scopes, ['read']);

    await page.getByRole('button', { name: 'Revoke Wall screen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByRole('button', { name: 'Revoke Wall screen' }).waitFor({ state: 'detached' });
    assert.equal((await client.get('/users/current/token')).status, 401);
  });

  it('mail events only after the user asks, and stop on request', async (test) => {
    const user = await newUser(dashboard.address);
    const kept = async () => (await user.get('/users/current/event-mail')).body;
    const page = await dashboard.open(test, { token: user.token, at: '#/integrations' });
    const breaches = page.getByLabel('Broken limits');
    assert.equal(await breaches.inputValue(), 'off');
    await breaches.selectOption('immediate');
    await page.getByLabel('Warnings').selectOption('digest');
    assert.deepEqual(await accessibilityFaults(page), []);
    const save = page.getByRole('button', { name: 'Save e-mail settings' });
    await save.click();
    await save.waitFor({ state: 'detached' });
    assert.deepEqual(await kept(), { breaches: 'immediate', warnings: 'digest' });
    await page.reload();
    await page.locator('option:checked', { hasText: 'At once' }).waitFor({ state: 'attached' });
    await breaches.selectOption('off');
    await save.click();
    await save.waitFor({ state: 'detached' });
    assert.deepEqual(await kept(), { breaches: 'off', warnings: 'digest' });
  });

  it('offer whoever sees one account nothing that is for all, and no fault', async (test) => {
    const user = await newUser(dashboard.address, {
      scopes: ['read', 'write', 'ingest', 'actions'],
    });
    const accountIds = [await newAccount(user)];
    const { token } = (await user.post<{ token: string }>('/users/current/tokens', { accountIds }))
      .body;
    const trader = { name: 'Tom', email: 'tom@example.com', role: 'trader', accountIds };
    const { code } = (await user.post<{ code: string }>('/users/current/people', trader)).body;
    const ofToken = await dashboard.open(test, { token });
    const ofPerson = await dashboard.open(test);
    await ofPerson.goto(`/#code=${code}`);
    for (const page of [ofToken, ofPerson]) {
      await page.getByRole('link', { name: 'Integrations' }).click();
      await page.getByText('whoever sees all of them manages these').waitFor();
      assert.equal(await page.getByRole('button', { name: /^New/ }).count(), 0);
      assert.equal(await page.getByLabel('Broken limits').count(), 0);
      assert.equal(await page.getByRole('alert').count(), 0);
      assert.deepEqual(await accessibilityFaults(page), []);
    }
  });
});
