import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatLocalTime, formatNumber } from '../../lib/format.ts';

type Sync = NonNullable<AccountRecord['sync']>;

const STATES = {
  waiting: { tone: 'plain', word: 'Not read yet' },
  working: { tone: 'good', word: 'Working' },
  failing: { tone: 'bad', word: 'Failing' },
  paused: { tone: 'plain', word: 'Paused: not deployed' },
} as const;

/** The state of reading the account from its platform, and differences on the platform. */
export function SyncCard({ account, sync }: { account: AccountRecord; sync: Sync }) {
  const { tone, word } = STATES[sync.state];
  const { differences } = sync;
  return (
    <Card title="Reading from the platform" actions={<Badge tone={tone}>{word}</Badge>}>
      <Facts
        of={[
          ['Last read (your time)', sync.lastReadAt ? formatLocalTime(sync.lastReadAt) : 'not yet'],
          [
            'Deals compared (your time)',
            sync.provenAt ? formatLocalTime(sync.provenAt) : 'not yet',
          ],
          ['Why it fails', sync.lastError, 'span'],
        ]}
      />
      {differences ? (
        <div className="note note-warn" role="status">
          {differences.currency ? (
            <p>
              On the platform its currency is {differences.currency}, here {account.currency}: its
              figures are wrong. Delete the account, and create it in {differences.currency}.
            </p>
          ) : null}
          {differences.leverage ? (
            <p>
              On the platform its leverage is 1:{formatNumber(differences.leverage, 2)}, here 1:
              {formatNumber(account.leverage, 2)}. Change it above if the platform is right.
            </p>
          ) : null}
        </div>
      ) : null}
    </Card>
  );
}
