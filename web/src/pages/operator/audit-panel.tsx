import type { listAuditOperation } from '../../../../src/contract/operations/audit.ts';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Empty } from '../../components/empty.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { Answer } from '../../lib/api.ts';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { usePages } from '../../lib/use-operation.ts';
import { useEmails } from './use-users.ts';

type Entry = Answer<typeof listAuditOperation>[number];

/** Prefixes of actions, as named in the audit. */
const ACTIONS = [
  { value: '', title: 'Everything' },
  ...[
    ...['account', 'deal', 'incident', 'journal', 'mail', 'platform', 'profile', 'quota'],
    ...['statement', 'token', 'tracker', 'user', 'webhook'],
  ].map((name) => ({ value: name, title: name })),
];

export function AuditPanel() {
  const { query } = useLocation();
  const [userId, accountId, action] = ['about', 'account', 'action'].map(
    (name) => query.get(name) ?? '',
  );
  const emails = useEmails();
  const asked = { userId, accountId, action };
  const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const isFiltered = Object.keys(filter).length > 0;
  const pages = usePages<typeof listAuditOperation>(['audit', filter], 'GET /admin/audit', {
    query: filter,
  });
  return (
    <Card title="Audit" hint="Who did what and when, newest first. Times are yours." flush>
      <search className="operator-filters">
        <ChoiceField
          label="What"
          options={ACTIONS}
          value={action ?? ''}
          choose={(name) => replaceQuery({ action: name })}
        />
        <TextField
          label="About the account"
          type="search"
          placeholder="Account id"
          text={accountId ?? ''}
          change={(id) => replaceQuery({ account: id.trim() })}
        />
        <TextField
          label="About the user"
          type="search"
          placeholder="User id"
          text={userId ?? ''}
          change={(id) => replaceQuery({ about: id.trim() })}
        />
      </search>
      <PagedList
        pages={pages}
        what="the audit"
        empty={
          <Empty title="No entry">
            {isFiltered ? 'No entry matches these filters.' : 'Nothing has been done yet.'}
          </Empty>
        }
      >
        {(rows) => (
          <ul className="operator-list">
            {rows.map((entry) => (
              <AuditItem key={entry.id} entry={entry} emails={emails} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}

function AuditItem({ entry, emails }: { entry: Entry; emails: Map<string, string> }) {
  const { actor, userId, accountId } = entry;
  const actorName = emails.get(actor.replace(/^user:/, '')) ?? actor;
  return (
    <li className="operator-entry">
      <span className="number">{formatLocalTime(entry.at, true)}</span>
      <strong>{entry.action}</strong>
      <span>
        by <span title={actor}>{actorName}</span>
        {userId && actor !== `user:${userId}` ? (
          <>
            , about{' '}
            <a href={path.operator({ tab: 'users', user: userId })}>
              {emails.get(userId) ?? userId}
            </a>
          </>
        ) : null}
        {accountId ? (
          <>
            , account <code>{accountId}</code>
          </>
        ) : null}
      </span>
      <details>
        <summary>Details</summary>
        <pre className="operator-text">{JSON.stringify(entry.details, null, 2)}</pre>
      </details>
    </li>
  );
}
