import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../../src/contract/operations/accounts-overview.ts';
import { call } from '../lib/api.ts';
import type { OverviewQuery } from './use-overview.ts';

const PAGE = 200;

/** Which accounts a list shows. */
export type Which = Required<Pick<OverviewQuery, 'search' | 'label' | 'filter'>>;
export const ALL_ACCOUNTS: Which = { search: '', label: '', filter: 'all' };

/** Accounts that fit, in the order of their names, up to a most. */
export async function readFitting(which: Which, most: number): Promise<OverviewAccount[]> {
  const found: OverviewAccount[] = [];
  for (;;) {
    const { accounts } = await call<typeof accountsOverviewOperation>(
      'GET /users/current/accounts-overview',
      { query: { ...which, sort: 'name', limit: PAGE, offset: found.length } },
    );
    found.push(...accounts);
    if (accounts.length < PAGE || found.length >= most) return found.slice(0, most);
  }
}
