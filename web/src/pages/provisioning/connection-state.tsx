import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { Badge } from '../../components/badge.tsx';
import { clockWords } from '../../lib/clock-words.ts';
import { formatLocalTime } from '../../lib/format.ts';

const STATES = {
  untried: { tone: 'plain', word: 'Not tried yet' },
  working: { tone: 'good', word: 'Working' },
  failing: { tone: 'bad', word: 'Failing' },
  locked: { tone: 'bad', word: 'Locked: the server lacks the key' },
} as const;

export function ConnectionBadge({ state }: { state: keyof typeof STATES }) {
  return <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>;
}

/** When the platform answered last, and why it did not. */
export function ConnectionFacts({ profile }: { profile: ProfileRecord }) {
  const { lastSuccessAt, lastErrorAt, lastError } = profile.connection;
  return (
    <dl className="facts">
      {profile.connection.state === 'locked' ? (
        <div className="span">
          <dt>Its password</dt>
          <dd>
            It is encrypted under a key that the server does not have any more. Ask the operator to
            give the key back, or set the password again.
          </dd>
        </div>
      ) : null}
      {profile.server ? (
        <div>
          <dt>Server</dt>
          <dd>{profile.server}</dd>
        </div>
      ) : null}
      {profile.login ? (
        <div>
          <dt>Manager login</dt>
          <dd>{profile.login}</dd>
        </div>
      ) : null}
      <div>
        <dt>Broker's clock</dt>
        <dd>{clockWords(profile.brokerClock)}</dd>
      </div>
      <div>
        <dt>Last success (your time)</dt>
        <dd className="number">{lastSuccessAt ? formatLocalTime(lastSuccessAt) : 'none yet'}</dd>
      </div>
      <div>
        <dt>Last error (your time)</dt>
        <dd className="number">{lastErrorAt ? formatLocalTime(lastErrorAt) : 'none'}</dd>
      </div>
      {lastError ? (
        <div className="span">
          <dt>Message</dt>
          <dd>{lastError}</dd>
        </div>
      ) : null}
    </dl>
  );
}
