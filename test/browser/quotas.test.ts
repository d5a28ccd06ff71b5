import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { untilTold } from './until-told.ts';

needs('browser', 'dashboard', 'server');

describe('quotas', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard({
      PLIMSOLL_REGIONS: 'main,east',
      PLIMSOLL_QUOTAS: 'maxAccounts=4',
      PLIMSOLL_QUOTA_CEILINGS: 'maxAccounts=5',
    });
  });
  after(() => dashboard.close());

  it('shows the used part of every quota in every region', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user);
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    const main = page.getByRole('region', { name: 'Region main' });
    await main
      .getByRole('meter', { name: 'Accounts: used part of the quota', exact: true })
      .waitFor();
    await main.getByText('1 of 4 · 25 %').waitFor();
    await page.getByRole('region', { name: 'Region east' }).getByText('0 of 4 · 0 %').waitFor();
  });

  it('takes a request to its decision, and both sides see the outcome', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    await page.getByRole('button', { name: 'Request more in main' }).click();
    const form = page.getByRole('form', { name: 'Request for main' });
    await form.getByLabel('Accounts', { exact: true }).fill('40');
    await form.getByLabel('Why').fill('A new desk\nof twenty traders');
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.getByText('waiting for an operator').waitFor();
    await form.getByLabel('Accounts', { exact: true }).fill('50');
    await form.getByRole('button', { name: 'Change the request' }).click();
    await form.getByText('Your pending request has been changed.').waitFor();

    await page.reload();
    const main = page.getByRole('region', { name: 'Region main' });
    await main.getByText('A request is waiting for an operator').waitFor();
    await main.getByText(/Accounts 50/).waitFor();
    await main.getByRole('button', { name: 'Change the request in main' }).waitFor();

    const operator = await dashboard.open(test, { token: ADMIN_TOKEN, at: '#/operator' });
    const item = operator.getByRole('listitem').filter({ hasText: 'of twenty traders' });
    await item.getByText('up to 50 now 0 of 4 used').waitFor();
    await item.getByLabel('Message to').fill('Welcome.');
    await item.getByRole('button', { name: 'Approve' }).click();
    await item.waitFor({ state: 'detached' });
    await operator.getByRole('radio', { name: 'Approved' }).check();
    await item.getByText('Welcome.').waitFor();

    await page.reload();
    await page.getByRole('region', { name: 'Region main' }).getByText('0 of 50 · 0 %').waitFor();

    await operator.getByRole('link', { name: 'Mail' }).click();
    const mail = operator.getByRole('listitem').filter({ hasText: 'Your quota request' }).first();
    await mail.getByText('Logged', { exact: true }).waitFor();
    const again = mail.getByRole('button', { name: 'Send again' });
    await untilTold(operator, 'Queued again', () => again.click());
    await operator.getByRole('link', { name: 'Audit' }).click();
    await operator.getByText('quota.approved').first().waitFor();
  });

  it('shows an approval given at once by a policy', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    await page.getByRole('button', { name: 'Request more in main' }).click();
    const form = page.getByRole('form', { name: 'Request for main' });
    await form.getByLabel('Accounts', { exact: true }).fill('5');
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.getByText('Approved at once').waitFor();
    await page.getByText('0 of 5 · 0 %').waitFor();
  });

  it('says at the field why a request is refused, and that one was decided before', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/quotas' });
    await page.getByRole('button', { name: 'Request more in east' }).click();
    const form = page.getByRole('form', { name: 'Request for east' });
    await form.getByLabel('Dedicated IPv4 addresses').fill('2000000');
    await form.getByText(/^Dedicated IPv4 addresses must be at most 1,000,000/).waitFor();
    await form.getByLabel('Dedicated IPv4 addresses').fill('7');
    await form.getByLabel('Why').fill('Decided twice');
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.getByText('waiting for an operator').waitFor();

    const operator = await dashboard.open(test, { token: ADMIN_TOKEN, at: '#/operator' });
    const item = operator.getByRole('listitem').filter({ hasText: 'Decided twice' });
    await item.waitFor();
    const admin = new Client(dashboard.address, ADMIN_TOKEN);
    type Requests = { id: string; justification?: string }[];
    const requests = await admin.get<Requests>('/admin/quota-requests?state=pending');
    const id = requests.body.find(({ justification }) => justification === 'Decided twice')?.id;
    // From here on the page gets no new answers about the requests.
    await operator.route(/\/admin\/quota-requests\?/, () => undefined);
    await admin.post(`/admin/quota-requests/${id}/decision`, { decision: 'decline' });
    await item.getByRole('button', { name: 'Approve' }).click();
    await item.getByRole('alert').getByText('already declined').waitFor();
  });
});
