import type { listAuditOperation } from '../../../../src/contract/operations/audit.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { type Answer, call } from '../../lib/api.ts';
import { formatLocalTime } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { usePages } from './use-pages.ts';
import { useEmails } from './use-users.ts';

type Entry = Answer<typeof listAuditOperation>[number];

/** Beginnings of actions, as the audit names them. */
const ACTIONS = [
  ...['account', 'deal', 'incident', 'journal', 'mail', 'platform', 'profile', 'quota'],
  ...['statement', 'token', 'tracker', 'user', 'webhook'],
];

export function AuditPanel() {
  const { query } = useLocation();
  const [userId, accountId, action] = ['about', 'account', 'action'].map(
    (name) => query.get(name) ?? '',
  );
  const emails = useEmails();
  const filter = {
    ...(userId ? { userId } : {}),
    ...(accountId ? { accountId } : {}),
    ...(action ? { action } : {}),
  };
  const isFiltered = Object.keys(filter).length > 0;
  const pages = usePages(['audit', filter], (page, signal) =>
    call<typeof listAuditOperation>('GET /admin/audit', { query: { ...page, ...filter } }, signal),
  );
  return (
    <Card title="Audit" hint="Who did what and when, newest first. Times are yours." flush>
      <form className="operator-filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="What">
          {(control) => (
            <select
              {...control}
              value={action}
              onChange={({ target }) => replaceQuery({ action: target.value })}
            >
              <option value="">Everything</option>
              {ACTIONS.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextFilter name="account" label="About the account" hint="Account id" value={accountId} />
        <TextFilter name="about" label="About the user" hint="User id" value={userId} />
      </form>
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

function TextFilter(props: {
  name: string;
  label: string;
  hint: string;
  value: string | undefined;
}) {
  return (
    <Field label={props.label}>
      {(control) => (
        <input
          {...control}
          type="search"
          placeholder={props.hint}
          spellCheck={false}
          value={props.value ?? ''}
          onChange={({ target }) => replaceQuery({ [props.name]: target.value.trim() })}
        />
      )}
    </Field>
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
