import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { addDeals, brokerTime, push } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { openDetails } from './inbox-of-tests.ts';

needs('browser', 'dashboard', 'server');

/** In minutes. */
const DAY = 24 * 60;

const FUNDED = {
  name: 'Funded',
  // No day ends while a test runs.
  resetClock: { zone: 'UTC', time: brokerTime(12 * 60).slice(11, 16) },
  rules: [
    { kind: 'dailyLoss', amount: 500, onBreach: 'record', failsAt: 3 },
    { kind: 'maximumLoss', amount: 2500 },
  ],
  objectives: [{ kind: 'consistency', share: 0.5 }],
  payout: { days: 6 },
};

describe('the pages of a funded account', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  const enrolled = async () => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Ada', brokerClock: { zone: 'UTC' } });
    const program = { name: 'Harbour', phases: [FUNDED] };
    const { body } = await user.post<{ id: string }>('/users/current/programs', program);
    await user.post(`/users/current/accounts/${id}/enrolments`, {
      ...{ programId: body.id, initialBalance: 10_000 },
    });
    return { user, id, programId: body.id };
  };

  it('call a limit exceeded for the whole day on which it was', async (test) => {
    const { user, id } = await enrolled();
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=enrolments` },
    });
    const card = page.getByRole('region', { name: 'Harbour: Funded' });
    await card.getByText('No snapshot has come from the account yet.').waitFor();
    await push(user, id, { minutes: -3, equity: 10_000 }, { minutes: -2, equity: 9_400 });
    await card.getByText('100.00 USD beyond the floor 9,500.00 USD').waitFor();
    await push(user, id, { minutes: -1, equity: 9_900 });
    await card.getByText('400.00 USD now above the floor 9,500.00 USD').waitFor();
    await card.getByText('Exceeded', { exact: true }).waitFor();
    await card.getByText('1 of 3 breaches').waitFor();
    await card.getByText('Best day 0.00 USD; no profit so far').waitFor();
  });

  it('tell what was paid out, and of when the figures are that do not know it', async (test) => {
    const { user, id } = await enrolled();
    await push(user, id, { minutes: -3, equity: 10_500, balance: 10_500 });
    await addDeals(user, id, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: -300, brokerTime: brokerTime(-1) },
    ]);
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=enrolments` },
    });
    const card = page.getByRole('region', { name: 'Harbour: Funded' });
    await card.getByText('1 payout so far, 300.00 USD in all').waitFor();
    const panel = page.getByRole('region', { name: 'Where it stands' });
    await panel.getByText('10,500.00 USD').first().waitFor();
    await panel.getByText(/^Equity and balance as of the last snapshot, .* broker time$/).waitFor();
  });

  it('measure the snapshots around a breach by the limit of its own day', async (test) => {
    const { user, id } = await enrolled();
    await push(
      user,
      id,
      { minutes: -3 * DAY - 2, equity: 10_000 },
      { minutes: -3 * DAY - 1, equity: 9_400 },
      { minutes: -3 * DAY, balance: 9_450, equity: 9_450 },
      { minutes: -2 * DAY, balance: 9_450, equity: 9_440 },
      { minutes: -DAY, balance: 9_450, equity: 7_400 },
    );
    const page = await dashboard.open(test, { token: user.token, at: '#/risk' });
    const first = page.locator('.incident').filter({ hasText: '600.00 USD' });
    // Where there is little room the day says more than the hour, unless it is today's.
    const hidden = first.locator('.incident-day').filter({ hasText: /^\d{4}-$/ });
    await hidden.waitFor({ state: 'attached' });
    await openDetails(first);
    await first.getByRole('link', { name: /^Evidence/ }).click();
    const table = page.getByRole('table', { name: 'Snapshots around the moment' });
    const rows = table.getByRole('row');
    await rows.filter({ hasText: '9,450.00' }).filter({ hasText: '−50.00' }).waitFor();
    await rows.filter({ hasText: '9,440.00' }).getByRole('cell', { name: '–' }).waitFor();
    // It was recorded only: another rule has ended the enrolment since.
    const book = page.getByRole('region', { name: 'Rule of Harbour' });
    await book.getByText('by maximum loss').waitFor();
  });
});
