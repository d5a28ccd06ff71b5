import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount, newUser } from '../servers/plimsoll-process.ts';
import { brokerTime, push } from './accounts-of-tests.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

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
    await push(user, id, { minutes: -3, equity: 10_000 }, { minutes: -2, equity: 9_400 });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=enrolments` },
    });
    const card = page.getByRole('region', { name: 'Harbour: Funded' });
    await card.getByText('100.00 USD beyond the floor 9,500.00 USD').waitFor();
    await push(user, id, { minutes: -1, equity: 9_900 });
    await card.getByText('400.00 USD now above the floor 9,500.00 USD').waitFor();
    await card.getByText('Exceeded', { exact: true }).waitFor();
    await card.getByText('1 of 3 breaches').waitFor();
    await card.getByText('Best day 0.00 USD; no profit so far').waitFor();
  });
});
