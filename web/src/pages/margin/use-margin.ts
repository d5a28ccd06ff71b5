import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AccountRecord,
  readAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import type { accountsOverviewOperation } from '../../../../src/contract/operations/accounts-overview.ts';
import type { calculateMarginOperation } from '../../../../src/contract/operations/margin.ts';
import type { symbolsGroupOperation } from '../../../../src/contract/operations/platform-accounts.ts';
import { call } from '../../lib/api.ts';

export type Order = { symbol: string; type: string; volume: number; openPrice: number };
export type Calculation = { account: AccountRecord; order: Order };

/** The account named in the address, or else the first one by name; null if there is none. */
export function useMarginAccount(accountId: string | undefined) {
  return useQuery({
    queryKey: ['accounts', 'margin', accountId ?? 'first'],
    queryFn: async ({ signal }): Promise<AccountRecord | null> => {
      const id = accountId ?? (await firstAccountId(signal));
      if (id === undefined) return null;
      const params = { accountId: id };
      return call<typeof readAccountOperation>(
        'GET /users/current/accounts/:accountId',
        { params },
        signal,
      );
    },
  });
}

async function firstAccountId(signal: AbortSignal): Promise<string | undefined> {
  const { accounts } = await call<typeof accountsOverviewOperation>(
    'GET /users/current/accounts-overview',
    { query: { sort: 'name', limit: 1 } },
    signal,
  );
  return accounts[0]?.id;
}

/** Symbols to choose from. Only p4 platforms list theirs; elsewhere names are typed. */
export function useSymbolNames(account: AccountRecord | undefined): string[] {
  const profileId = account?.platform === 'p4' ? account.profileId : undefined;
  const { data } = useQuery({
    queryKey: ['symbols', profileId, 'all'],
    enabled: profileId !== undefined,
    retry: false,
    queryFn: ({ signal }) =>
      call<typeof symbolsGroupOperation>(
        'GET /users/current/p4/provisioning-profiles/:profileId/symbolsGroup',
        { params: { profileId: profileId ?? '' }, query: {} },
        signal,
      ),
  });
  return data?.map(({ symbol }) => symbol) ?? [];
}

export function useMarginCalculation() {
  return useMutation({
    mutationFn: ({ account, order }: Calculation) =>
      call<typeof calculateMarginOperation>(
        'POST /users/current/accounts/:accountId/calculate-margin',
        { params: { accountId: account.id }, body: order, onlyReads: true },
      ),
  });
}
