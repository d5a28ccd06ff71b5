import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { addDeals, brokerTime, push, watchedAccount } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };
const ONE_STEP = {
  name: 'One step',
  phases: [
    {
      name: 'Challenge',
      rules: [{ kind: 'dailyLoss', share: 0.05, settleSeconds: 0 }],
      objectives: [{ kind: 'profitTarget', share: 0.1 }],
    },
  ],
};

type User = Awaited<ReturnType<typeof newUser>>;
type Event = { sequenceNumber: number; kind: string };

/**
 * A balance that falls by 2,000 without a known deal: a breach of a limit of 1,000. Returns what
 * tells, however much later, that it was a withdrawal.
 */
async function fall(user: User, accountId: string): Promise<() => Promise<void>> {
  await push(user, accountId, { minutes: -4, equity: 10_000 });
  const deal = { id: 'paid-out', type: 'DEAL_TYPE_BALANCE', profit: -2_000 };
  const paidOut = { ...deal, brokerTime: brokerTime(-3) };
  await push(user, accountId, { minutes: -2, balance: 8_000, equity: 8_000 });
  return () => addDeals(user, accountId, [paidOut]);
}

/** A page that never asks on its own: everything new comes through the feed. */
async function openToldOnly(
  dashboard: Dashboard,
  test: TestContext,
  { token }: User,
  at: string,
): Promise<Page> {
  const page = await dashboard.open(test, { token });
  // Signed in: a reload before would ask for the token.
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  await page.addInitScript('setInterval = () => 0');
  await page.reload();
  await page.goto(`/${at}`);
  return page;
}

async function eventsOf(user: User, accountId: string): Promise<Event[]> {
  const path = `/users/current/tracker-events/by-broker-time?accountId=${accountId}`;
  const { body } = await user.get<Event[]>(path);
  return body.sort((a, b) => a.sequenceNumber - b.sequenceNumber);
}

const numberOf = (events: readonly Event[], kind: string): number | undefined =>
  events.find((event) => event.kind === kind)?.sequenceNumber;

