import type { ComponentType } from 'react';
import { lazily } from '../lib/lazily.tsx';
import { PageLoading } from './page-loading.tsx';

export type Route = {
  /** After the `#`; `:name` marks a parameter, which is a prop of the page. */
  pattern: string;
  title: string;
  /** In the main navigation; `admin` only for tokens with that scope. */
  nav?: 'everyone' | 'admin';
  page: ComponentType<Record<string, string>>;
};

const lazyPage = <Props extends Record<string, string>>(
  load: () => Promise<ComponentType<Props>>,
): Route['page'] => lazily(load, PageLoading) as Route['page'];

/** Every page, in the order of the navigation. Each is loaded when it is first opened. */
export const routes: Route[] = [
  {
    pattern: '/accounts',
    title: 'Accounts',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/accounts/accounts-page.tsx')).AccountsPage),
  },
  {
    pattern: '/accounts/:accountId',
    title: 'Account',
    page: lazyPage(async () => (await import('../pages/account/account-page.tsx')).AccountPage),
  },
  {
    pattern: '/compare',
    title: 'Compare accounts',
    page: lazyPage(async () => (await import('../pages/compare/compare-page.tsx')).ComparePage),
  },
  {
    pattern: '/curve',
    title: 'One curve',
    page: lazyPage(async () => (await import('../pages/curve/curve-page.tsx')).CurvePage),
  },
  {
    pattern: '/risk',
    title: 'Risk desk',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/risk/risk-page.tsx')).RiskPage),
  },
  {
    pattern: '/rules',
    title: 'Rules',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/rules/rules-page.tsx')).RulesPage),
  },
  {
    pattern: '/programs',
    title: 'Programs',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/programs/programs-page.tsx')).ProgramsPage),
  },
  {
    pattern: '/programs/:programId',
    title: 'Program',
    page: lazyPage(async () => (await import('../pages/programs/program-page.tsx')).ProgramPage),
  },
  {
    pattern: '/actions',
    title: 'Actions at breaches',
    page: lazyPage(async () => (await import('../pages/actions/actions-page.tsx')).ActionsPage),
  },
  {
    pattern: '/incidents/:id',
    title: 'Incident',
    page: lazyPage(async () => (await import('../pages/incident/incident-page.tsx')).IncidentPage),
  },
  {
    pattern: '/margin',
    title: 'Margin',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/margin/margin-page.tsx')).MarginPage),
  },
  {
    pattern: '/provisioning',
    title: 'Provisioning',
    nav: 'everyone',
    page: lazyPage(
      async () => (await import('../pages/provisioning/provisioning-page.tsx')).ProvisioningPage,
    ),
  },
  {
    pattern: '/quotas',
    title: 'Quotas',
    nav: 'everyone',
    page: lazyPage(async () => (await import('../pages/quotas/quotas-page.tsx')).QuotasPage),
  },
  {
    pattern: '/integrations',
    title: 'Integrations',
    nav: 'everyone',
    page: lazyPage(
      async () => (await import('../pages/integrations/integrations-page.tsx')).IntegrationsPage,
    ),
  },
  {
    pattern: '/sessions',
    title: 'Sessions',
    page: lazyPage(async () => (await import('../pages/sessions/sessions-page.tsx')).SessionsPage),
  },
  {
    pattern: '/operator',
    title: 'Operator',
    nav: 'admin',
    page: lazyPage(async () => (await import('../pages/operator/operator-page.tsx')).OperatorPage),
  },
];
