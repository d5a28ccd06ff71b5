import type { listAuditOperation } from '../../../../src/contract/operations/audit.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { type Answer, call } from '../../lib/api.ts';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { PagedList } from './paged-list.tsx';
import { usePages } from './use-pages.ts';
import { useEmails } from './use-users.ts';

type Entry = Answer<typeof listAuditOperation>[number];

const columnsOf = (emails: Map<string, string>): Column<Entry>[] => [
  {
    title: 'When (your time)',
    cell: ({ at }) => <span className="number nowrap">{formatLocalTime(at)}</span>,
  },
  {
    title: 'Who',
    cell: ({ actor }) => (
      <span className="operator-id" title={actor}>
        {emails.get(actor.replace(/^user:/, '')) ?? actor}
      </span>
    ),
  },
  { title: 'What', cell: ({ action }) => <strong className="nowrap">{action}</strong> },
  {
    title: 'About',
    cell: ({ userId }) =>
      userId ? (
        <a className="operator-id" href={path.operator({ tab: 'users', user: userId })}>
          {emails.get(userId) ?? userId}
        </a>
      ) : (
        '–'
      ),
  },
  {
    title: 'Details',
    cell: ({ details }) => <span className="operator-details">{inWords(details)}</span>,
  },
];

/** `region main, requested (maxAccounts 40)` */
function inWords(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== null && each !== undefined)
    .map(([name, each]) =>
      typeof each === 'object' ? `${name} (${inWords(each)})` : `${name} ${inWords(each)}`,
    )
    .join(', ');
}

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
      hint="Who did what and when, newest first."
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
          <Table caption="Audit" columns={columnsOf(emails)} rows={rows} rowKey={({ id }) => id} />
        )}
      </PagedList>
    </Card>
  );
}
