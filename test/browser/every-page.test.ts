import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import {
  accessibilityFaults,
  buttons,
  contrastFaults,
  hiddenAside,
  overflow,
} from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { fillEveryPage, type KnownPage, visit } from './every-page.ts';

needs('browser', 'dashboard', 'server');

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };
const SMALL = { width: 320, height: 640 };
/** A4 between its margins. */
const PAPER = { width: 718, height: 1047 };
/** What a first visit may load, compressed. */
const FIRST_LOAD_BYTES = 250_000;

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

  it('is usable for all, in dark colours and on a phone, too', async (test) => {
    const page = await dashboard.open(test, { token });
    for (const known of pages) {
      await test.test(known.at, async () => {
        await page.setViewportSize(DESKTOP);
        await page.emulateMedia({ colorScheme: 'light' });
        await visit(page, known);
        // The open incidents are counted by an answer of their own.
        const title = new RegExp(`^\\(1\\) ${known.heading}.* · Plimsoll$`);
        await until(async () => title.test(await page.title()), `the title ${title}`);
        assert.deepEqual(await accessibilityFaults(page), []);
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.deepEqual(await contrastFaults(page), []);
        await page.setViewportSize(PHONE);
        assert.deepEqual(await overflow(page), []);
        assert.deepEqual(await accessibilityFaults(page), [], 'on a phone');
      });
    }
  });

  it('is all there on 320 pixels, with forced colours, and on paper', async (test) => {
    const page = await dashboard.open(test, { token });
    for (const known of pages) {
      await test.test(known.at, async () => {
        await page.emulateMedia({ media: 'screen', forcedColors: 'none' });
        await page.setViewportSize(SMALL);
        await visit(page, known);
        assert.deepEqual(await overflow(page), [], 'on 320 pixels');
        await page.emulateMedia({ forcedColors: 'active' });
        assert.deepEqual(await contrastFaults(page), [], 'with forced colours');
        await page.setViewportSize(PAPER);
        await page.emulateMedia({ media: 'print', forcedColors: 'none' });
        await page.getByRole('heading', { level: 1, name: known.heading }).waitFor();
        assert.deepEqual(await overflow(page), [], 'on paper');
        const lost = [...(await hiddenAside(page)), ...(await buttons(page))];
        assert.deepEqual(lost, [], 'on paper');
        assert.equal(await page.locator('nav a:not([aria-current]):visible').count(), 0);
      });
    }
  });

  it('shows what is chosen where a theme takes the colours away', async (test) => {
    const page = await dashboard.open(test, { token, at: '#/accounts' });
    await page.emulateMedia({ forcedColors: 'active' });
    const background = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
      );
    await page.locator('.segmented :checked').first().waitFor();
    assert.notEqual(
      await background('.segmented :checked + span'),
      await background('.segmented :not(:checked) + span'),
    );
    assert.notEqual(
      await background('.menu nav a[aria-current]'),
      await background('.menu nav a:not([aria-current])'),
    );
  });

  it('asks in dialogs that are usable for all, in both themes', async (test) => {
    const page = await dashboard.open(test, { token });
    const account = pages.find(({ at }) => at.startsWith('#/accounts/'))?.at ?? '';
    for (const [at, name] of [
      ['#/accounts', 'Start from a statement'],
      ['#/accounts', 'Add account'],
      ['#/accounts', 'Label accounts'],
      [`${account}?tab=trackers`, 'New tracker'],
      [`${account}?tab=enrolments`, 'Enrol or try a program'],
      ['#/rules', 'New template'],
      ['#/programs', 'New program'],
    ] as const) {
      await page.goto(`/${at}`);
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog').waitFor();
      await page.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(await accessibilityFaults(page), [], name);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await contrastFaults(page), [], name);
      await page.keyboard.press('Escape');
    }
  });

  it('is there with 250 KB', async (test) => {
    const page = await dashboard.open(test, { token, at: '#/accounts' });
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource')
        .filter(({ name }) => /\\.(js|css)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    assert.ok(bytes > 0 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes`);
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

  it("follows the system's dark mode, and its reader's choice first", async (test) => {
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
});
