import { useQuery } from '@tanstack/react-query';
import type { accountsOverviewOperation } from '../../../src/contract/operations/accounts-overview.ts';
import { useLabels } from '../accounts/use-labels.ts';
import { call } from '../lib/api.ts';

export const COUNTERS = ['exceeded', 'near', 'stale', 'unwatched', 'clockOff'] as const;
export type Counter = (typeof COUNTERS)[number];
/** Causes of blindness: if one of these is above 0, an empty list proves little. */
export const BLIND = ['unwatched', 'stale', 'clockOff'] as const;
export type Blind = (typeof BLIND)[number];

const REFRESH_MS = 4_000;

/** How many of all accounts need attention, and why. */
export const useCounters = (isEnabled = true) =>
  useQuery({
    queryKey: ['accounts', 'counters'],
    queryFn: async ({ signal }) => {
      const { accounts: _, ...counters } = await call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query: { limit: 1 } },
        signal,
      );
      return counters;
    },
    enabled: isEnabled,
    refetchInterval: REFRESH_MS,
  });

/** The server counts up to this many labels. */
const MOST_LABELS = 1000;
const NONE: Record<Counter | 'all', number> = {
  ...{ all: 0, exceeded: 0, near: 0 },
  ...{ stale: 0, unwatched: 0, clockOff: 0 },
};

/** The counters of a group; of all accounts if its label is empty. */
export function useGroupCounters(label: string): Record<Counter | 'all', number> | undefined {
  const all = useCounters().data;
  const labels = useLabels().data;
  if (label === '') return all;
  const own = labels?.find((each) => each.label === label);
  if (own) return { ...own, all: own.accounts };
  return labels && labels.length < MOST_LABELS ? NONE : undefined;
}
