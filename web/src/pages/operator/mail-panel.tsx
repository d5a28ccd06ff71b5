import type {
  listMailOperation,
  resendMailOperation,
} from '../../../../src/contract/operations/mail.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { showToast } from '../../components/toast.tsx';
import type { Answer } from '../../lib/api.ts';
import { countOf, formatLocalTime } from '../../lib/format.ts';
import { replaceQuery, useLocation } from '../../lib/route.ts';
import { useChange, usePages } from '../../lib/use-operation.ts';

type Mail = Answer<typeof listMailOperation>[number];

const REFRESH_MS = 15_000;
/** A queued mail is usually being sent now. */
const QUEUED_REFRESH_MS = 2_000;
const STATES = [
  { value: 'all', title: 'All' },
  { value: 'queued', title: 'Queued' },
  { value: 'sent', title: 'Sent' },
  { value: 'logged', title: 'Logged' },
  { value: 'failed', title: 'Failed' },
] as const;
const TONES = {
  queued: { tone: 'warn', word: 'Queued' },
  sent: { tone: 'good', word: 'Sent' },
  logged: { tone: 'plain', word: 'Logged' },
  failed: { tone: 'bad', word: 'Failed' },
} as const;
const EXPLANATIONS: Record<Mail['state'], string> = {
  queued: 'Waiting to be sent',
  sent: 'The mail server accepted it',
  logged: 'Written to the log because there is no mail server: set SMTP_URL, then send it again',
  failed: 'Given up after too many attempts',
};

export function MailPanel() {
  const word = useLocation().query.get('state');
  const state = STATES.find(({ value }) => value === word)?.value ?? 'all';
  const pages = usePages<typeof listMailOperation>(
    ['mail', state],
    'GET /admin/mail',
    { query: state === 'all' ? {} : { state } },
    (rows) => (rows.some((mail) => mail.state === 'queued') ? QUEUED_REFRESH_MS : REFRESH_MS),
  );
  return (
    <Card
      title="Mail"
      hint="Mails sent or queued, newest first. Times are yours."
      flush
      actions={
        <Segmented
          legend="State of the mails"
          options={STATES}
          value={state}
          choose={(value) => replaceQuery({ state: value })}
        />
      }
    >
      <PagedList
        pages={pages}
        what="mails"
        empty={
          <Empty title="No e-mail">
            Decisions on quota requests are mailed, and broken limits to users who ask for them.
          </Empty>
        }
      >
        {(rows) => (
          <ul className="operator-list">
            {rows.map((mail) => (
              <MailItem key={mail.id} mail={mail} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}

function MailItem({ mail }: { mail: Mail }) {
  const { state, subject } = mail;
  const attempts = countOf(mail.attempts, 'attempt');
  return (
    <li className="operator-item">
      <div className="operator-item-head">
        <h3>{subject}</h3>
        <Badge tone={TONES[state].tone}>{TONES[state].word}</Badge>
      </div>
      <p>
        To {mail.to} <span className="muted">· queued {formatLocalTime(mail.queuedAt)}</span>
      </p>
      <p className="hint">
        {EXPLANATIONS[state]}
        {mail.settledAt ? `, ${formatLocalTime(mail.settledAt)}` : ''} · {attempts}
        {mail.nextAttemptAt ? ` · next ${formatLocalTime(mail.nextAttemptAt)}` : ''}
        {mail.lastResult && state !== 'logged' ? ` · the server said: ${mail.lastResult}` : ''}
      </p>
      <details>
        <summary>Text</summary>
        <pre className="operator-text">{mail.text}</pre>
      </details>
      {state === 'logged' || state === 'failed' ? <Resend mail={mail} /> : null}
    </li>
  );
}

function Resend({ mail }: { mail: Mail }) {
  const resend = useChange<typeof resendMailOperation>('POST /admin/mail/:id/resend', ['mail']);
  const send = async (): Promise<void> => {
    await resend.mutateAsync({ params: { id: mail.id } });
    showToast(`Queued again for ${mail.to}`);
  };
  return (
    <>
      {resend.error ? <ErrorNote error={resend.error} /> : null}
      <div>
        <Button
          size="small"
          busy={resend.isPending}
          onClick={() => void send().catch(() => undefined)}
          aria-label={`Send again: ${mail.subject}, to ${mail.to}`}
        >
          Send again
        </Button>
      </div>
    </>
  );
}
