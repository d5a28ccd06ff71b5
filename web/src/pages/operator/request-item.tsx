import { useState } from 'react';
import type { QuotaDecision } from '../../../../src/words/service.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatLocalTime, formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { titleOfQuota } from '../quotas/quota-words.ts';
import { type QuotaRequest, useDecision } from './use-requests.ts';

const MAX_TEXT_LENGTH = 2000;
const STATES = {
  pending: { tone: 'warn', word: 'Waiting' },
  approved: { tone: 'good', word: 'Approved' },
  declined: { tone: 'bad', word: 'Declined' },
} as const;

export function RequestItem({ request }: { request: QuotaRequest }) {
  const { state, email, requested, current } = request;
  return (
    <li className="operator-item">
      <div className="operator-item-head">
        <h3>
          <a href={path.operator({ tab: 'users', user: request.userId })}>{email}</a>
          <span className="muted"> · region {request.region}</span>
        </h3>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
      </div>
      <Facts
        of={Object.entries(requested).map(([name, value]) => [
          titleOfQuota(name),
          <span key={name}>
            up to {formatNumber(value)}
            <Current now={current?.[name as keyof typeof requested]} />
          </span>,
        ])}
      />
      {request.justification ? (
        <blockquote className="operator-words">{request.justification}</blockquote>
      ) : (
        <p className="hint">No reason was given.</p>
      )}
      <p className="hint">
        Asked {formatLocalTime(request.createdAt)}
        {request.updatedAt === request.createdAt
          ? ''
          : `, changed ${formatLocalTime(request.updatedAt)}`}
        {request.decidedAt ? `, decided ${formatLocalTime(request.decidedAt)}` : ''}
        {request.decidedBy ? ` by ${request.decidedBy}` : ''} (your time)
      </p>
      {request.message ? (
        <p>
          <strong>Answer:</strong> {request.message}
        </p>
      ) : null}
      {state === 'pending' ? <DecisionForm request={request} /> : null}
    </li>
  );
}

/** The basis of the decision: present use and quotas. */
function Current({ now }: { now: { max: number; used: number } | undefined }) {
  if (!now) return null;
  return (
    <span className="hint">
      {' '}
      now {formatNumber(now.used)} of {formatNumber(now.max)} used
    </span>
  );
}

function DecisionForm({ request }: { request: QuotaRequest }) {
  const [message, setMessage] = useState('');
  const decide = useDecision();
  const text = message.trim();
  const press = (decision: QuotaDecision) => (): void =>
    decide.mutate(
      { params: { id: request.id }, body: { decision, ...(text ? { message: text } : {}) } },
      {
        onSuccess: () =>
          showToast(`${decision === 'approve' ? 'Approved' : 'Declined'}: ${request.email}`),
      },
    );
  return (
    <div className="form">
      <TextField
        label={`Message to ${request.email}`}
        hint="Included in the e-mail; optional"
        lines={2}
        maxLength={MAX_TEXT_LENGTH}
        text={message}
        change={setMessage}
      />
      {decide.error ? <ErrorNote error={decide.error} /> : null}
      <div className="form-buttons">
        <Button kind="primary" busy={decide.isPending} onClick={press('approve')}>
          Approve
        </Button>
        <Button kind="danger" busy={decide.isPending} onClick={press('decline')}>
          Decline
        </Button>
      </div>
    </div>
  );
}
