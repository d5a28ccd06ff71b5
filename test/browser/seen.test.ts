import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { type Client, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { accessibilityFaults } from './accessibility.ts';
import { addTracker, push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { all, fall, handle, itemOf, openDetails, PATH } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

const CONFLICT = { expect: /status of 409/ };

describe('what is done on the desk is done to what was seen', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  /** An account that breaks two limits, one after the other. */
  const fallTwice = async (user: Client, name: string): Promise<void> => {
    const before = (await all(user)).length;
    const id = await watchedAccount(user, name, { relativeDrawdownThreshold: 0.2 });
    await addTracker(user, id, {
      ...{ name: `Later limit of ${name}`, period: 'lifetime', relativeDrawdownThreshold: 0.25 },
    });
    const minutes = [-20, -15, -10];
    const equities = [10_000, 7900, 7400];
    await push(user, id, ...minutes.map((at, n) => ({ minutes: at, equity: equities[n] ?? 0 })));
    await until(async () => (await all(user)).length === before + 2, `the incidents of ${name}`);
  };

  const listed = (page: Page): Promise<string[]> =>
    page.locator('.incident-account').allTextContents();

  it('acknowledges those that were asked about, and tells what came meanwhile', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'One', 'Two');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByRole('button', { name: 'Acknowledge the 2 shown' }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 2 incidents?' });
    await dialog.waitFor();
    await fall(user, 'Three');
    await dialog.getByText('1 more came meanwhile. It stays open.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Acknowledge them' }).click();
    await page.getByText('1 open;').waitFor();
    const open = (await all(user)).filter(({ acknowledged }) => !acknowledged);
    assert.deepEqual(
      open.map(({ accountName }) => accountName),
      ['Three'],
    );
  });

  it('keeps every line under the pointer until new ones are taken in', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Old', 'Older');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const button = itemOf(page, 'Old')
      .last()
      .getByRole('button', { name: /^Acknowledge/ });
    await button.hover();
    const before = await button.boundingBox();
    await fall(user, 'New');
    const bar = page.getByRole('button', { name: '1 new' });
    await bar.waitFor();
    assert.deepEqual(await button.boundingBox(), before);
    await page.mouse.down();
    await page.mouse.up();
    await page.getByText('2 open;').waitFor();
    const done = (await all(user)).filter(({ acknowledged }) => acknowledged);
    assert.equal(done.length, 1);
    assert.notEqual(done[0]?.accountName, 'New');
    // What is done keeps its place as well, so that a second click meets nothing else.
    await page.locator('.incident').getByText('No longer here').waitFor();
    // It stays on the way there as well.
    const { x = 0, y = 0, width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 20 });
    assert.equal(await bar.count(), 1);
    await page.mouse.down();
    await page.mouse.up();
    await itemOf(page, 'New').waitFor();
    assert.equal((await listed(page))[0], 'New');
    assert.equal(await page.getByText('No longer here').count(), 0);
  });

  it('moves no other line when one is chosen, taken or handled', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    const [low, taken, done] = ['A', 'B', 'C'].map((each) => `Challenge of the spring ${each}`);
    await fall(user, `${low}`, `${taken}`, `${done}`);
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const below = itemOf(page, `${low}`);
    await below.hover();
    const before = await below.boundingBox();
    const stays = async (what: string): Promise<void> =>
      assert.deepEqual(await below.boundingBox(), before, what);
    await itemOf(page, `${taken}`).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Acknowledge the 1 chosen' }).waitFor();
    await stays('one is chosen');
    const ofTaken = (await all(user)).find(({ accountName }) => accountName === taken);
    await handle(user, ofTaken?.id, { assignee: 'Boris with a long name' });
    await itemOf(page, `${taken}`).getByText('Boris with a long name').waitFor();
    await stays('somebody took one');
    await itemOf(page, `${done}`)
      .getByRole('button', { name: /^Acknowledge/ })
      .click();
    await page.locator('.incident').getByText('No longer here').waitFor();
    await stays('one is acknowledged');
    await fall(user, 'New');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await stays('one came');
  });

  it('keeps the heading of several that belong together while a line is held', async (test) => {
    const user = await newUser(dashboard.address);
    await fallTwice(user, 'Twice');
    await fall(user, 'Zulu');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk?by=account' });
    await page.getByText('3 open;').waitFor();
    const below = itemOf(page, 'Zulu');
    await below.hover();
    const before = await below.boundingBox();
    const ofTwice = (await all(user)).find(({ accountName }) => accountName === 'Twice');
    await handle(user, ofTwice?.id, { acknowledged: true });
    await page.locator('.incident').getByText('No longer here').waitFor();
    assert.deepEqual(await below.boundingBox(), before);
    await page.getByRole('checkbox', { name: 'Twice: 1' }).waitFor();
  });

  it('is shown to everybody else, who asks for nothing', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    await fall(user, 'Shared');
    const visit = { token: user.token, at: '#/risk' };
    const [one, other] = [await dashboard.open(test, visit), await dashboard.open(test, visit)];
    for (const page of [one, other]) await openDetails(itemOf(page, 'Shared'));
    const asked = new Set<string>();
    other.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await itemOf(one, 'Shared').getByRole('button', { name: /^Take/ }).click();
    await itemOf(other, 'Shared').getByText('Anna', { exact: true }).waitFor();
    await itemOf(one, 'Shared')
      .getByRole('button', { name: /^Acknowledge/ })
      .click();
    await other.getByText('None open').waitFor();
    assert.ok(asked.has(PATH), 'it reads what it was told of');
  });

  it('takes nothing from somebody without a word, and lets them leave it or take over', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    await fall(user, 'Wanted');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk', ...CONFLICT });
    const item = itemOf(page, 'Wanted');
    await openDetails(item);
    const [incident] = await all(user);
    // What the page knows is from before.
    await page.route(/\/users\/current\/incidents\?/, () => undefined);
    await handle(user, incident?.id, { assignee: 'Boris' });
    await item.getByRole('button', { name: /^Take/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody was faster' });
    await dialog.getByText(/^Wanted: Anna assigned it to Boris at /).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    assert.equal((await all(user))[0]?.assignee, 'Boris');
    await item.getByRole('button', { name: /^Take/ }).click();
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await until(async () => (await all(user))[0]?.assignee === 'Anna', 'that Anna has it');
  });

  it('does what a button said before somebody else handled it, in the moment after', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    await fall(user, 'Done', 'Taken');
    const [taken, done] = await all(user);
    const page = await dashboard.open(test, {
      token: user.token,
      at: '#/risk?state=all',
      ...CONFLICT,
    });
    await itemOf(page, 'Done').waitFor();
    // The page presses it itself, as soon as it says something else.
    const pressed = page.evaluate(`new Promise((pressed) => {
      const button = document.querySelector('#incident-${done?.id} .incident-acknowledge');
      new MutationObserver((_, self) => {
        if (!button.textContent.includes('Open again')) return;
        self.disconnect();
        button.click();
        pressed();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    })`);
    await handle(user, done?.id, { acknowledged: true });
    await pressed;
    await page.getByText(/^Done: Anna acknowledged it at /).waitFor();
    assert.ok((await all(user)).find(({ id }) => id === done?.id)?.acknowledged);
    await handle(user, taken?.id, { assignee: 'Boris' });
    await page.goto(`/#/incidents/${taken?.id}`);
    await page.getByRole('button', { name: 'Take over from Boris' }).waitFor();
  });

  it('can be undone, by button and by key, and says when somebody was there since', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    await fall(user, 'Undone');
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/risk', keepsMessages: true },
      ...CONFLICT,
    });
    const item = itemOf(page, 'Undone');
    await item.getByRole('button', { name: /^Acknowledge/ }).click();
    await page.getByText('None open').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 open;').waitFor();
    await openDetails(item);
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await item.getByText('Anna', { exact: true }).waitFor();
    await until(async () => (await all(user))[0]?.assignee === 'Anna', 'that Anna has it');
    await page.getByText('assigned to Anna').waitFor();
    await page.keyboard.press('u');
    await until(async () => (await all(user))[0]?.assignee === undefined, 'that nobody has it');
    await item.getByText('Anna', { exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await handle(user, (await all(user))[0]?.id, { assignee: 'Boris' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not undone: somebody has handled it since.').waitFor();
    assert.equal((await all(user))[0]?.assignee, 'Boris');
  });

  it('undoes one act by a click, whatever stood above it, and keeps the place of a key', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'First', 'Second');
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: '#/risk', keepsMessages: true },
    });
    const acknowledge = (account: string) =>
      itemOf(page, account).getByRole('button', { name: /^Acknowledge/ });
    await acknowledge('First').click();
    await page.getByText('First: acknowledged').waitFor();
    await acknowledge('Second').press('Enter');
    await page.getByText('Second: acknowledged').waitFor();
    await itemOf(page, 'Second').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().dblclick();
    await page.getByText('Undone').waitFor();
    const open = (await all(user)).filter(({ acknowledged }) => !acknowledged);
    assert.deepEqual(
      open.map(({ accountName }) => accountName),
      ['Second'],
    );
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1);
  });

  it('keeps what was typed when a dialog is closed and the page is loaded again', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Noted');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await itemOf(page, 'Noted').waitFor();
    const note = page.getByRole('dialog').getByLabel('Note');
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await note.fill('Phoned him');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await itemOf(page, 'Noted').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    assert.equal(await note.inputValue(), 'Phoned him');
    await page.getByText('What you typed before and did not send is here again.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    assert.equal(await note.inputValue(), '', 'what was sent is not kept');
  });

  it('finds, orders and chooses among many, and keeps that in the address', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    await fall(user, 'Challenge 10', 'Challenge 2', 'Other');
    const [, , first] = await all(user);
    await fallTwice(user, 'Twice');
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('5 open;').waitFor();
    await page.getByLabel('Order of incidents').selectOption('By account');
    const ofTwice = page.getByRole('checkbox', { name: 'Twice: 2' });
    await ofTwice.check();
    await page.getByRole('button', { name: 'Acknowledge the 2 chosen' }).waitFor();
    await ofTwice.uncheck();
    const byAccount = ['Challenge 2', 'Challenge 10', 'Other', 'Twice', 'Twice'];
    assert.deepEqual(await listed(page), byAccount);
    await page.getByLabel('Order of incidents').selectOption('Largest loss first');
    await until(async () => (await listed(page))[0] === 'Twice', 'the largest loss');
    await page.getByLabel('Find incidents').fill('challenge');
    await until(async () => (await listed(page)).length === 2, 'what was found');
    assert.equal(await page.getByText('There are no other open ones.').count(), 0);
    await page.reload();
    await until(async () => (await listed(page)).length === 2, 'what the address says');
    await page.getByLabel(`Choose incident ${first?.id}`).check();
    await page.getByRole('button', { name: 'Take the 1 chosen' }).click();
    await until(
      async () => (await all(user)).find((each) => each.id === first?.id)?.assignee === 'Anna',
      'that the chosen one is taken',
    );
    await page.getByRole('button', { name: 'Choose none' }).waitFor({ state: 'detached' });
    // The box of the last one has the focus.
    for (const key of ['x', 'k', 'x']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Acknowledge the 2 chosen' }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('chooses a stretch with Shift, and all of an account with a key', async (test) => {
    const user = await newUser(dashboard.address);
    await fallTwice(user, 'Twice');
    await fall(user, 'One', 'Two', 'Three');
    const ids = (await all(user)).map(({ id }) => id);
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('5 open;').waitFor();
    const box = (place: number) => page.getByLabel(`Choose incident ${ids[place]}`);
    const chosen = (count: number) =>
      page.getByRole('button', { name: `Acknowledge the ${count} chosen` }).waitFor();
    await box(0).check();
    await box(2).click({ modifiers: ['Shift'] });
    await chosen(3);
    assert.ok(await box(1).isChecked());
    await box(1).uncheck();
    await chosen(2);
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.locator(`#incident-${ids[3]}`).focus();
    await page.keyboard.press('s');
    await chosen(2);
    assert.deepEqual([await box(3).isChecked(), await box(4).isChecked()], [true, true]);
  });

  it('lists accounts that can still be saved before those that fell', async (test) => {
    const user = await newUser(dashboard.address);
    await fall(user, 'Fallen');
    for (const [name, equity] of [
      ['Safe', 9_900],
      ['Near', 9_150],
    ] as const) {
      const id = await watchedAccount(user, name);
      await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity });
    }
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const names = page.locator('.desk-rooms .vt-rows .vt-row a');
    await until(
      async () => (await names.allTextContents()).join() === 'Near,Safe,Fallen',
      'the order by what can be saved',
    );
  });
});
