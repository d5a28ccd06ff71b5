import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { type Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

type Platform = 'p4' | 'p5';

describe('provisioning', () => {
  let dashboard: Dashboard;
  let user: Client;
  const ids = {} as Record<Platform, string>;
  before(async () => {
    // A password of a platform is kept under it.
    dashboard = await startDashboard({
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    user = await newUser(dashboard.address);
    for (const platform of ['p4', 'p5'] as const) {
      const body = { name: `Profile ${platform}`, platform, kind: 'simulated' };
      const made = await user.post<{ id: string }>('/users/current/provisioning-profiles', body);
      ids[platform] = made.body.id;
    }
  });
  after(() => dashboard.close());

  const at = (platform: Platform, tab: string): string =>
    `#/provisioning?profile=${ids[platform]}&tab=${tab}`;
  const rowsOf = (page: Page, name: string) =>
    page
      .getByRole('table', { name })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });

  it('creates a profile, shows the state of its connection, and deletes it', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/provisioning' });
    await page.getByText('No profile yet').waitFor();
    await page.getByRole('button', { name: 'New profile' }).click();
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByText('Name must be text of 1 to 200 characters.').waitFor();
    await page.getByLabel('Name').fill('Test desk');
    await page.getByLabel('Platform').selectOption('p4');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByRole('heading', { level: 1, name: 'Test desk' }).waitFor();
    await page.getByText('Working', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete Test desk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete Test desk' }).click();
    await dialog.getByRole('button', { name: 'Delete the profile' }).click();
    await page.getByText('No profile yet').waitFor();
  });

  it('allows actions, and asks for the password if they reach a real platform', async (test) => {
    const owner = await newUser(dashboard.address);
    const path = '/users/current/provisioning-profiles';
    const profiles = [
      { name: 'Playground', platform: 'p5', kind: 'simulated' },
      {
        ...{ name: 'Real', platform: 'p5', kind: 'p5-web-api', allowedActions: ['disableTrading'] },
        ...{ server: 'https://platform.invalid', login: '1000', password: 'Secret-1' },
      },
    ];
    const [simulated, real] = await Promise.all(
      profiles.map(async (profile) => (await owner.post<{ id: string }>(path, profile)).body.id),
    );
    const allowed = async (id: string | undefined) =>
      (await owner.get<{ allowedActions: string[] }>(`${path}/${id}`)).body.allowedActions;
    const at = `#/provisioning?profile=${simulated}`;
    const page = await dashboard.open(test, { token: owner.token, at });
    await page.getByRole('checkbox', { name: /^Disable trading/ }).check();
    await page.getByRole('checkbox', { name: /^Act at breaches/ }).check();
    assert.deepEqual(await accessibilityFaults(page), []);
    const save = page.getByRole('button', { name: 'Save allowed actions' });
    await untilTold(page, 'Saved. It applies from now on', () => save.click());
    assert.deepEqual(await allowed(simulated), ['disableTrading', 'actAtBreach']);

    await page.goto(`/#/provisioning?profile=${real}`);
    await page.getByRole('heading', { level: 1, name: 'Real' }).waitFor();
    await page.getByRole('checkbox', { name: /^Book balance operations/ }).check();
    await page.getByRole('button', { name: 'Save allowed actions' }).click();
    await page.getByText('Password of the profile is required to allow further actions.').waitFor();
    await page.getByLabel('Password of the profile').fill('Secret-2');
    await page.getByRole('button', { name: 'Save allowed actions' }).click();
    await page.getByText('This is not the password of the profile').waitFor();
    assert.deepEqual(await allowed(real), ['disableTrading']);
    await page.getByLabel('Password of the profile').fill('Secret-1');
    await page.getByRole('button', { name: 'Save allowed actions' }).click();
    await page.getByRole('button', { name: 'Save allowed actions' }).waitFor({ state: 'detached' });
    assert.deepEqual(await allowed(real), ['disableTrading', 'balanceOperation']);
    // Less may be done without it.
    await page.getByRole('checkbox', { name: /^Disable trading/ }).uncheck();
    assert.equal(await page.getByLabel('Password of the profile').count(), 0);
  });

  it("shows in an account's settings how reading it goes, and what is wrong", async (test) => {
    const account = { login: '200001', leverage: 7, profileId: ids.p5 };
    const id = await newAccount(user, account);
    const page = await dashboard.open(test, {
      token: user.token,
      at: `#/accounts/${id}?tab=settings`,
    });
    await page.getByRole('heading', { name: 'Reading from the platform' }).waitFor();
    await page.getByRole('status').filter({ hasText: '1:100' }).waitFor();
    await page.getByText('Working', { exact: true }).waitFor();
  });

  it('asks for what a real platform needs, and says what is missing', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/provisioning' });
    await page.getByRole('button', { name: 'New profile' }).click();
    await page.getByLabel('Name').fill('Real');
    await page.getByLabel('Kind').selectOption('p5-web-api');
    await page.getByLabel('Server').fill('http://example.com');
    await page.getByLabel('Login').fill('1000');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByText('Password is required for the kind p5-web-api.').waitFor();
    assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Password').fill('Password1');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByText(/^Password is required/).waitFor({ state: 'detached' });
    await page.getByText(/^Server .*https/).waitFor();
  });

  it('lists the symbols of a security group, and searches them', async (test) => {
    const page = await dashboard.open(test, { token: user.token, at: at('p4', 'symbols') });
    const rows = rowsOf(page, 'Symbols of the platform');
    await rows.filter({ hasText: 'XAUUSD' }).waitFor();
    await page.getByLabel('Security group').selectOption('Group 0');
    await rows.filter({ hasText: 'XAUUSD' }).waitFor({ state: 'detached' });
    await page.getByLabel('Search symbols').fill('eurusd');
    await rows.filter({ hasText: 'GBPUSD' }).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    await page.getByLabel('Security group').selectOption('Group 31');
    await page.getByText('Group 31 has no symbols').waitFor();
  });

  for (const [platform, group, login] of [
    ['p4', 'demo-usd', '100001'],
    ['p5', 'demo\\usd', '200001'],
  ] as const)
    it(`lists the accounts of a ${platform} group and leads to each`, async (test) => {
      const page = await dashboard.open(test, { token: user.token, at: at(platform, 'group') });
      await page.getByLabel('Group', { exact: true }).fill(group);
      await page.getByRole('button', { name: 'List accounts' }).click();
      const rows = rowsOf(page, `Accounts of ${group}`);
      await rows.filter({ hasText: login }).waitFor();
      assert.ok((await rows.count()) >= 20);
      await page.getByRole('link', { name: login }).click();
      await page.getByRole('region', { name: 'Account information' }).getByText('1:100').waitFor();
      await page.getByRole('region', { name: 'Client record' }).getByText(login).first().waitFor();
    });

  it('says so if a group or login does not exist', async (test) => {
    const page = await dashboard.open(test, { token: user.token, at: at('p5', 'group') });
    await page.getByLabel('Group', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'List accounts' }).click();
    await page.getByText('No account in nowhere').waitFor();
    await page.getByRole('link', { name: 'One login' }).click();
    await page.getByRole('textbox', { name: 'Login' }).fill('7');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('The platform has no account with the login 7.').waitFor();
  });

  it('opens an account and shows its passwords once, to be copied', async (test) => {
    const page = await dashboard.open(test, {
      token: user.token,
      at: at('p5', 'open'),
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByRole('textbox', { name: 'Group' }).fill('nowhere');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByText(/^E-mail must be an e-mail address/).waitFor();
    await page.getByLabel('E-mail').fill('jo@example.com');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is no group' }).waitFor();
    await page.getByRole('textbox', { name: 'Group' }).fill('demo\\usd');
    await page.getByLabel('First name').fill('Jo');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByText('Copy the passwords now.').waitFor();
    const copy = page.getByRole('button', { name: 'Copy password', exact: true });
    await untilTold(page, 'Copied', () => copy.click());
    const password = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.ok(password.length >= 8);
    await page.getByText(password, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'See and watch the account' }).click();
    await page.getByRole('region', { name: 'Client record' }).getByText('jo@example.com').waitFor();
    assert.equal(await page.getByText(password).count(), 0);
    await page.getByRole('button', { name: 'Watch this account' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Jo');
    await dialog.getByRole('button', { name: 'Add account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jo' }).waitFor();
    type Account = { name: string; profileId?: string; leverage: number; brokerClock?: object };
    const accounts = (await user.get<Account[]>('/users/current/accounts')).body;
    const profiles = await user.get<{ id: string; brokerClock: object }[]>(
      '/users/current/provisioning-profiles',
    );
    const added = accounts.find(({ name }) => name === 'Jo');
    const profile = profiles.body.find(({ id }) => id === added?.profileId);
    assert.ok(profile);
    assert.deepEqual(added?.brokerClock, profile.brokerClock);
    assert.equal(added?.leverage, 100);
    // Opening it again leads to the account where it is watched.
    await page.goBack();
    await page.getByRole('link', { name: 'Watched as Jo: open it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jo' }).waitFor();
  });
});
