import type {
  accountsOverviewOperation,
  OverviewAccount,
} from '../../../src/contract/operations/accounts-overview.ts';
import { call } from '../lib/api.ts';
import type { OverviewQuery } from './use-overview.ts';

const PAGE = 200;

/** The accounts of a list. */
export type Which = Required<Pick<OverviewQuery, 'search' | 'label' | 'filter'>>;
export const ALL_ACCOUNTS: Which = { search: '', label: '', filter: 'all' };

/** Matching accounts, ordered by name, up to a maximum. */
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