describe('later facts', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('revise the incident on the screen, which is open again and no loss any more', async (test) => {
    const user = await newUser(dashboard.address, { name: 'Anna' });
    const id = await watchedAccount(user, 'Paid out');
    const page = await openToldOnly(dashboard, test, user, '#/risk?state=all');
    await page.getByText('None open').waitFor();
    const explain = await fall(user, id);
    const item = page.locator('.incident').filter({ hasText: 'Limit of Paid out' });
    await item.getByText('Loss', { exact: true }).first().waitFor();
    // The open incidents are counted by an answer of their own.
    const isCounted = async () => (await page.title()) === '(1) Risk desk · Plimsoll';
    await until(isCounted, 'the count in the title');
    await openDetails(item);
    await item.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('None open').waitFor();
    await explain();
    await item.getByText('Revised', { exact: true }).first().waitFor();
    const revision = numberOf(await eventsOf(user, id), 'revision');
    const words = `Revised by event ${revision}. By the deals known now, the limit holds: the loss was 0.00 USD.`;
    await item.getByText(words).waitFor();
    await item.getByText('and opened again by the revision').waitFor();
    assert.match(
      (await item.locator('.incident-line del').textContent()) ?? '',
      /−2,000\.00 USD \(−20\.00 %\)/,
    );
    assert.match((await item.getAttribute('class')) ?? '', /incident-revised\s+incident-new/);
    await page.getByText('1 open;').waitFor();
    await until(isCounted, 'the count in the title');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('are in the evidence, as the same calculation by the facts known now', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Proved');
    const explain = await fall(user, id);
    await until(async () => (await eventsOf(user, id)).length === 1, 'the breach');
    const at = `#/incidents/${numberOf(await eventsOf(user, id), 'drawdown')}`;
    const page = await openToldOnly(dashboard, test, user, at);
    const told = page.getByRole('figure', { name: 'How it was measured' });
    await told.getByText('1,000.00 USD').waitFor();
    await page.getByText('Loss limit exceeded').waitFor();
    await explain();
    await page.getByText('Revised: nothing was exceeded').waitFor();
    const revision = numberOf(await eventsOf(user, id), 'revision');
    const known = page.getByRole('region', { name: `What is known since event ${revision}` });
    await known.getByText(/^By the deals known now|the limit holds/).waitFor();
    const now = known.getByRole('figure', { name: 'How it is measured now' });
    await now.getByText('paid out in the period').waitFor();
    assert.match((await now.textContent()) ?? '', /1,000\.00 USD above the floor/);
    assert.match((await told.textContent()) ?? '', /1,000\.00 USD below the floor/);
    const downloading = page.waitForEvent('download');
    await known.getByRole('button', { name: `Download case file ${revision}` }).click();
    assert.equal((await downloading).suggestedFilename(), `case-${revision}.json`);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('change the mark in the chart, and unexplained money is shown', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'Drawn');
    // The chart begins with the end of the first hour.
    await push(user, id, { minutes: -180, equity: 10_000 });
    const explain = await fall(user, id);
    const page = await dashboard.open(test, { token: user.token, at: `#/accounts/${id}` });
    const standing = page.getByRole('region', { name: 'Where it stands' });
    const unexplained = standing.getByText(
      /^There is a movement of −2,000\.00 USD at [\d: -]+ that no deal explains yet\./,
    );
    await unexplained.waitFor();
    await page.getByText(/^\d marks? in this range$/).click();
    await page.getByText('Loss limit exceeded').waitFor();
    await explain();
    await page.getByText('Revised: nothing was exceeded').waitFor();
    await unexplained.waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('dispute the end of an enrolment, which a person reinstates', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Sorry', brokerClock: { zone: 'UTC' } });
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    const enrolment = { programId: body.id, initialBalance: 10_000 };
    await user.post(`/users/current/accounts/${id}/enrolments`, enrolment);
    const explain = await fall(user, id);
    const page = await openToldOnly(dashboard, test, user, `#/accounts/${id}?tab=enrolments`);
    const card = page.getByRole('region', { name: 'One step: Challenge' });
    await card.getByText('Failed', { exact: true }).first().waitFor();
    const reinstate = card.getByRole('button', { name: 'Reinstate “Challenge” of Sorry' });
    assert.equal(await reinstate.count(), 0);
    await explain();
    await card.getByText('Failed, disputed').waitFor();
    await card.getByText('it would not have ended').waitFor();
    await card.getByText('500.00 USD').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await reinstate.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It continues as if it had not ended').waitFor();
    const refusal = 'The enrolment has ended, undisputed: it is failed';
    const refused = { id: 1, error: 'ConflictError', message: refusal };
    const address = `**/accounts/${id}/enrolments/*`;
    await page.route(address, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: refused })
        : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Reinstate' }).click();
    await dialog.getByRole('alert').getByText(refusal).waitFor();
    await page.unroute(address);
    await dialog.getByRole('button', { name: 'Reinstate' }).click();
    await card.getByRole('button', { name: 'Pause “Challenge” of Sorry' }).waitFor();
    assert.equal(await card.getByText('Failed, disputed').count(), 0);
    const admin = new Client(dashboard.address, ADMIN_TOKEN);
    const audit = await admin.get(`/admin/audit?userId=${user.userId}&accountId=${id}`);
    assert.match(JSON.stringify(audit.body), /"enrolment\.reinstated"/);
    await page.goto(`/#/programs/${body.id}`);
    await page.getByRole('row').filter({ hasText: 'Sorry' }).getByText('Running').waitFor();
  });

  it('are awaited as long as before when something else of a rule is changed', async (test) => {
    const user = await newUser(dashboard.address);
    const rule = { period: 'date', relativeDrawdownThreshold: 0.05, settleSeconds: 12 };
    await user.call('PUT', '/users/current/rule-templates/Waiting', { rule });
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    const page = await dashboard.open(test, { token: user.token, at: '#/rules' });
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Largest loss, %').fill('4');
    const waits = dialog.getByText('A breach that may be a transfer waits 12 s for its deal.');
    await waits.waitFor();
    await dialog.getByText('What counts').click();
    const field = dialog.getByLabel('Wait for deals, seconds');
    assert.equal(await field.inputValue(), '12');
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await dialog.waitFor({ state: 'detached' });
    type Template = { rule: object };
    const [template] = (await user.get<Template[]>('/users/current/rule-templates')).body;
    assert.deepEqual(template?.rule, { ...rule, relativeDrawdownThreshold: 0.04 });

    await page.goto(`/#/programs/${body.id}`);
    await page.getByRole('button', { name: 'New version' }).click();
    const loss = dialog.getByRole('group', { name: 'Daily loss of phase 1' });
    await loss.getByLabel('Share, %').fill('4');
    assert.equal(await loss.getByLabel('Wait for deals, seconds').inputValue(), '0');
    await loss.getByText('At the breach').click();
    await loss.getByLabel('Close all positions', { exact: true }).check();
    // The server's default is stated if nothing is typed.
    await loss.getByLabel('Wait for deals, seconds').fill('');
    await loss.getByText(/^Empty: 5 s, as actions cannot be taken back\./).waitFor();
    await dialog.getByText('waits 5 s for its deal.').waitFor();
    await loss.getByLabel('Close all positions', { exact: true }).uncheck();
    await loss.getByLabel('Wait for deals, seconds').fill('7.5 s');
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('Version 2 of 2').waitFor();
    type Program = { phases: { rules: object[] }[] };
    const program = await user.get<Program>(`/users/current/programs/${body.id}`);
    assert.deepEqual(program.body.phases[0]?.rules, [
      { kind: 'dailyLoss', share: 0.04, settleSeconds: 7.5 },
    ]);
  });
});
