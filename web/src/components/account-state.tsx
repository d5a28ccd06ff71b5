import type { OverviewAccount } from '../../../src/contract/operations/accounts-overview.ts';
import { useConnection } from '../lib/connection.ts';
import { FRESH_SECONDS, useAgeSeconds } from './age.tsx';
import { Badge } from './badge.tsx';

type State = OverviewAccount['state'];

const STATES: Record<State, { title: string; tone: 'good' | 'warn' | 'plain' }> = {
  live: { title: 'Live', tone: 'good' },
  stale: { title: 'Stale', tone: 'warn' },
  waiting: { title: 'No snapshots', tone: 'plain' },
  undeployed: { title: 'Not deployed', tone: 'plain' },
};

/**
 * Whether figures of an account come in, wherever shown. A live state becomes stale once its
 * snapshot is old, and while the server does not answer.
 */
export function AccountState(props: {
  state: State;
  ageSeconds: number | undefined;
  answeredAtMs: number;
}) {
  const ageSeconds = useAgeSeconds(props.ageSeconds ?? 0, props.answeredAtMs);
  const isUp = useConnection().state === 'up';
  const isOld = props.state === 'live' && (!isUp || ageSeconds > FRESH_SECONDS);
  const { title, tone } = STATES[isOld ? 'stale' : props.state];
  return <Badge tone={tone}>{title}</Badge>;
}
