import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { Client, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { all, fall, handle, itemOf } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

const SMALL_SCREEN = { width: 1280, height: 800 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('the desk', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  const colleagueOf = async (user: Client, name: string): Promise<Client> => {
    const scopes = ['read', 'write', 'ingest'];
    const made = await user.post<{ token: string }>('/users/current/tokens', { name, scopes });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return new Client(dashboard.address, made.body.token);
  };

  it('reads names to their end on a small screen, also of what somebody took', async (test) => {
    const user = await newUser(dashboard.address);
    const names = ['Marcus Novak', 'Anna-Sophie Müller'];
    await fall(user, ...names);
    for (const { id } of await all(user)) await handle(user, id, { assignee: 'Boris' });
    const browser = { viewport: SMALL_SCREEN };
    const page = await dashboard.open(test, { token: user.token, at: '#/risk', browser });
    for (const name of names) {
      const item = itemOf(page, name);
      await item.getByText('Boris', { exact: true }).waitFor();
      const [shown, whole] = await item.locator('.incident-account .middle-head').evaluate(
        // Whole pixels, of which the widths are rounded.
        ({ clientWidth, scrollWidth }) => [clientWidth + 1, scrollWidth],
      );
      assert.ok((shown ?? 0) >= (whole ?? 0), `${name}: ${shown} of ${whole}`);
      await item.getByText('Loss', { exact: true }).waitFor({ state: 'attached' });
    }
  });

  for (const [title, browser] of [
    ['a small screen', { viewport: SMALL_SCREEN }],
    ['a phone', PHONE],
  ] as const) {
    it(`tells what was done beside all one works on, on ${title}`, async (test) => {
      const user = await newUser(dashboard.address);
      await fall(user, 'One', 'Two', 'Three');
      const page = await dashboard.open(test, {
        ...{ token: user.token, at: '#/risk', browser, keepsMessages: true },
      });
      for (const name of ['One', 'Two']) {
        await itemOf(page, name)
          .getByRole('button', { name: /^Acknowledge/ })
          .click();
        await page.getByText(`${name}: acknowledged`).waitFor();
      }
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      const told = await page.locator('.toasts').boundingBox();
      const bar = await page.locator('.top-bar').boundingBox();
      assert.ok(told && bar);
      assert.ok(told.y + told.height <= bar.y + bar.height, JSON.stringify({ told, bar }));
      assert.deepEqual(await overflow(page), []);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await page.getByText('2 open;').waitFor();
    });
  }

  it('sends a note by Ctrl and Enter, once', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Noted');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const dialog = page.getByRole('dialog');
    for (const keys of ['Control+Enter', 'Meta+Enter']) {
      await itemOf(page, 'Noted').focus();
      await page.keyboard.press('n');
      // Nothing is typed yet: nothing is sent.
      await page.keyboard.press(keys);
      await dialog.getByLabel('Note').fill(`By ${keys}`);
      await page.keyboard.press(keys);
      await page.keyboard.press(keys);
      await dialog.waitFor({ state: 'detached' });
    }
    await itemOf(page, 'Noted').focus();
    await page.keyboard.press('n');
    await dialog.getByLabel('Note').fill('By two at once');
    // Faster than the page can say that it is being sent.
    await page.evaluate(`(() => {
      const form = document.querySelector('dialog form');
      form.requestSubmit();
      form.requestSubmit();
    })()`);
    await dialog.waitFor({ state: 'detached' });
    const [incident] = await all(user);
    type Entry = { kind: string; words?: string };
    const entries = await user.get<Entry[]>(`/users/current/incidents/${incident?.id}/entries`);
    assert.deepEqual(
      entries.body.map(({ words }) => words),
      ['By two at once', 'By Meta+Enter', 'By Control+Enter'],
    );
  });

  it('shows the keys that do something on the page, by a key and by a button', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Any');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    const listed = async (): Promise<string[]> => {
      await dialog.waitFor();
      const keys = await dialog.locator('dt').allInnerTexts();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return keys;
    };
    await page.getByRole('button', { name: 'Keys' }).click();
    assert.deepEqual(await accessibilityFaults(page), []);
    const onDesk = await listed();
    assert.deepEqual(onDesk.slice(0, 4), ['J', 'K', 'Enter', 'A']);
    await page.getByLabel('Find incidents').fill('any?');
    assert.equal(await dialog.count(), 0, 'a key in a field is its text');
    await page.goto('/#/quotas');
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await page.keyboard.press('?');
    assert.deepEqual(await listed(), ['CtrlK', 'CtrlEnter', '?']);
  });

  it('on a phone moves no line when new ones come', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Old', 'Older');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk', browser: PHONE });
    const below = itemOf(page, 'Old').last();
    await below.waitFor();
    const before = await below.boundingBox();
    await fall(user, 'New');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    assert.deepEqual(await below.boundingBox(), before);
    assert.deepEqual(await overflow(page), []);
  });

  it('does by keys nothing to what somebody else did since the line was chosen', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna', scopes: SCOPES });
    const boris = await colleagueOf(user, 'Boris');
    await fall(user, 'Wanted');
    const [incident] = await all(user);
    const now = async () => (await all(user))[0];
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/risk?state=all', expect: /status of 409/ },
    });
    const item = itemOf(page, 'Wanted');
    await item.waitFor();
    await page.keyboard.press('j');
    await handle(boris, incident?.id, { assignee: 'Boris' });
    await item.getByText('Boris', { exact: true }).waitFor();
    await page.keyboard.press('m');
    await faster(page).getByText('Wanted: Boris took it at').waitFor();
    await faster(page).getByRole('button', { name: 'Leave it' }).click();
    assert.equal((await now())?.assignee, 'Boris');
    // Once it was told, the key says what it does: to take it over.
    await page.keyboard.press('m');
    await until(async () => (await now())?.assignee === 'Anna', 'that it is taken over');
    await item.getByText('Anna', { exact: true }).waitFor();
    // What one did oneself is no news.
    await page.keyboard.press('m');
    await until(async () => (await now())?.assignee === undefined, 'that it is given back');
    await handle(boris, incident?.id, { acknowledged: true });
    await item.getByRole('button', { name: /^Open again/ }).waitFor();
    await page.keyboard.press('a');
    await page.getByText(/^Wanted: Boris acknowledged it at /).waitFor();
    assert.ok((await now())?.acknowledged);
  });
});

const SCOPES = ['read', 'write', 'ingest', 'admin'];
const faster = (page: Page): Locator => page.getByRole('dialog', { name: 'Somebody was faster' });
