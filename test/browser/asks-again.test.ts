import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { SERVER_GONE } from './witness.ts';

needs('browser', 'dashboard', 'server');

const QUOTAS_PAGE = /\/assets\/quotas-page-[^/]+\.js$/;

describe('missing data and files', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('are requested again automatically when they could not be read', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token });
    let isAway = true;
    await page.route(/\/users\/current\/quotas$/, async (route) => {
      if (!isAway) return await route.continue();
      await route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' });
    });
    await page.goto('/#/quotas');
    await page.getByRole('alert').filter({ hasText: 'answered 502' }).waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'Request more in main' }).waitFor();
  });

  it('are looked for in the new version after an upgrade', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { expect: SERVER_GONE });
    // The version before: the same program under another name, and a part that is gone now.
    const current = await programOf(page);
    const former = current.replace(/index-[^.]+/, 'index-former');
    await page.route(/\/(assets\/.*\.js|\?former)$/, async (route) => {
      const address = route.request().url().replace(former, current);
      const response = await route.fetch({ url: address });
      const text = (await response.text()).replaceAll(current, former);
      await route.fulfill({ response, body: text });
    });
    await page.goto(`/?former#token=${user.token}`);
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    assert.equal(await programOf(page), former);
    // Running requests are answered first.
    await page.unrouteAll({ behavior: 'wait' });
    let isReloaded = false;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isReloaded = true;
    });
    await page.route(QUOTAS_PAGE, (route) =>
      isReloaded ? route.continue() : route.fulfill({ status: 404 }),
    );
    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('button', { name: 'Request more in main' }).waitFor();
    assert.equal(await programOf(page), current);
  });

  it('are reported, without endless reloads, if the version is the same', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, expect: SERVER_GONE });
    let asked = 0;
    let loaded = 0;
    await page.route(QUOTAS_PAGE, (route) => {
      asked += 1;
      return route.fulfill({ status: 404 });
    });
    page.on('load', () => {
      loaded += 1;
    });
    const compared = page.waitForResponse(
      (response) => new URL(response.url()).pathname === '/' && asked > 0,
    );
    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('alert').filter({ hasText: 'This page broke.' }).waitFor();
    await (await compared).finished();
    await until(async () => asked > 0, 'the part to be asked for');
    assert.equal(loaded, 0);
  });
});

/** The file name of the program that the page runs. */
async function programOf(page: Page): Promise<string> {
  const script = page.locator('script[type=module][src]').first();
  return (await script.getAttribute('src'))?.split('/').at(-1) ?? '';
}
