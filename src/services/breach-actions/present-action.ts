import {
  type BreachActionRecord,
  MAX_ACTION_MESSAGE,
} from '../../contract/operations/breach-actions.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import type { Account } from '../../storage/account-store.ts';
import { type BreachAction, startedAtMs } from '../../storage/breach-action-store.ts';
import { isoTime } from '../present-time.ts';

/** An action with its account, tracker and event; unknown names and numbers are left out. */
export const presentAction = (
  each: BreachAction,
  of: {
    account: Pick<Account, 'id' | 'name'>;
    trackerName: string | undefined;
    sequenceNumber: number | undefined;
  },
): BreachActionRecord => ({
  id: each.id,
  accountId: of.account.id,
  accountName: of.account.name,
  trackerId: each.trackerId,
  ...(of.trackerName === undefined ? {} : { trackerName: of.trackerName }),
  ...(of.sequenceNumber === undefined ? {} : { sequenceNumber: of.sequenceNumber }),
  cause: causeOf(each),
  brokerTime: formatBrokerTime(each.timeMs),
  action: each.action,
  ...(each.groupName === null ? {} : { group: each.groupName }),
  dryRun: each.isDryRun,
  moment: each.moment,
  ...(each.moment === 'reset' && each.periodEndMs !== null
    ? { resetAt: isoTime(startedAtMs(each)) }
    : {}),
  confirm: each.confirm,
  ...(each.seen === null ? {} : { seen: presentSeen(each.seen) }),
  state: each.state,
  attempts: each.attempts,
  ...(each.message === null ? {} : { message: each.message.slice(0, MAX_ACTION_MESSAGE) }),
  createdAt: isoTime(each.createdAtMs),
  ...(each.endedAtMs === null ? {} : { endedAt: isoTime(each.endedAtMs) }),
});

function causeOf({ moment, subjectId, trackerId }: BreachAction): BreachActionRecord['cause'] {
  if (moment === 'passing') return 'passing';
  return subjectId === trackerId ? 'limit' : 'time';
}

const presentSeen = ({ atMs, ...figures }: NonNullable<BreachAction['seen']>) => ({
  at: isoTime(atMs),
  ...figures,
});
