import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, contrastFaults, overflow } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { fillEveryPage, type KnownPage, visit } from './every-page.ts';

const PHONE = { width: 360, height: 740 };

describe('every page', () => {
  let dashboard: Dashboard;
  let token: string | undefined;
  let pages: KnownPage[];
  before(async () => {
    dashboard = await startDashboard();
    const user = await newUser(dashboard.address, { scopes: ['read', 'write', 'ingest', 'admin'] });
    token = user.token;
    pages = await fillEveryPage(user);
  });
  after(() => dashboard.close());

  /** Findings by page; pages without any are left out. */
  const walk = async (
    page: Page,
    find: (page: Page) => Promise<string[]>,
  ): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const known of pages) {
      await visit(page, known);
      const findings = await find(page);
      if (findings.length > 0) found[known.at] = findings;
    }
    return found;
  };

  it('has nothing that axe objects to', async (test) => {
    const page = await dashboard.open(test, { token });
    assert.deepEqual(await walk(page, accessibilityFaults), {});
  });

  it('has contrast enough in dark colours too', async (test) => {
    const page = await dashboard.open(test, { token, browser: { colorScheme: 'dark' } });
    assert.deepEqual(await walk(page, contrastFaults), {});
  });

  it('fits a phone without scrolling sideways', async (test) => {
    const page = await dashboard.open(test, { token, browser: { viewport: PHONE } });
    assert.deepEqual(await walk(page, overflow), {});
  });

  it('signs in on a phone, and opens its menu there', async (test) => {
    const page = await dashboard.open(test, { browser: { viewport: PHONE } });
    await page.getByLabel('Access token').waitFor();
    assert.deepEqual([...(await overflow(page)), ...(await accessibilityFaults(page))], []);
    await page.getByLabel('Access token').fill(token ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    assert.deepEqual([...(await overflow(page)), ...(await accessibilityFaults(page))], []);
    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await page.getByRole('link', { name: 'Quotas' }).waitFor({ state: 'hidden' });
  });

  it('follows the dark of the system, and the choice of its reader before it', async (test) => {
    const brightest = () =>
      page.evaluate<number>(
        'Math.max(...getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g))',
      );
    const page = await dashboard.open(test, { token, at: '#/quotas' });
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    assert.ok((await brightest()) > 200);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.ok((await brightest()) < 60);
    await page.getByRole('radio', { name: 'Light' }).check();
    assert.ok((await brightest()) > 200);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    assert.ok((await brightest()) > 200);
  });

  it('has a title of its own', async (test) => {
    const page = await dashboard.open(test, { token });
    for (const known of pages) {
      await visit(page, known);
      assert.match(await page.title(), new RegExp(`^\\(1\\) ${known.heading}.* · Plimsoll$`));
    }
  });
});
