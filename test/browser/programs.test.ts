import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults, overflow } from './accessibility.ts';
import { brokerTime, push } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

const PHONE = { width: 360, height: 740 };
const PROGRAMS = '/users/current/programs';
const CHALLENGE = {
  name: 'Challenge',
  rules: [{ kind: 'dailyLoss', share: 0.05 }],
  objectives: [{ kind: 'profitTarget', share: 0.1 }],
};
const ONE_STEP = { name: 'One step', phases: [CHALLENGE] };

describe('programs', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('are written in a form, and pass an account from the first phase to the second', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Winner', brokerClock: { zone: 'UTC' } });
    const page = await dashboard.open(test, { token: user.token, at: '#/programs' });
    await page.getByText('No programs yet').waitFor();
    await page.getByRole('button', { name: 'New program' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Two steps');
    const loss = dialog.getByRole('group', { name: 'Maximum loss of phase 1' });
    await loss.getByLabel('Below').selectOption('endOfDayBalance');
    await loss.getByLabel('Floor locks at').fill('0');
    await dialog.getByRole('button', { name: 'Add a phase like the last' }).click();
    await dialog.getByLabel('Name of phase 2').fill('Verification');
    const target = dialog.getByRole('group', { name: 'Profit target of phase 2' });
    await target.getByLabel('Share, %').fill('5 %');
    await dialog.getByText('5 % of the initial balance or more, by the balance.').waitFor();
    await dialog.getByText('What counts').first().click();
    const counts = dialog.getByRole('group', { name: 'No profit or loss in phase 1' });
    assert.ok(await counts.getByLabel('Deposits and withdrawals').isChecked());
    await counts.getByLabel('Credit').check();
    await dialog.getByText('No profit or loss: deposits and withdrawals, credit.').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save program' }).click();
    await page.getByRole('heading', { level: 1, name: 'Two steps' }).waitFor();
    const [program] = (await user.get<{ phases: unknown[] }[]>(PROGRAMS)).body;
    const rules = [
      { kind: 'dailyLoss', share: 0.05 },
      { kind: 'maximumLoss', share: 0.1, trails: 'endOfDayBalance', lockAbove: 0 },
    ];
    assert.deepEqual(program?.phases, [
      {
        ...{ name: 'Challenge', rules, objectives: [{ kind: 'profitTarget', share: 0.1 }] },
        adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'],
      },
      { name: 'Verification', rules, objectives: [{ kind: 'profitTarget', share: 0.05 }] },
    ]);

    await page.goto(`/#/accounts/${id}?tab=enrolments`);
    await page.getByRole('button', { name: 'Enrol or try a program' }).click();
    await dialog.getByLabel('Initial balance, USD').fill('10,000');
    await dialog.getByRole('button', { name: 'Try on its history' }).click();
    await dialog.getByText('There is nothing to try it on yet').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Enrol the account' }).click();
    await page.getByRole('heading', { name: 'Two steps: Challenge' }).waitFor();
    await push(user, id, { minutes: -2, equity: 10_000 });
    await push(user, id, { minutes: -1, balance: 11_000, equity: 11_000 });
    const card = page.getByRole('region', { name: 'Two steps: Challenge' });
    await card
      .getByRole('listitem')
      .filter({ hasText: 'Passed' })
      .getByText(/^Event \d/)
      .waitFor();
    await card.getByRole('button', { name: 'Enrol in the next phase' }).click();
    await dialog.getByText('Phase 2: Verification').waitFor();
    // What was won in the first phase is not profit of the second: the money goes first.
    await dialog.getByText('the 1,000.00 USD beyond the initial balance would count as').waitFor();
    await dialog.getByRole('button', { name: 'Enrol the account' }).click();
    await page.getByRole('heading', { name: 'Two steps: Verification' }).waitFor();
    await page.getByRole('button', { name: 'Pause “Verification” of Winner' }).click();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume “Verification” of Winner' }).waitFor();
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('have rules over deals, and name the deals that broke them', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Trader', brokerClock: { zone: 'UTC' } });
    const page = await dashboard.open(test, { token: user.token, at: '#/programs' });
    await page.getByRole('button', { name: 'New program' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Lots');
    await dialog.getByRole('button', { name: 'Open at once', exact: true }).click();
    const lots = dialog.getByRole('group', { name: 'Open at once of phase 1' });
    await lots.getByLabel('Number').fill('1');
    await lots.getByLabel('A breach is only recorded').check();
    await lots.getByLabel('Fails at breach number').fill('2');
    await dialog.getByText('No more than 1 lots may be open at a time').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save program' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lots' }).waitFor();
    const [program] = (await user.get<{ id: string }[]>(PROGRAMS)).body;
    await user.post(`/users/current/accounts/${id}/enrolments`, {
      ...{ programId: program?.id, initialBalance: 10_000 },
    });
    await push(user, id, { minutes: -3, equity: 10_000 });
    const buy = async (dealId: string, brokerTime: string) => {
      const deal = { id: dealId, type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: 1.5, price: 1 };
      const deals = [{ ...deal, positionId: dealId, profit: 0, brokerTime }];
      await user.post(`/users/current/accounts/${id}/deals`, deals);
    };
    await buy('71', `${brokerTime(-2).slice(0, 19)}.100`);
    await page.goto(`/#/accounts/${id}?tab=enrolments`);
    const card = page.getByRole('region', { name: 'Lots: Challenge' });
    await card.getByText('1 of 2 breaches').waitFor();
    await card.getByText('1.5 = 1.5 lots > 1').waitFor();
    await buy('72', `${brokerTime(-1).slice(0, 19)}.100`);
    await card.getByText('1.5 + 1.5 = 3 lots > 1').waitFor();
    await card.getByText('Deal 72').waitFor();
    await card.getByText('Failed').first().waitFor();
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('say what is done on the platform when a phase is passed', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/programs' });
    await page.getByRole('button', { name: 'New program' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Locked');
    await dialog.getByText('When it is passed').click();
    const actions = dialog.getByRole('group', { name: 'when the phase is passed' });
    await actions.getByLabel('Disable trading', { exact: true }).check();
    await actions.getByLabel('Dry run of “Disable trading”').check();
    assert.equal(await actions.getByLabel('Enable trading').count(), 0);
    await dialog.getByText('When it is passed: disable trading (dry run').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save program' }).click();
    await page.getByRole('heading', { level: 1, name: 'Locked' }).waitFor();
    const [program] = (
      await user.get<{ phases: { actions?: unknown }[] }[]>('/users/current/programs')
    ).body;
    assert.deepEqual(
      program?.phases.map((phase) => phase.actions),
      [[{ action: 'disableTrading', confirm: 'platform', dryRun: true, moment: 'passing' }]],
    );
  });

  it('lead from an enrolment that failed to its case file and back', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Loser', brokerClock: { zone: 'UTC' } });
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    const enrolment = { programId: body.id, initialBalance: 10_000 };
    await user.post(`/users/current/accounts/${id}/enrolments`, enrolment);
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 9_000 });
    const page = await dashboard.open(test, { token: user.token, at: `#/programs/${body.id}` });
    const row = page.getByRole('row').filter({ hasText: 'Loser' });
    await row.getByText('Failed').waitFor();
    await page.getByRole('button', { name: 'New version' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
    await page.goto(`/#/accounts/${id}`);
    await page.getByRole('link', { name: '“Challenge” has ended: failed' }).click();
    await page.getByRole('heading', { name: 'One step: Challenge' }).waitFor();
    await page.goto(`/#/programs/${body.id}`);
    await row.getByRole('link', { name: 'Loser' }).click();
    await page.getByRole('link', { name: /^Case file of event/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Incident/ }).waitFor();
    const book = page.getByRole('region', { name: 'Rule of One step' });
    await book.getByText('Failed').waitFor();
    await book.getByText('must not fall more than 5 % of the initial balance below').waitFor();
    await book.getByRole('link', { name: 'Loser in “Challenge”' }).click();
    await page.getByRole('heading', { name: 'One step: Challenge' }).waitFor();
    await page.goBack();
    await book.getByRole('link', { name: 'One step' }).click();
    await page.getByText('Version 1 of 1').waitFor();
    await page.goto('/#/programs');
    const listed = page.getByRole('region', { name: 'One step' });
    await listed.getByText('1 enrolment', { exact: true }).waitFor();
    await page.goto('/#/risk');
    await openDetails(page.locator('.incident').first());
    await page.getByRole('link', { name: 'Challenge: daily loss' }).first().click();
    await page.getByRole('heading', { name: 'One step: Challenge' }).waitFor();
  });

  it('say what may be withdrawn from a funded account, and edit that', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Funded', brokerClock: { zone: 'UTC' } });
    const page = await dashboard.open(test, { token: user.token, at: '#/programs' });
    await page.getByRole('button', { name: 'New program' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Funded');
    const daily = dialog.getByRole('group', { name: 'Daily loss of phase 1' });
    await daily.getByLabel('A breach is only recorded').check();
    await daily.getByLabel('Fails at breach number').fill('2');
    await dialog.getByRole('button', { name: 'Remove Profit target' }).click();
    await dialog.getByLabel('Funded account').check();
    await dialog.getByLabel('Most of a payout').fill('300; 400');
    await dialog.getByLabel('The trader’s part, %', { exact: true }).fill('80');
    const loss = dialog.getByRole('group', { name: 'Maximum loss of phase 1' });
    await loss.getByLabel('With a payout the floor').selectOption('stays');
    await dialog.getByText('Profit may be withdrawn, at most 300, then 400').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Save program' }).click();
    await page.getByRole('heading', { level: 1, name: 'Funded' }).waitFor();
    type Stored = { id: string; phases: object[] };
    const [program] = (await user.get<Stored[]>('/users/current/programs')).body;
    assert.deepEqual(program?.phases, [
      {
        name: 'Challenge',
        rules: [
          { kind: 'dailyLoss', share: 0.05, onBreach: 'record', failsAt: 2 },
          { kind: 'maximumLoss', share: 0.1, onPayout: 'stays' },
        ],
        objectives: [],
        payout: { caps: [300, 400], split: 0.8 },
      },
    ]);
    const enrolment = { programId: program?.id, initialBalance: 10_000 };
    await user.post(`/users/current/accounts/${id}/enrolments`, enrolment);
    await push(user, id, { minutes: -2, equity: 10_000 });
    await push(user, id, { minutes: -1, balance: 10_500, equity: 10_500 });
    await page.goto(`/#/accounts/${id}?tab=enrolments`);
    const card = page.getByRole('region', { name: 'Funded: Challenge' });
    await card.getByText('300.00 USD may be withdrawn now, of which 240.00 USD').waitFor();
    await card.getByText('0 of 2 breaches').waitFor();
    await card.getByText('No payout yet').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await overflow(page), []);
  });

  it('show the state of all enrolments with one request', async (test) => {
    const user = await newUser(dashboard.address);
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    for (const name of ['Ada', 'Ben', 'Cem']) {
      const id = await newAccount(user, { name, brokerClock: { zone: 'UTC' } });
      const enrolment = { programId: body.id, initialBalance: 10_000 };
      await user.post(`/users/current/accounts/${id}/enrolments`, enrolment);
      await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 9_900 });
    }
    const page = await dashboard.open(test, { token: user.token });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/enrolments')) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`/#/programs/${body.id}`);
    for (const name of ['Ada', 'Ben', 'Cem']) {
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByText('400.00 USD to the daily loss').waitFor();
    }
    assert.deepEqual([...new Set(asked)], [`/users/current/programs/${body.id}/enrolments`]);
  });

  it('get a new version from the previous one, and leave existing enrolments theirs', async (test) => {
    const user = await newUser(dashboard.address);
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    const page = await dashboard.open(test, { token: user.token, at: `#/programs/${body.id}` });
    await page.getByRole('button', { name: 'New version' }).click();
    const dialog = page.getByRole('dialog');
    const loss = dialog.getByRole('group', { name: 'Daily loss of phase 1' });
    await loss.getByLabel('Share, %').fill('four');
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await dialog.getByRole('alert').getByText('A number can’t be read').waitFor();
    await loss.getByLabel('Share, %').fill('4');
    await loss.getByLabel('Reaching it exactly').check();
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('Version 2 of 2').waitFor();
    // It shows the same rule until it is gone.
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('must not fall 4 % of the initial balance or more below').waitFor();
    await page.getByRole('link', { name: 'Show version 1' }).click();
    await page.getByText('must not fall more than 5 % of the initial balance below').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No programs yet').waitFor();
  });

  it('offer nothing but a trial to a read-only token', async (test) => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Read only' });
    const { body } = await user.post<{ id: string }>('/users/current/programs', ONE_STEP);
    const enrolment = { programId: body.id, initialBalance: 10_000 };
    await user.post(`/users/current/accounts/${id}/enrolments`, enrolment);
    const admin = new Client(user.address, ADMIN_TOKEN);
    const path = `/admin/users/${user.userId}/tokens`;
    const { token } = (await admin.post<{ token: string }>(path, { scopes: ['read'] })).body;
    const page = await dashboard.open(test, { token, at: `#/programs/${body.id}` });
    await page.getByRole('row').filter({ hasText: 'Read only' }).waitFor();
    const buttons = page.locator('main').getByRole('button');
    assert.equal(await buttons.count(), 0);
    await page.goto('/#/programs');
    await page.getByRole('link', { name: 'One step' }).waitFor();
    assert.equal(await buttons.count(), 0);
    await page.goto(`/#/accounts/${id}?tab=enrolments`);
    await page.getByRole('heading', { name: 'One step: Challenge' }).waitFor();
    assert.deepEqual(await buttons.allTextContents(), ['Try a program']);
  });
});
