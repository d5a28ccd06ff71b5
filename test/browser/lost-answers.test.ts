import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page, Route } from 'playwright-core';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';
import { SERVER_GONE } from './witness.ts';

needs('browser', 'dashboard', 'server');

const LOST = 'The answer was lost: the change may or may not have been saved.';
const STATEMENT = fileURLToPath(
  new URL('../../src/demo/statements/p5-netting-jpy.html', import.meta.url),
);

/** Requests of a method arrive and are done; the test decides about their answers. */
async function lose(
  page: Page,
  method: string,
  address: RegExp,
  answer: (route: Route) => Promise<void>,
  /** Of a file, which the browser does not show. */
  postData?: Buffer,
): Promise<void> {
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return await route.continue();
    await route.fetch(postData ? { postData } : {});
    await answer(route);
  });
}

const reset = (route: Route): Promise<void> => route.abort('connectionreset');

describe('a change with a lost answer', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('is not called undone when the connection breaks before its answer', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Noted');
    await push(user, id, { minutes: -1, equity: 10_000 }, { minutes: 0, equity: 8000 });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/risk', expect: SERVER_GONE },
    });
    await lose(page, 'PATCH', /\/users\/current\/incidents$/, reset);
    await openDetails(page.locator('.incident'));
    await page.getByRole('button', { name: 'Note or assign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('The client was called');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: LOST }).waitFor();
    // The dialog that stays open shows that it was saved after all.
    await dialog.getByRole('listitem').filter({ hasText: 'The client was called' }).waitFor();
    assert.equal(await page.getByText('Not done.').count(), 0);
  });

  it('is not called undone when a proxy gives up waiting for its answer', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Behind a proxy', brokerClock: { zone: 'UTC' } });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=trackers` },
    });
    const slow = { status: 504, contentType: 'text/html', body: '<h1>Gateway Time-out</h1>' };
    await lose(page, 'POST', /\/trackers$/, (route) => route.fulfill(slow));
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.getByRole('alert').filter({ hasText: LOST }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Rename/ }).waitFor();
  });

  it('is not called undone when its answer is cut off; a new token is shown', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/integrations' });
    const half = { status: 201, contentType: 'application/json', body: '{"id":"0123","tok' };
    await lose(page, 'POST', /\/users\/current\/tokens$/, (route) => route.fulfill(half));
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('Half told');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').filter({ hasText: LOST }).waitFor();
    await page.getByText('revoke it and create another').waitFor();
    await page.getByRole('button', { name: 'Revoke Half told' }).waitFor();
  });

  it('is not called undone when the answer to a statement is lost', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Statements', currency: 'JPY', login: '200002' });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=import`, expect: SERVER_GONE },
    });
    await lose(page, 'POST', /\/statements\?/, reset, await readFile(STATEMENT));
    await page.getByLabel('Choose files').setInputFiles(STATEMENT);
    await page.getByRole('alert').filter({ hasText: LOST }).waitFor();
    assert.equal(await page.getByText('Not imported.').count(), 0);
    const listed = page.getByRole('table', { name: 'Imported files' });
    await listed.getByRole('button', { name: /^Take back/ }).waitFor();
  });

  it('differs from a calculation, which just failed', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user);
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/margin', expect: SERVER_GONE },
    });
    await page.route(/calculate-margin$/, reset);
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).first().waitFor();
    assert.equal(await page.getByText('The answer was lost').count(), 0);
  });
});
