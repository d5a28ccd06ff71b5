import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

const CONFLICT = { expect: /status of 409/ };
const PROGRAM = {
  name: 'One step',
  phases: [{ name: 'Challenge', rules: [{ kind: 'dailyLoss', share: 0.05 }], objectives: [] }],
};

describe('forms open while someone else saves', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  /** Saved by someone else in the meantime, outside of the page. */
  const put = async (client: Client, method: string, path: string, body: object): Promise<void> => {
    const answer = await client.call(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };

  it('change only the typed fields of an account', async (test) => {
    const user = await newUser(dashboard.address);
    const before = { name: 'Before', broker: 'Old broker', labels: ['Old'], leverage: 100 };
    const id = await newAccount(user, { ...before, brokerClock: { zone: 'UTC' } });
    const at = `#/accounts/${id}?tab=settings`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByLabel('Name').fill('Typed');
    const path = `/users/current/accounts/${id}`;
    await put(user, 'PATCH', path, { broker: 'New broker', labels: ['New'], leverage: 30 });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed' }).waitFor();
    const { body } = await user.get<typeof before>(path);
    const { name, broker, labels, leverage } = body;
    assert.deepEqual(
      { name, broker, labels, leverage },
      {
        ...{ name: 'Typed', broker: 'New broker', labels: ['New'], leverage: 30 },
      },
    );
    // Untouched, they follow: there is nothing to save.
    await page.getByText('Nothing is changed yet.').waitFor();
    assert.equal(await page.getByLabel(/^Broker required/).inputValue(), 'New broker');
  });

  it('leave unselected kinds of event mails unchanged', async (test) => {
    const user = await newUser(dashboard.address);
    const path = '/users/current/event-mail';
    const page = await dashboard.open(test, { token: user.token, at: '#/integrations' });
    await page.getByLabel('Broken limits').selectOption('immediate');
    await put(user, 'PUT', path, { warnings: 'digest' });
    const save = page.getByRole('button', { name: 'Save e-mail settings' });
    await untilTold(page, 'Saved. It applies from now on', () => save.click());
    assert.deepEqual((await user.get(path)).body, { breaches: 'immediate', warnings: 'digest' });
  });

  it('allow the switched actions of a profile, and nothing forbidden in the meantime', async (test) => {
    const user = await newUser(dashboard.address);
    const { body } = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Desk', platform: 'p5', kind: 'simulated', allowedActions: ['balanceOperation'] },
    });
    const path = `/users/current/provisioning-profiles/${body.id}`;
    const at = `#/provisioning?profile=${body.id}`;
    const page = await dashboard.open(test, { token: user.token, at });
    const money = page.getByRole('checkbox', { name: /^Book balance operations/ });
    await money.and(page.locator(':checked')).waitFor();
    await page.getByRole('checkbox', { name: /^Change leverage/ }).check();
    await put(user, 'PATCH', path, { forbid: ['balanceOperation'] });
    await money.and(page.locator(':not(:checked)')).waitFor();
    const save = page.getByRole('button', { name: 'Save allowed actions' });
    await untilTold(page, 'Saved. It applies from now on', () => save.click());
    const { allowedActions } = (await user.get<{ allowedActions: string[] }>(path)).body;
    assert.deepEqual(allowedActions, ['changeLeverage']);
  });

  it('keep actions forbidden in the meantime, before the page knows', async (test) => {
    const user = await newUser(dashboard.address);
    const { body } = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Desk', platform: 'p5', kind: 'simulated' },
      allowedActions: ['balanceOperation', 'setPassword'],
    });
    const path = `/users/current/provisioning-profiles/${body.id}`;
    const at = `#/provisioning?profile=${body.id}`;
    const page = await dashboard.open(test, { token: user.token, at });
    const switchOf = (name: RegExp) => page.getByRole('checkbox', { name });
    await switchOf(/^Change leverage/).check();
    await switchOf(/^Set passwords/).uncheck();
    // From here on the page gets no new answers about the profiles.
    await page.route(/provisioning-profiles(\?.*)?$/, () => undefined);
    await put(user, 'PATCH', path, { allow: ['disableTrading'], forbid: ['balanceOperation'] });
    await page.getByRole('button', { name: 'Save allowed actions' }).click();
    await until(async () => {
      const { allowedActions } = (await user.get<{ allowedActions: string[] }>(path)).body;
      return allowedActions.includes('changeLeverage');
    }, 'what was switched');
    const { allowedActions } = (await user.get<{ allowedActions: string[] }>(path)).body;
    assert.deepEqual(allowedActions.sort(), ['changeLeverage', 'disableTrading']);
  });

  it('request the typed quotas, and leave the rest of a pending request', async (test) => {
    const user = await newUser(dashboard.address);
    const path = '/users/current/regions/main/quotas';
    await put(user, 'PATCH', path, { maxAccounts: 4000, justification: 'A desk' });
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    await page.getByRole('button', { name: 'Change the request in main' }).click();
    const form = page.getByRole('form', { name: 'Request for main' });
    await form.getByLabel('Dedicated IPv4 addresses').fill('700');
    await put(user, 'PATCH', path, { maxAccounts: 5000, justification: 'Two desks' });
    await form.getByRole('button', { name: 'Change the request' }).click();
    await form.getByText('Your pending request has been changed.').waitFor();
    const admin = new Client(dashboard.address, ADMIN_TOKEN);
    type Request = { userId: string; requested: object; justification: string };
    const requests = (await admin.get<Request[]>('/admin/quota-requests?state=pending')).body;
    const own = requests.find(({ userId }) => userId === user.userId);
    assert.deepEqual(own?.requested, { maxAccounts: 5000, maxDedicatedIpv4: 700 });
    assert.equal(own?.justification, 'Two desks');
  });

  it('save nothing if nothing was changed', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Named');
    const at = `#/accounts/${id}?tab=trackers`;
    const page = await dashboard.open(test, { token: user.token, at });
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    assert.ok(await save.isDisabled(), 'what is as it was is not saved');
    await dialog.getByLabel('Name').fill('Mine');
    assert.ok(await save.isEnabled());
    await save.click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  it('refuse to replace a template saved again since, and a new one of its name', async (test) => {
    const user = await newUser(dashboard.address);
    const path = '/users/current/rule-templates';
    const rule = { period: 'date', relativeDrawdownThreshold: 0.05 };
    await put(user, 'PUT', `${path}/House`, { rule });
    const page = await dashboard.open(test, { token: user.token, at: '#/rules', ...CONFLICT });
    await page.getByRole('button', { name: /^Change/ }).click();
    const dialog = page.getByRole('dialog');
    await put(user, 'PUT', `${path}/House`, { rule: { ...rule, relativeDrawdownThreshold: 0.04 } });
    await dialog.getByLabel(/^Largest loss, %/).fill('3');
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await dialog.getByRole('alert').getByText('has changed since you read it').waitFor();
    const kept = async () =>
      (await user.get<{ rule: { relativeDrawdownThreshold: number } }[]>(path)).body.map(
        (each) => each.rule.relativeDrawdownThreshold,
      );
    assert.deepEqual(await kept(), [0.04]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New template' }).click();
    await put(user, 'PUT', `${path}/Another`, {
      rule: { ...rule, relativeDrawdownThreshold: 0.08 },
    });
    await dialog.getByLabel(/^Name/).fill('Another');
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await dialog.getByRole('alert').getByText('A template with this name already exists').waitFor();
  });

  it('refuse to skip a version of a program made in the meantime', async (test) => {
    const user = await newUser(dashboard.address);
    const { body } = await user.post<{ id: string }>('/users/current/programs', PROGRAM);
    const path = `/users/current/programs/${body.id}`;
    const at = `#/programs/${body.id}`;
    const page = await dashboard.open(test, { token: user.token, at, ...CONFLICT });
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Mine');
    await put(user, 'PUT', path, { ...PROGRAM, name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await dialog.getByRole('alert').getByText('There is a newer version, 2').waitFor();
    const newest = (await user.get<{ name: string; version: number }>(path)).body;
    assert.deepEqual([newest.name, newest.version], ['Theirs', 2]);
  });
});
