import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { clockWords } from '../../lib/clock-words.ts';
import { formatLocalTime } from '../../lib/format.ts';

const STATES = {
  untried: { tone: 'plain', word: 'Not tried yet' },
  working: { tone: 'good', word: 'Working' },
  failing: { tone: 'bad', word: 'Failing' },
  locked: { tone: 'bad', word: 'Locked: the server lacks the key' },
} as const;

const LOCKED =
  'It is encrypted under a key that the server does not have any more. Ask the operator to give the key back, or set the password again.';

export function ConnectionBadge({ state }: { state: keyof typeof STATES }) {
  return <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>;
}

/** When the platform last answered, and why it did not. */
export function ConnectionFacts({ profile }: { profile: ProfileRecord }) {
  const { lastSuccessAt, lastErrorAt, lastError } = profile.connection;
  return (
    <Facts
      of={[
        profile.connection.state === 'locked' && ['Its password', LOCKED, 'span'],
        ['Server', profile.server],
        ['Manager login', profile.login],
        ["Broker's clock", clockWords(profile.brokerClock)],
        ['Last success (your time)', lastSuccessAt ? formatLocalTime(lastSuccessAt) : 'none yet'],
        ['Last error (your time)', lastErrorAt ? formatLocalTime(lastErrorAt) : 'none'],
        ['Message', lastError, 'span'],
      ]}
    />
  );
}
