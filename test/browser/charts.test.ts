import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { accessibilityFaults } from './accessibility.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

const STRETCH = /[?&]from=\d{4}-\d\d-\d\dT[^&]+&to=\d{4}-\d\d-\d\dT/;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

const chartOf = (page: Page) => page.getByRole('figure', { name: /^Chart of / });

/**
 * Where the chart's upper part is drawn, once everything above it is loaded and no longer moves it.
 */
async function boxOf(page: Page) {
  await chartOf(page).waitFor();
  await page.locator('.panel-waiting').waitFor({ state: 'detached' });
  await chartOf(page).scrollIntoViewIfNeeded();
  const box = await chartOf(page).locator('.u-over').first().boundingBox();
  assert.ok(box);
  return box;
}

async function zoomOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByRole('button', { name: 'Zoom out' }).waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), STRETCH);
}

describe('a stretch of a chart', () => {
  let dashboard: Dashboard;
  let token: string;
  let id: string;
  before(async () => {
    dashboard = await startDashboard();
    const user = await newUser(dashboard.address);
    token = user.token ?? '';
    id = await watchedAccount(user, 'Stretched');
    const hours = Array.from({ length: 200 }, (_, n) => n - 200);
    await push(user, id, ...hours.map((n) => ({ minutes: n * 60, equity: 10_000 + n * 3 })));
  });
  after(() => dashboard.close());

  it('is chosen by mouse and by keyboard, and opens again by its link', async (test) => {
    const browser = { permissions: ['clipboard-read', 'clipboard-write'] };
    const page = await dashboard.open(test, { token, at: `#/accounts/${id}`, browser });
    await chartOf(page).waitFor();
    const { x, y, width, height } = await boxOf(page);
    await page.mouse.move(x + width * 0.4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(STRETCH);
    await zoomOut(page);
    await chartOf(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+PageUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(STRETCH);
    assert.deepEqual(await accessibilityFaults(page), []);
    const copy = page.getByRole('button', { name: 'Copy link to this view' });
    await untilTold(page, 'Copied', () => copy.click());
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(link, page.url());
    const [, hash] = link.split('#');
    const other = await dashboard.open(test, { token, at: `#${hash}` });
    await other.getByRole('button', { name: 'Zoom out' }).waitFor();
    await chartOf(other).focus();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Zoom out' }).waitFor({ state: 'detached' });
  });

  it('has a moment at one place in its upper and its lower part', async (test) => {
    const viewport = { width: 360, height: 740 };
    for (const browser of [{}, { viewport }]) {
      const page = await dashboard.open(test, { token, at: `#/accounts/${id}`, browser });
      await chartOf(page).waitFor();
      const parts = async () =>
        await Promise.all(
          (await chartOf(page).locator('.u-over').all()).map((part) => part.boundingBox()),
        );
      await until(async () => {
        const [upper, lower] = await parts();
        return upper?.x === lower?.x && upper?.width === lower?.width;
      }, 'parts of one width');
    }
  });

  it('is chosen by a finger', async (test) => {
    const browser = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
    const page = await dashboard.open(test, { token, at: `#/accounts/${id}`, browser });
    const { x, y, width, height } = await boxOf(page);
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: share === undefined ? [] : [{ x: x + width * share, y: y + height / 2 }],
      });
    await touch('touchStart', 0.3);
    for (const share of [0.4, 0.5, 0.6]) await touch('touchMove', share);
    await touch('touchEnd');
    await page.waitForURL(STRETCH);
    await zoomOut(page);
  });

  it('is compared alone, from 0 on, and opens again by its link', async (test) => {
    const page = await dashboard.open(test, { token, at: `#/compare?accounts=${id}&range=all` });
    const gain = page.getByRole('cell', { name: /^[+−]\d/ }).first();
    await chartOf(page).waitFor();
    const whole = await gain.textContent();
    const { x, y, width, height } = await boxOf(page);
    await page.mouse.move(x + width * 0.4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(STRETCH);
    await page.mouse.move(0, 0);
    const shown = page.getByRole('figure', { name: /, (5\d|6\d) hours, broker time/ });
    await shown.waitFor();
    assert.notEqual(await gain.textContent(), whole);
    const [, hash] = page.url().split('#');
    const other = await dashboard.open(test, { token, at: `#${hash}` });
    await other.getByRole('figure', { name: /, (5\d|6\d) hours, broker time/ }).waitFor();
    await zoomOut(page);
    await chartOf(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+PageUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(STRETCH);
    await page.getByRole('figure', { name: /, 25 hours, broker time/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Zoom out' }).waitFor({ state: 'detached' });
  });

  it('is left out if an address names an impossible one', async (test) => {
    const at = `#/accounts/${id}?range=week&from=2026-13-45T00:00:00&to=2026-01-01T00:00:00`;
    const page = await dashboard.open(test, { token, at });
    await chartOf(page).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Zoom out' }).count(), 0);
    assert.ok(await page.getByRole('radio', { name: 'Week' }).isChecked());
  });

  it('of several accounts is saved as a picture', async (test) => {
    const page = await dashboard.open(test, { token, at: `#/compare?accounts=${id}` });
    await chartOf(page).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'comparison.png');
    const bytes = await readFile(await download.path());
    assert.ok(bytes.subarray(0, 4).equals(PNG));
  });
});
