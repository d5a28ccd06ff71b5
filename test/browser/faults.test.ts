import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { SERVER_GONE } from './witness.ts';

needs('browser', 'dashboard', 'server');

describe('faults', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard({ PORT: String(await freePort()) });
  });
  let restarted: PlimsollProcess | undefined;
  after(async () => {
    await restarted?.stop();
    await dashboard.close();
  });

  it('a token revoked during use leads to the sign-in, which says so', async (test) => {
    const user = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token: user.token, at: '#/margin' });
    await page.getByText('No account yet').waitFor();
    const admin = new Client(dashboard.address, ADMIN_TOKEN);
    const tokens = await admin.get<{ id: string }[]>(`/admin/users/${user.userId}/tokens`);
    await admin.call('DELETE', `/admin/tokens/${tokens.body[0]?.id}`);
    // Without a click: the page's own requests may have led there already.
    await page.goto('/#/quotas');
    await page.getByRole('alert').filter({ hasText: 'revoked' }).waitFor();
    await page.getByLabel('Access token').waitFor();
  });

  it('the token of an operator, who owns nothing, gets an explanation', async (test) => {
    const page = await dashboard.open(test, { token: ADMIN_TOKEN, at: '#/quotas' });
    await page.getByRole('alert').filter({ hasText: 'belongs to no user' }).waitFor();
  });

  it('an address that leads nowhere leads back', async (test) => {
    const { token } = await newUser(dashboard.address);
    const page = await dashboard.open(test, { token, at: '#/nowhere' });
    await page.getByText('There is no such page').waitFor();
    await page.goto('/#/accounts/unknown');
    await page.getByText('There is no such account').waitFor();
    await page.getByRole('link', { name: 'To the accounts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  it('a server that holds jobs back says so on every page', async (test) => {
    const quiet = await startDashboard({ PLIMSOLL_QUIET_JOBS: 'on' });
    test.after(() => quiet.close());
    const { token } = await newUser(quiet.address);
    const page = await quiet.open(test, { token, at: '#/quotas' });
    await page.getByRole('status').filter({ hasText: 'PLIMSOLL_QUIET_JOBS' }).waitFor();
  });

  it('data not sent or loaded while the server is gone come when it is back', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user);
    const page = await dashboard.open(test, {
      token: user.token,
      at: '#/margin',
      expect: SERVER_GONE,
    });
    await page.getByLabel('Symbol').fill('EURUSD');
    await dashboard.server.server.kill();
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).first().waitFor();
    await page.getByRole('link', { name: 'Quotas' }).click();
    await page.getByRole('alert').filter({ hasText: 'This page broke.' }).waitFor();
    const { port } = new URL(dashboard.address);
    const { environment } = dashboard.server.database;
    restarted = await startPlimsoll({ ...environment, PORT: port });
    await page.getByRole('button', { name: 'Request more in main' }).waitFor();
  });
});
