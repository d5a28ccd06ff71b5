import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import { freePort } from '../servers/free-ports.ts';
import { CLIENT, startProvider } from '../servers/openid-provider-server.ts';
import { ADMIN_TOKEN, Client, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

/** All that a script of the page could read. */
const assertNothingKept = async (page: Page): Promise<void> => {
  const kept = await page.evaluate<string[]>(
    '[...Object.values(sessionStorage), ...Object.values(localStorage), document.cookie]',
  );
  assert.doesNotMatch(kept.join('\n'), /pl[a-z]*_|token/);
};

const onAccounts = (page: Page): Promise<void> =>
  page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();

const isSignedInAs = (page: Page, name: string): Promise<void> =>
  page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor();

describe('signing in', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  /** A user with a token of a name, which the top bar shows. */
  const named = async (name: string): Promise<Client & { token: string }> => {
    const user = await newUser(dashboard.address);
    const made = await user.post<{ token: string }>('/users/current/tokens', { name });
    return Object.assign(new Client(dashboard.address, made.body.token), made.body);
  };
  const linkOf = async (client: Client): Promise<string> => {
    const { body } = await client.post<{ code: string }>('/users/current/sign-in-codes');
    return `#code=${body.code}`;
  };

  it('exchanges a pasted token for a session that scripts cannot read', async (test) => {
    const { token = '' } = await newUser(dashboard.address);
    const page = await dashboard.open(test);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await onAccounts(page);
    await assertNothingKept(page);
    await page.reload();
    await onAccounts(page);
    const another = await page.context().newPage();
    await another.goto('/');
    await onAccounts(another);
  });

  it('takes what a link brings and removes it from the address and the history', async (test) => {
    const user = await named('desk');
    for (const link of [`#token=${user.token}`, await linkOf(user)]) {
      const page = await dashboard.open(test, { at: link });
      await isSignedInAs(page, 'desk');
      const [, secret = ''] = link.split('=');
      assert.ok(!page.url().includes(secret), page.url());
      await assertNothingKept(page);
      await page.goBack();
      assert.ok(!page.url().includes(secret), page.url());
    }
  });

  it('asks whether a link may replace a running session, naming both', async (test) => {
    const [mine, other] = [await named('mine'), await named('theirs')];
    const page = await dashboard.open(test, { token: mine.token });
    await isSignedInAs(page, 'mine');
    const question = page.getByRole('dialog', { name: 'Sign in as somebody else?' });
    const link = await linkOf(other);
    for (const answer of ['Stay as I am', 'Sign in by the link']) {
      await page.evaluate(`location.hash = '${link}'`);
      for (const name of ['mine', 'theirs']) await question.getByText(name).waitFor();
      await isSignedInAs(page, 'mine');
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'detached' });
    }
    await isSignedInAs(page, 'theirs');
    // One's own link asks nothing.
    await page.evaluate(`location.hash = '${await linkOf(other)}'`);
    await page.waitForURL(/#\/accounts$/);
    assert.equal(await question.count(), 0);
  });

  it('tells the other tabs who is signed in now', async (test) => {
    const [mine, other] = [await named('mine'), await named('theirs')];
    const page = await dashboard.open(test, { token: mine.token });
    await isSignedInAs(page, 'mine');
    const tab = await page.context().newPage();
    await tab.goto(`/${await linkOf(other)}`);
    await tab.getByRole('button', { name: 'Sign in by the link' }).click();
    for (const each of [page, tab]) await isSignedInAs(each, 'theirs');
  });

  it('refuses a link that was used, and a malformed one, in words', async (test) => {
    const user = await named('desk');
    const link = await linkOf(user);
    const page = await dashboard.open(test, { at: link });
    await isSignedInAs(page, 'desk');
    await page.evaluate(`location.hash = '${link}'`);
    const refusal = page.getByRole('dialog', { name: 'The link does not sign in' });
    await refusal.getByText('refused').waitFor();
    await refusal.getByRole('button', { name: 'Stay as I am' }).click();
    for (const at of [link, '#token=%E0%A4%A', '#code=%E0%A4%A', '#token=not-a-token']) {
      const stranger = await dashboard.open(test, { at });
      await stranger.getByRole('alert').filter({ hasText: 'refused' }).waitFor();
      await stranger.getByLabel('Access token').waitFor();
    }
  });

  it('signs in by a link where the running session has ended', async (test) => {
    const [mine, other] = [await named('mine'), await named('theirs')];
    const page = await dashboard.open(test, { token: mine.token });
    await isSignedInAs(page, 'mine');
    await mine.call('DELETE', '/users/current/sessions');
    await page.goto(`/?again${await linkOf(other)}`);
    await isSignedInAs(page, 'theirs');
  });

  it('ends the session when one signs out, also on the server', async (test) => {
    const user = await named('desk');
    const page = await dashboard.open(test, { token: user.token });
    await isSignedInAs(page, 'desk');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    const sessions = await user.get<unknown[]>('/users/current/sessions');
    assert.deepEqual(sessions.body, []);
    await page.reload();
    await page.getByLabel('Access token').waitFor();
  });

  it('lists sessions, and ends one of another device', async (test) => {
    const user = await named('desk');
    const other = await sessionOf(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/sessions' });
    const ending = page.getByRole('button', { name: 'End Firefox on Linux' });
    await ending.waitFor();
    await page.getByText('this one').waitFor();
    await ending.click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await ending.waitFor({ state: 'detached' });
    assert.equal((await other.get('/users/current/token')).status, 401);
    await page.getByRole('button', { name: 'Link for another device' }).click();
    const link = await page.locator('.secret-value').textContent();
    const phone = await dashboard.open(test, { at: link?.replace(/^.*\//, '') ?? '' });
    await isSignedInAs(phone, 'desk');
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

describe('people of a desk', () => {
  it('are invited on a page, act under their names in browsers of their own, and are removed', async (test) => {
    const dashboard = await startDashboard();
    try {
      const scopes = ['read', 'write', 'ingest', 'actions'];
      const user = await newUser(dashboard.address, { scopes });
      const page = await dashboard.open(test, { token: user.token, at: '#/sessions' });
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('Name').fill('Anna');
      await page.getByLabel('E-mail address').fill('anna@example.com');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const link = await page.locator('.secret-value').textContent();
      const anna = await dashboard.open(test, { at: link?.replace(/^.*\//, '') ?? '' });
      await anna.getByRole('banner').getByRole('link', { name: 'Anna' }).click();
      await anna.getByText('this one').waitFor();
      assert.equal(await anna.getByRole('heading', { name: 'People' }).count(), 0);
      await page.getByRole('button', { name: 'Role of Anna' }).click();
      await page.getByLabel('Role', { exact: true }).selectOption('owner');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'owner' }).waitFor();
      await anna.reload();
      await anna.getByRole('heading', { name: 'People' }).waitFor();
      await page.getByRole('button', { name: 'Remove Anna' }).click();
      await page.getByRole('button', { name: 'Remove the person' }).click();
      await page.getByText('Nobody yet').waitFor();
      await anna.getByText('Your session has ended').waitFor();
    } finally {
      await dashboard.close();
    }
  });

  it('sign in at their provider, are told why not, and sign out there', async (test) => {
    const port = await freePort();
    const home = `http://127.0.0.1:${port}`;
    const provider = await startProvider(home);
    const dashboard = await startDashboard({
      ...{ PORT: String(port), PLIMSOLL_PUBLIC_URL: home, PLIMSOLL_OIDC_ISSUER: provider.issuer },
      ...{ PLIMSOLL_OIDC_CLIENT_ID: CLIENT.id, PLIMSOLL_OIDC_CLIENT_SECRET: CLIENT.secret },
      ...{ PLIMSOLL_OIDC_USER: 'desk@example.com', PLIMSOLL_OIDC_PEOPLE: 'all' },
    });
    try {
      const admin = new Client(dashboard.address, ADMIN_TOKEN);
      await admin.post('/admin/users', { email: 'desk@example.com' });
      const email = 'ben@example.com';
      provider.people.set('ben', { name: 'Ben', email, email_verified: false });
      // Beside the watched one: here other hosts are asked, and the provider's page wants more.
      const watched = await dashboard.open(test);
      const browser = watched.context().browser();
      assert.ok(browser);
      const page = await (await browser.newContext({ baseURL: home })).newPage();
      await page.goto('/');
      const enter = page.getByRole('link', { name: 'Sign in with your provider' });
      await enter.click();
      await page.getByLabel('Name').fill('ben');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Your provider vouches for no e-mail address of yours.').waitFor();
      provider.people.set('ben', { name: 'Ben', email, email_verified: true });
      // The provider remembers who is there.
      await enter.click();
      await isSignedInAs(page, 'Ben');
      await onAccounts(page);
      await assertNothingKept(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await enter.waitFor();
      await enter.click();
      await page.getByLabel('Name').waitFor();
    } finally {
      await dashboard.close();
      await provider.close();
    }
  });
});
