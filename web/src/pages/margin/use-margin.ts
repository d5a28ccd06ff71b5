import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AccountRecord,
  listAccountsOperation,
} from '../../../../src/contract/operations/accounts.ts';
import type { calculateMarginOperation } from '../../../../src/contract/operations/margin.ts';
import type { symbolsGroupOperation } from '../../../../src/contract/operations/platform-accounts.ts';
import { call } from '../../lib/api.ts';

export const MAX_ACCOUNTS = 1000;

export type Order = { symbol: string; type: string; volume: number; openPrice: number };
export type Calculation = { account: AccountRecord; order: Order };

export function useAccountChoice() {
  return useQuery({
    queryKey: ['account-choice'],
    queryFn: async ({ signal }) => {
      const accounts = await call<typeof listAccountsOperation>(
        'GET /users/current/accounts',
        { query: { limit: MAX_ACCOUNTS } },
        signal,
      );
      return accounts.sort((one, other) => one.name.localeCompare(other.name));
    },
  });
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
        { params: { accountId: account.id }, body: order },
      ),
  });
}
