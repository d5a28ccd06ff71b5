import type { Page } from 'playwright-core';
import { type Client, newAccount } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

/** A page of the dashboard and its heading. */
export type KnownPage = { at: string; heading: string };

type Platform = 'p4' | 'p5';

/** Data that fill every page, and the addresses of all pages. The client's token is an admin's. */
export async function fillEveryPage(client: Client & { userId: string }): Promise<KnownPage[]> {
  const profile = async (platform: Platform): Promise<string> => {
    const body = { name: `Profile ${platform}`, platform, kind: 'simulated' };
    const answer = await client.post<{ id: string }>('/users/current/provisioning-profiles', body);
    return answer.body.id;
  };
  const [p4, p5] = [await profile('p4'), await profile('p5')];
  const account = await newAccount(client, { name: 'Filled account', labels: ['Phase 1'] });
  const path = `/users/current/accounts/${account}`;
  await client.post(`${path}/deals`, [
    { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 10_000, brokerTime: '2026-01-05 09:00:00' },
  ]);
  await client.post(`${path}/trackers`, {
    ...{ name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.05 },
    startBrokerTime: '2026-01-01 00:00:00',
  });
  const program = await client.post<{ id: string }>('/users/current/programs', {
    name: 'Filled program',
    phases: [
      {
        name: 'Challenge',
        rules: [
          { kind: 'dailyLoss', share: 0.2 },
          { kind: 'timeLimit', days: 3000 },
        ],
        objectives: [
          { kind: 'profitTarget', share: 0.1 },
          { kind: 'tradingDays', days: 4 },
          { kind: 'consistency', share: 0.5 },
        ],
      },
    ],
  });
  await client.post(`${path}/enrolments`, { programId: program.body.id, initialBalance: 10_000 });
  await client.post('/users/current/snapshots', [
    { accountId: account, brokerTime: '2026-01-05 10:00:00', balance: 10_000, equity: 10_000 },
    { accountId: account, brokerTime: '2026-01-05 11:00:00', balance: 10_000, equity: 9_400 },
    { accountId: account, brokerTime: '2026-01-05 12:30:00', balance: 10_000, equity: 9_700 },
  ]);
  await client.call('PATCH', '/users/current/regions/main/quotas', {
    maxAccounts: 900_000,
    justification: 'A new desk',
  });
  await client.call('PUT', '/users/current/rule-templates/House%20limit', {
    rule: { period: 'date', relativeDrawdownThreshold: 0.05 },
  });
  await client.call('PUT', '/users/current/account-views/Phase%201', { label: 'Phase 1' });
  await client.post('/users/current/webhooks', { url: 'https://example.com/risk' });
  const tabs = ['trades', 'trackers', 'enrolments', 'incidents', 'import', 'settings'];
  const accountPages = [
    `#/accounts/${account}`,
    ...tabs.map((tab) => `#/accounts/${account}?tab=${tab}`),
  ];
  const profilePages = [
    ...[`${p4}&tab=symbols`, `${p4}&tab=login&login=100001`, `${p5}&tab=open`],
    `${p5}&tab=group&group=demo%5Cusd`,
  ];
  const operatorPages = [
    'requests&state=all',
    'actions',
    'users',
    `users&user=${client.userId}`,
    'mail',
    'audit',
  ];
  return [
    { at: '#/accounts', heading: 'Accounts' },
    ...accountPages.map((at) => ({ at, heading: 'Filled account' })),
    { at: `#/compare?accounts=${account}`, heading: 'Compare accounts' },
    { at: '#/curve', heading: 'One curve' },
    { at: '#/rules', heading: 'Rules' },
    { at: '#/programs', heading: 'Programs' },
    { at: `#/programs/${program.body.id}`, heading: 'Filled program' },
    { at: '#/actions', heading: 'Actions at breaches' },
    { at: '#/risk', heading: 'Risk desk' },
    { at: '#/risk?state=all&show=stale', heading: 'Risk desk' },
    { at: `#/incidents/${await newestIncident(client)}`, heading: 'Incident' },
    { at: '#/margin', heading: 'Margin calculator' },
    { at: '#/provisioning', heading: 'Provisioning' },
    ...profilePages.map((query) => ({ at: `#/provisioning?profile=${query}`, heading: 'Profile' })),
    { at: '#/quotas', heading: 'Quotas' },
    { at: '#/integrations', heading: 'Integrations' },
    ...operatorPages.map((tab) => ({ at: `#/operator?tab=${tab}`, heading: 'Operator' })),
    { at: '#/nowhere', heading: 'Not found' },
  ];
}

async function newestIncident(client: Client): Promise<number> {
  let newest: { id: number } | undefined;
  await until(async () => {
    const path = '/users/current/incidents';
    newest = (await client.get<{ incidents: { id: number }[] }>(path)).body.incidents[0];
    return newest !== undefined;
  }, 'an incident');
  return newest?.id ?? 0;
}

/** Goes to a page and waits until all of it is loaded. */
export async function visit(page: Page, { at, heading }: KnownPage): Promise<void> {
  await page.goto(`/${at}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'detached' });
}
