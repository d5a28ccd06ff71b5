import { type ComponentType, lazy } from 'react';

export type Route = {
  /** After the `#`; `:name` marks a parameter that the page gets as a prop. */
  pattern: string;
  title: string;
  /** In the main navigation; `admin` only for tokens that hold that scope. */
  nav?: 'everyone' | 'admin';
  page: ComponentType<Record<string, string>>;
};

/** Every page, in the order of the navigation. Each is loaded when it is first opened. */
export const routes: Route[] = [
  {
    pattern: '/accounts',
    title: 'Accounts',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/accounts/accounts-page.tsx')).AccountsPage,
    })),
  },
  {
    pattern: '/accounts/:accountId',
    title: 'Account',
    page: lazy(async () => ({
      default: (await import('../pages/account/account-page.tsx')).AccountPage as ComponentType<
        Record<string, string>
      >,
    })),
  },
  {
    pattern: '/compare',
    title: 'Compare accounts',
    page: lazy(async () => ({
      default: (await import('../pages/compare/compare-page.tsx')).ComparePage,
    })),
  },
  {
    pattern: '/risk',
    title: 'Risk desk',
    nav: 'everyone',
    page: lazy(async () => ({ default: (await import('../pages/risk/risk-page.tsx')).RiskPage })),
  },
  {
    pattern: '/rules',
    title: 'Rules',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/rules/rules-page.tsx')).RulesPage,
    })),
  },
  {
    pattern: '/programs',
    title: 'Programs',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/programs/programs-page.tsx')).ProgramsPage,
    })),
  },
  {
    pattern: '/programs/:programId',
    title: 'Program',
    page: lazy(async () => ({
      default: (await import('../pages/programs/program-page.tsx')).ProgramPage as ComponentType<
        Record<string, string>
      >,
    })),
  },
  {
    pattern: '/actions',
    title: 'Actions at breaches',
    page: lazy(async () => ({
      default: (await import('../pages/actions/actions-page.tsx')).ActionsPage,
    })),
  },
  {
    pattern: '/incidents/:id',
    title: 'Incident',
    page: lazy(async () => ({
      default: (await import('../pages/incident/incident-page.tsx')).IncidentPage as ComponentType<
        Record<string, string>
      >,
    })),
  },
  {
    pattern: '/margin',
    title: 'Margin',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/margin/margin-page.tsx')).MarginPage,
    })),
  },
  {
    pattern: '/provisioning',
    title: 'Provisioning',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/provisioning/provisioning-page.tsx')).ProvisioningPage,
    })),
  },
  {
    pattern: '/quotas',
    title: 'Quotas',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/quotas/quotas-page.tsx')).QuotasPage,
    })),
  },
  {
    pattern: '/integrations',
    title: 'Integrations',
    nav: 'everyone',
    page: lazy(async () => ({
      default: (await import('../pages/integrations/integrations-page.tsx')).IntegrationsPage,
    })),
  },
  {
    pattern: '/operator',
    title: 'Operator',
    nav: 'admin',
    page: lazy(async () => ({
      default: (await import('../pages/operator/operator-page.tsx')).OperatorPage,
    })),
  },
];
