import type { listAuditOperation } from '../../../../src/contract/operations/audit.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { type Answer, call } from '../../lib/api.ts';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { PagedList } from './paged-list.tsx';
import { usePages } from './use-pages.ts';
import { useEmails } from './use-users.ts';

type Entry = Answer<typeof listAuditOperation>[number];

export function AuditPanel() {
  const userId = useLocation().query.get('about') ?? '';
  const emails = useEmails();
  const pages = usePages(['audit', userId], (page, signal) =>
    call<typeof listAuditOperation>(
      'GET /admin/audit',
      { query: { ...page, ...(userId ? { userId } : {}) } },
      signal,
    ),
  );
  return (
    <Card
      title="Audit"
      hint="Who did what and when, newest first. Times are yours."
      flush
      actions={
        <div className="operator-filter">
          <label htmlFor="audit-user">About the user</label>
          <input
            id="audit-user"
            type="search"
            placeholder="User id"
            spellCheck={false}
            value={userId}
            onChange={(event) => replaceQuery({ about: event.target.value.trim() })}
          />
        </div>
      }
    >
      <PagedList
        pages={pages}
        what="the audit"
        empty={
          <Empty title="No entry">
            {userId ? 'Nothing is on record about this user.' : 'Nothing was done yet.'}
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
  const { actor, userId } = entry;
  const actorName = emails.get(actor.replace(/^user:/, '')) ?? actor;
  return (
    <li className="operator-entry">
      <span className="number">{formatLocalTime(entry.at)}</span>
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
      </span>
      <details>
        <summary>Details</summary>
        <pre className="operator-text">{JSON.stringify(entry.details, null, 2)}</pre>
      </details>
    </li>
  );
}
