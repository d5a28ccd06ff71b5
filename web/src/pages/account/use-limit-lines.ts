import { useMemo } from 'react';
import type {
  readLimitStepsOperation,
  TrackerLimitsRecord,
} from '../../../../src/contract/operations/limit-steps.ts';
import type { Step, StepLine } from '../../charts/marks.ts';
import { brokerTimeMs } from '../../lib/format.ts';
import { useRead } from '../../lib/use-operation.ts';

const REFRESH_MS = 30_000;
const BEGINNING = '1970-01-01 00:00:00.000';

/**
 * Floors and targets of all trackers, as computed by the server: by period, including trailing
 * ones.
 */
export function useLimitLines(
  accountId: string,
  isWide: boolean,
  isEnabled: boolean,
): readonly StepLine[] {
  const { data } = useRead<typeof readLimitStepsOperation>(
    ['account', accountId, 'limit-steps', isWide],
    'GET /users/current/accounts/:accountId/limit-steps',
    { params: { accountId }, query: isWide ? { startTime: BEGINNING } : {} },
    { enabled: isEnabled, refetchInterval: REFRESH_MS },
  );
  return useMemo(() => (data ?? []).flatMap(linesOf), [data]);
}

/** The floor of a tracker and its target, if any. */
export function linesOf({ trackerId, name, steps }: TrackerLimitsRecord): StepLine[] {
  const stepsWith = (kind: 'floor' | 'target'): Step[] =>
    steps.flatMap(({ startBrokerTime, endBrokerTime, [kind]: value }) =>
      value === undefined
        ? []
        : [
            {
              from: brokerTimeMs(startBrokerTime) / 1000,
              to: brokerTimeMs(endBrokerTime) / 1000,
              value,
            },
          ],
    );
  return (['floor', 'target'] as const).flatMap((kind) => {
    const own = stepsWith(kind);
    return own.length > 0 ? [{ id: `${trackerId} ${kind}`, title: name, kind, steps: own }] : [];
  });
}
