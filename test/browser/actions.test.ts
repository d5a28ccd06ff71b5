import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { type Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };
const SWITCH = '/admin/breach-actions/switch';
const MAY_ACT = { scopes: ['read', 'write', 'actions'] };
/** More than any account has: the limit is broken by the first snapshot. */
const CAPITAL = '900,000,000';

/** The box of an action, not that of its dry run. */
const choice = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('checkbox', { name, exact: true });

const NOT_ALLOWED = 'The profile does not allow it yet';
const row = (dialog: Locator, action: string): Locator =>
  dialog.locator('.rule-actions .row').filter({ hasText: action });

describe('actions at breaches', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard({
      PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
    });
  });
  after(() => dashboard.close());

  /** An account of a simulated platform, whose profile allows so much. */
  const bound = async (user: Client, name: string, allowedActions: string[]): Promise<string> => {
    const made = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: `Profile of ${name}`, platform: 'p5', kind: 'simulated', allowedActions },
      brokerClock: { zone: 'UTC' },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const fields = { name, login: '200001', profileId: made.body.id };
    return newAccount(user, { ...fields, brokerClock: { zone: 'UTC' } });
  };
  /** Makes a tracker whose limit is broken at once, by the form. */
  const breakLimit = async (page: Page, choose: (page: Page) => Promise<void>): Promise<void> => {
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Measured from').selectOption({ label: 'the initial capital' });
    await dialog.getByLabel(/^Initial capital/).fill(CAPITAL);
    await dialog.getByText('At the breach').click();
    await choose(page);
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('are chosen with the tracker, and shown on tracker, incident and desk', async (test) => {
    const user = await newUser(dashboard.address, MAY_ACT);
    const id = await bound(user, 'Acting', ['actAtBreach', 'disableTrading', 'moveToGroup']);
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await breakLimit(page, async () => {
      const dialog = page.getByRole('dialog');
      await choice(dialog, 'Close all positions').check();
      await row(dialog, 'Close all positions').getByText(NOT_ALLOWED).waitFor();
      await choice(dialog, 'Close all positions').uncheck();
      await choice(dialog, 'Disable trading').check();
      await choice(dialog, 'Move to a group').check();
      await dialog.getByText('Name the group that the account is moved to.').waitFor();
      await dialog.getByRole('textbox', { name: 'Group' }).fill('nowhere');
      await dialog.getByText(/disable trading, move to nowhere/).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
    });
    const card = page.getByRole('list', { name: /^Actions that .* triggered$/ });
    await card.getByText('Done', { exact: true }).waitFor();
    await card.getByText(/^Confirmed by the platform .* after the event\.$/).waitFor();
    await card.getByText('Not done', { exact: true }).waitFor();

    await page.goto('/#/risk');
    await page.getByText('1 action at a breach was not done.').waitFor();
    await openDetails(page.locator('.incident'));
    const chips = page.getByRole('list', { name: 'Done on the platform' });
    await chips.getByText('Disable trading').waitFor();
    await chips.getByText('Move to nowhere').waitFor();
    await page.getByRole('link', { name: /^Evidence/ }).click();
    const told = page.getByRole('list', { name: 'Actions of this incident' });
    await told.getByText('Not done').waitFor();
    const again = told.getByRole('button', { name: /^Try again/ });
    await untilTold(page, 'It is tried again', () => again.click());

    await page.goto('/#/actions?state=done');
    const list = page.getByRole('list', { name: 'Actions, newest first' });
    await list.getByText('Disable trading').waitFor();
    assert.equal(await list.getByText('Move to nowhere').count(), 0);
    await list.getByRole('link', { name: 'Acting' }).waitFor();
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('need no right of the profile as a dry run, and say that nothing is done', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await bound(user, 'Rehearsing', []);
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await breakLimit(page, async () => {
      const dialog = page.getByRole('dialog');
      await choice(dialog, 'Disable trading').check();
      const disabling = row(dialog, 'Disable trading');
      await disabling.getByText(NOT_ALLOWED).waitFor();
      await dialog.getByText(/Your token lacks the scope actions/).waitFor();
      await dialog.getByLabel(/^Dry run/).check();
      await disabling.getByText(NOT_ALLOWED).waitFor({ state: 'detached' });
    });
    await page.getByText(/disable trading \(dry run: recorded only\)/).waitFor();
    const card = page.getByRole('list', { name: /^Actions that .* triggered$/ });
    await card.getByText('Dry run', { exact: true }).waitFor();
  });

  it('are not offered without a profile, and the form says what to do', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Unbound' });
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('At the breach').click();
    await dialog.getByText(/bind the account to one in its settings/).waitFor();
    assert.equal(await choice(dialog, 'Disable trading').count(), 0);
  });

  it('are stopped for all by one switch, shown on the desk of every user', async (test) => {
    const operator = await newUser(dashboard.address, { scopes: ['read', 'write', 'admin'] });
    const trader = await newUser(dashboard.address);
    await watchedAccount(trader, 'Somebody');
    const desk = await dashboard.open(test, { token: trader.token, at: '#/risk' });
    const page = await dashboard.open(test, { token: operator.token, at: '#/actions' });
    await page.getByRole('button', { name: 'Stop all actions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/applies to all users, in every process/).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Stop them' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    assert.deepEqual((await operator.get(SWITCH)).body, { enabled: false });
    await desk.getByText('Actions at breaches are stopped.').waitFor();
    await desk.getByRole('link', { name: 'Show actions' }).click();
    await desk.getByText('Only an operator can change this.').waitFor();
    assert.equal(await desk.getByRole('button', { name: 'Resume actions' }).count(), 0);
    await page.goto('/#/operator?tab=actions');
    await page.getByRole('button', { name: 'Resume actions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('On', { exact: true }).waitFor();
    await desk.getByText('On', { exact: true }).waitFor();
    const audit = await operator.get<{ action: string }[]>('/admin/audit');
    const own = audit.body.filter(({ action }) => action.startsWith('breach-actions.'));
    assert.deepEqual(
      own.map(({ action }) => action),
      ['breach-actions.enabled', 'breach-actions.disabled'],
    );
  });

  it('show in its incidents for a token of some accounts, which has no page of them', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Single');
    const made = await user.post<{ token: string }>('/users/current/tokens', {
      ...{ scopes: ['read', 'write'], accountIds: [id] },
    });
    const page = await dashboard.open(test, { token: made.body.token, at: '#/risk' });
    await page.getByRole('link', { name: 'Single' }).first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'Actions at breaches' }).count(), 0);
    await page.goto('/#/actions');
    await page.getByText('This page needs another token').waitFor();
  });
});
