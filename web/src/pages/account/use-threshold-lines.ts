import { useQueries } from '@tanstack/react-query';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  TrackerRecord,
  trackerStatisticsOperation,
} from '../../../../src/contract/operations/trackers.ts';
import { call } from '../../lib/api.ts';
import { type ThresholdLine, thresholdLines } from './threshold-lines.ts';

const REFRESH_MS = 30_000;
/** More lines than these would cover each other. */
const MAX_TRACKERS = 8;

/** Where the running periods of trackers would be exceeded. */
export function useThresholdLines(
  account: AccountRecord,
  trackers: readonly TrackerRecord[] | undefined,
): ThresholdLine[] {
  return useQueries({
    queries: (trackers ?? []).slice(0, MAX_TRACKERS).map((tracker) => ({
      queryKey: ['account', account.id, 'tracker', tracker._id, 1],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof trackerStatisticsOperation>(
          'GET /users/current/accounts/:accountId/trackers/:id/statistics',
          {
            params: { accountId: account.id, id: tracker._id },
            query: { limit: 1, realTime: true },
          },
          signal,
        ),
      refetchInterval: REFRESH_MS,
    })),
    combine: (results) =>
      results.flatMap(({ data }, index) => {
        const tracker = trackers?.[index];
        const [running] = data ?? [];
        return tracker && running?.periodStatus === 'running'
          ? thresholdLines(tracker, running)
          : [];
      }),
  });
}
