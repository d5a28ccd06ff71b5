/**
 * The only place that writes addresses of pages. One without `label` keeps the chosen group; an
 * empty label is for all accounts.
 */
const withQuery = (path: string, query: Record<string, string | undefined>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, value);
  }
  return search.size > 0 ? `${path}?${search}` : path;
};

export type AccountTab =
  | 'overview'
  | 'trades'
  | 'trackers'
  | 'enrolments'
  | 'incidents'
  | 'import'
  | 'settings';

export const path = {
  accounts: (query: Record<string, string | undefined> = {}) => withQuery('#/accounts', query),
  account: (
    id: string,
    query: {
      tab?: AccountTab;
      tracker?: string;
      enrolment?: string;
      from?: string;
      until?: string;
    } = {},
  ) => withQuery(`#/accounts/${encodeURIComponent(id)}`, query),
  risk: (query: { show?: string; label?: string } = {}) => withQuery('#/risk', query),
  compare: (accounts: readonly string[] = []) =>
    withQuery('#/compare', { accounts: accounts.join(',') || undefined }),
  curve: (query: Record<string, string | undefined> = {}) => withQuery('#/curve', query),
  rules: () => '#/rules',
  sessions: () => '#/sessions',
  programs: () => '#/programs',
  program: (id: string, query: { version?: string } = {}) =>
    withQuery(`#/programs/${encodeURIComponent(id)}`, query),
  actions: (query: { state?: string } = {}) => withQuery('#/actions', query),
  incident: (id: number) => `#/incidents/${id}`,
  margin: (query: { account?: string } = {}) => withQuery('#/margin', query),
  provisioning: (query: { profile?: string | undefined; tab?: string } = {}) =>
    withQuery('#/provisioning', query),
  quotas: (query: { region?: string } = {}) => withQuery('#/quotas', query),
  operator: (query: { tab?: string; user?: string } = {}) => withQuery('#/operator', query),
};
