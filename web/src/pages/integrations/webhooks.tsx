import { useState } from 'react';
import type { WebhookRecord } from '../../../../src/contract/operations/webhooks.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Facts } from '../../components/facts.tsx';
import { Shown } from '../../components/shown.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatLocalTime, formatNumber } from '../../lib/format.ts';
import { useMay } from '../../shell/use-may.ts';
import { DeadLetters } from './dead-letters.tsx';
import { DELIVERY_WORDS } from './delivery-words.ts';
import { NewWebhookCard } from './new-webhook-card.tsx';
import { useDeleteWebhook, useTest, useWebhooks } from './use-webhooks.ts';

/** The targets of events, and their state. */
export function Webhooks() {
  const webhooks = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const mayAdd = useMay().addAccounts;
  const add =
    mayAdd && !isAdding ? <Button onClick={() => setAdding(true)}>New webhook</Button> : null;
  return (
    <>
      {isAdding ? <NewWebhookCard close={() => setAdding(false)} /> : null}
      <Card title="Webhooks" hint="Addresses that events are sent to" flush actions={add}>
        <Shown
          read={webhooks}
          what="webhooks"
          isInset
          empty={
            <Empty title="No webhook">
              A webhook notifies your own software within a second when a limit is exceeded.
            </Empty>
          }
        >
          {(all) => (
            <ul className="webhooks">
              {all.map((webhook) => (
                <WebhookItem key={webhook.id} webhook={webhook} mayChange={mayAdd} />
              ))}
            </ul>
          )}
        </Shown>
      </Card>
    </>
  );
}

function WebhookItem(props: { webhook: WebhookRecord; mayChange: boolean }) {
  const { webhook, mayChange } = props;
  const { id, url, events, delivery, createdAt, lastSequenceNumber, lastResult } = webhook;
  return (
    <li className="webhook">
      <div className="row">
        <h3 className="webhook-url">{url}</h3>
        <State webhook={webhook} />
      </div>
      <Facts
        of={[
          ['Sends', events.map((event) => WORDS[event]).join(', ')],
          ['Delivery', DELIVERY_WORDS[delivery]],
          ['Up to event', formatNumber(lastSequenceNumber, 0)],
          ['Last attempt', lastResult ?? 'none yet'],
          ['Created (your time)', formatLocalTime(createdAt)],
        ]}
      />
      {webhook.locked ? (
        <p className="note note-bad" role="status">
          Its secret is encrypted under a key that the server does not have any more. Events wait:
          ask the operator to give the key back, or delete this webhook and create another.
        </p>
      ) : null}
      <DeadLetters webhookId={id} mayReplay={mayChange} />
      {mayChange ? <Actions id={id} url={url} /> : null}
    </li>
  );
}

const WORDS: Record<WebhookRecord['events'][number], string> = {
  ...{ drawdown: 'loss limits', profit: 'profit targets', warning: 'warnings before limits' },
  ...{
    revision: 'revised events',
    enrolment: 'enrolments',
    silence: 'silent feeds',
    return: 'feeds that return',
    clockOff: 'clocks that are off',
    clockRight: 'clocks that are right again',
    unwatched: 'lost limits',
  },
};

function State({ webhook: { failedAttempts, lastResult, locked } }: { webhook: WebhookRecord }) {
  if (locked) return <Badge tone="bad">Locked, nothing is sent</Badge>;
  if (failedAttempts > 0) {
    const times = failedAttempts === 1 ? 'once' : `${failedAttempts} times`;
    return <Badge tone="bad">Failed {times}, tries again</Badge>;
  }
  return lastResult === undefined ? (
    <Badge>Nothing sent yet</Badge>
  ) : (
    <Badge tone="good">Working</Badge>
  );
}

function Actions({ id, url }: { id: string; url: string }) {
  const deletion = useDeleteWebhook();
  const trial = useTest();
  return (
    <>
      {trial.error ? <ErrorNote error={trial.error} /> : null}
      {trial.data ? (
        <p className={`note ${trial.data.delivered ? 'note-good' : 'note-bad'}`} role="status">
          {trial.data.delivered ? 'The test was accepted: ' : 'The test was not accepted: '}
          {trial.data.result}
        </p>
      ) : null}
      <div className="row">
        <Button
          size="small"
          busy={trial.isPending}
          onClick={() => trial.mutate({ params: { id } })}
        >
          Send a test
        </Button>
        <ConfirmButton
          label={`Delete ${url}`}
          question="Delete this webhook?"
          consequence={`${url} receives no more events, and its dead letters are deleted.`}
          confirm="Delete the webhook"
          work={deletion}
          subject={{ params: { id } }}
          done={() => showToast('The webhook is deleted')}
        >
          Delete
        </ConfirmButton>
      </div>
    </>
  );
}
