import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { overflow } from './accessibility.ts';
import { addTracker, push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

const DAY_MINUTES = 1440;
const PHONE = { width: 360, height: 740 };

describe('incidents', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('begin with the newest, however many there are, and continue to the oldest', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Busy', brokerClock: { zone: 'UTC' } });
    for (let n = 0; n < 45; n += 1) {
      await addTracker(user, id, {
        ...{ name: `Daily ${n}`, period: 'date', absoluteDrawdownThreshold: 100 + n },
      });
    }
    // 1,170 events: more than an answer of the API holds.
    const days = Array.from({ length: 26 }, (_, index) => 26 - index);
    for (const day of days) {
      const minutes = -day * DAY_MINUTES;
      await push(
        user,
        id,
        { minutes, equity: 10_000 },
        { minutes: minutes + 1, equity: 9000 + day },
      );
    }
    await push(user, id, { minutes: 0, equity: 10_000 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const items = page.getByRole('list', { name: 'Incidents, newest first' }).locator('> li');
    await items.first().getByText('−999.00').first().waitFor();
    await page.getByText('26 open;').waitFor();
    assert.equal(await items.count(), 26);
    await items.last().getByText('−974.00').first().waitFor();
    await page.getByText('There are no other open ones.').waitFor();
    await page.goto(`/#/accounts/${id}?tab=incidents`);
    await items.first().getByText('−999.00').first().waitFor();
  });

  it('are acknowledged, assigned and annotated for all screens, and the audit keeps it', async (test) => {
    const user = await newUser(dashboard.address, {
      ...{ name: 'Anna', scopes: ['read', 'write', 'ingest', 'admin'] },
    });
    const id = await watchedAccount(user, 'Handled');
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const other = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const item = page.getByRole('listitem').filter({ hasText: 'Limit of Handled' }).first();
    await item.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    // Who presses N types the note.
    await page.keyboard.type('Wrote to him');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await item.getByText('“Wrote to him” (Anna)').waitFor();
    await item.getByRole('button', { name: 'Take' }).click();
    await item.getByText('Anna', { exact: true }).waitFor();
    await item.getByRole('button', { name: 'Note or assign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Called the trader');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await item.getByText('“Called the trader” (Anna)').waitFor();
    await item.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('None open').waitFor();
    await other.getByText('None open').waitFor();
    await other.getByRole('radio', { name: 'All', exact: true }).check();
    await openDetails(other.locator('.incident'));
    await other.getByText(/Acknowledged by Anna/).waitFor();
    // The audit names the action and its entry; the incident has the words.
    type Audited = { action: string; details: { incidentId: number; entry: number } };
    const audit = await user.get<Audited[]>(`/admin/audit?accountId=${id}`);
    const own = audit.body.filter(({ action }) => action.startsWith('incident.'));
    type Entry = { place: number; author: string; words?: string };
    const incidentId = own[0]?.details.incidentId;
    const path = `/users/current/incidents/${incidentId}/entries`;
    const entries = (await user.get<Entry[]>(path)).body;
    assert.deepEqual(
      own.map(({ action, details }) => {
        const entry = entries.find(({ place }) => place === details.entry);
        return [action, details.incidentId, entry?.author, entry?.words];
      }),
      [
        ['incident.acknowledged', incidentId, 'Anna', undefined],
        ['incident.noted', incidentId, 'Anna', 'Called the trader'],
        ['incident.assigned', incidentId, 'Anna', 'Anna'],
        ['incident.noted', incidentId, 'Anna', 'Wrote to him'],
      ],
    );
  });

  it('keep an assignment by someone else made while a note was written', async (test) => {
    const user = await newUser(dashboard.address, {
      ...{ name: 'Anna', scopes: ['read', 'write', 'ingest', 'admin'] },
    });
    const id = await watchedAccount(user, 'Shared');
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const item = page.getByRole('listitem').filter({ hasText: 'Limit of Shared' }).first();
    const dialog = page.getByRole('dialog');
    const assignee = dialog.getByLabel('Assigned to');
    await openDetails(item);
    await item.getByRole('button', { name: 'Note or assign' }).click();
    await dialog.getByLabel('Note').fill('Called the trader');
    type Incidents = { incidents: { id: number; assignee?: string }[] };
    const incident = async () =>
      (await user.get<Incidents>('/users/current/incidents')).body.incidents[0];
    const ids = [(await incident())?.id];
    const give = async (name: string): Promise<void> => {
      const handling = { ids, assignee: name };
      const answer = await user.call('PATCH', '/users/current/incidents', handling);
      assert.equal(answer.status, 200);
    };
    await give('Ben');
    // An untouched field shows the server's value.
    await dialog.getByText('Anna assigned it to Ben').waitFor();
    assert.equal(await assignee.inputValue(), 'Ben');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await item.getByText('“Called the trader” (Anna)').waitFor();
    assert.equal((await incident())?.assignee, 'Ben');
    const audit = await user.get<{ action: string }[]>(`/admin/audit?accountId=${id}`);
    const own = audit.body.filter(({ action }) => action.startsWith('incident.'));
    assert.deepEqual(
      own.map(({ action }) => action),
      ['incident.noted', 'incident.assigned'],
    );
    // A user who changed it is told what saving replaces.
    await item.getByRole('button', { name: 'Note or assign' }).click();
    await assignee.fill('Cleo');
    await give('Dora');
    await dialog.getByText(/^Dora is looking after it now/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await item.getByText('Cleo', { exact: true }).waitFor();
  });

  it('are worked through by keyboard', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Ben' });
    for (const name of ['One', 'Two', 'Three']) {
      const id = await watchedAccount(user, name);
      await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    }
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('3 open;').waitFor();
    const chosen = page.locator('.incident[aria-current]');
    await page.keyboard.press('j');
    await chosen.getByText('Three').first().waitFor();
    await page.keyboard.press('j');
    await chosen.getByText('Two').first().waitFor();
    await page.keyboard.press('k');
    await chosen.getByText('Three').first().waitFor();
    await page.keyboard.press('m');
    await chosen.getByText('Ben', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText('2 open;').waitFor();
    // One that has left the list does not send its reader back to the top.
    await page.keyboard.press('j');
    await chosen.getByText('One').first().waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: /^Incident \d+$/ }).waitFor();
    await page.keyboard.press('Control+k');
    // It begins at its field: after opening by a key one can type.
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('thr');
    await page.getByRole('option', { name: /Three/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Three' }).waitFor();
  });

  it('count in the title and the navigation of every page', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Counted');
    await push(user, id, { minutes: -2, equity: 10_000 });
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await push(user, id, { minutes: -1, equity: 8000 });
    await page.getByRole('link', { name: 'Risk desk 1 open incidents' }).waitFor();
    assert.equal(await page.title(), '(1) Quotas · Plimsoll');
  });

  it('reach a person by a notification, if the person and the browser agree', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Heard of');
    await push(user, id, { minutes: -2, equity: 10_000 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.evaluate(`
      globalThis.told = [];
      globalThis.answer = 'denied';
      globalThis.Notification = class {
        static requestPermission = async () => globalThis.answer;
        constructor(title, { body }) {
          globalThis.told.push([title, body].join(': '));
          globalThis.newest = this;
        }
      };
    `);
    const wanted = page.getByLabel('Desktop notifications');
    await wanted.click();
    await page.getByText('This browser does not allow notifications from here.').waitFor();
    assert.ok(!(await wanted.isChecked()));
    await page.evaluate("globalThis.answer = 'granted'");
    await wanted.check();
    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await push(user, id, { minutes: -1, equity: 8000 });
    const told = () => page.evaluate<string[]>('globalThis.told');
    await until(async () => (await told()).length === 1, 'the notification');
    assert.match((await told())[0] ?? '', /^A loss limit was exceeded: Event/);
    await page.evaluate('globalThis.newest.onclick()');
    await page.getByText('Limit of Heard of').first().waitFor();
  });

  it('show evidence under their own account, and under no other', async (test) => {
    const user = await newUser(dashboard.address);
    const [one, other] = [await watchedAccount(user, 'Guilty'), await watchedAccount(user, 'Calm')];
    await push(user, one, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    await push(user, other, { minutes: -1, equity: 10_000 });
    type Events = { sequenceNumber: number }[];
    let number: number | undefined;
    await until(async () => {
      const events = await user.get<Events>('/users/current/tracker-events/by-broker-time');
      number = events.body[0]?.sequenceNumber;
      return number !== undefined;
    }, 'the event');
    const page = await dashboard.open(test, {
      token: user.token,
      at: `#/accounts/${other}?tab=events&event=${number}`,
    });
    await page.getByRole('heading', { level: 1, name: 'Calm' }).waitFor();
    await page.getByRole('heading', { name: 'Equity and balance' }).waitFor();
    assert.equal(await page.getByText('Evidence').count(), 0);
    assert.equal(await page.getByText('Limit of Guilty').count(), 0);
    await page.goto(`/#/incidents/${number}`);
    await page.getByRole('link', { name: 'Guilty' }).waitFor();
    await page.getByText('9,000.00').first().waitFor();
    await page.getByText('what was open is unknown').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download signed case file' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    const { faults } = verifyText(file, {});
    assert.deepEqual(faults, []);
    await page.getByText('500.00 USD', { exact: true }).waitFor();
    await page.getByText(/below the floor/).waitFor();
  });

  it('print on one page, with the snapshots nearest to the moment', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'On paper');
    const minutes = Array.from({ length: 24 }, (_, index) => index - 24);
    const fall = minutes.map((at) => ({ minutes: at, equity: at < -12 ? 10_000 : 8500 }));
    await push(user, id, ...fall);
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await openDetails(page.locator('.incident'));
    await page.getByRole('link', { name: /^Evidence/ }).click();
    const rows = page.getByRole('table', { name: 'Snapshots around the moment' }).getByRole('row');
    await rows.nth(20).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByText(/^The 9 snapshots nearest to the moment, of \d+;/).waitFor();
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1);
  });

  it('catch the eye only when they arrive, not when the page is loaded', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Before');
    await push(user, id, { minutes: -3, equity: 10_000 }, { minutes: -2, equity: 8500 });
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('1 open;').waitFor();
    assert.equal(await page.locator('.incident-new').count(), 0);
    const late = await watchedAccount(user, 'After');
    await push(user, late, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    await page.getByText('2 open;').waitFor();
    assert.deepEqual(await page.locator('.incident-new .incident-account').allInnerTexts(), [
      'After',
    ]);
  });

  it('show amount and evidence on a phone, too', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Small screen');
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=incidents`, browser: { viewport: PHONE } },
    });
    // The figures of the account show the amount, too, before the list is there.
    const item = page.locator('.incident').filter({ hasText: 'Limit of Small screen' });
    await item.getByText('−1,500.00').first().waitFor();
    await openDetails(item);
    await item.getByRole('link', { name: /^Evidence/ }).waitFor();
    assert.deepEqual(await overflow(page), []);
  });

  it('of a storm of accounts each have their names, with few requests', async (test) => {
    const user = await newUser(dashboard.address);
    const count = 120;
    const ids = await Promise.all(
      Array.from({ length: count }, (_, n) => watchedAccount(user, `Storm ${n}`)),
    );
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    await page.getByText('No incident is open').or(page.getByText('All within limits')).waitFor();
    const single: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (ids.some((id) => url.includes(id)) || /tracker-events\/\d/.test(url)) single.push(url);
    });
    for (const equity of [10_000, 8000]) {
      for (const id of ids) await push(user, id, { minutes: equity === 8000 ? -1 : -2, equity });
    }
    await page.getByText(`${count} open;`).waitFor();
    const names = await page.locator('.incident-account').allTextContents();
    assert.ok(names.length >= 50);
    for (const name of names) assert.match(name, /^Storm \d+$/);
    const amounts = await page.locator('.incident-amount').allTextContents();
    for (const amount of amounts) assert.match(amount, /^−2,000\.00 USD \(−20\.00 %\)$/);
    assert.deepEqual(single, [], 'one of them is asked for by itself');
    await page.setViewportSize(PHONE);
    const tiles = await page.evaluate<string[]>(`
      [...document.querySelectorAll('.tile')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent)`);
    assert.deepEqual(tiles, [], 'what sticks out of its tile');
  });
});
