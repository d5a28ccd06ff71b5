import { useEffect, useRef, useState } from 'react';
import { THRESHOLD_TYPES } from '../../../../src/words/trackers.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ChoiceField, optionsOf } from '../../components/choice-field.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Secret } from '../../components/secret.tsx';
import { TextField } from '../../components/text-field.tsx';
import { isOutcomeUnknown } from '../../lib/faults.ts';
import { DELIVERY_WORDS } from './delivery-words.ts';
import { useCreateWebhook } from './use-webhooks.ts';

const CHOICES = [
  { value: 'all', title: 'All kinds', events: undefined },
  {
    value: 'exceeded',
    title: 'Loss limits and profit targets',
    events: [...THRESHOLD_TYPES, 'revision'],
  },
  { value: 'drawdown', title: 'Loss limits only', events: ['drawdown', 'revision'] },
  {
    value: 'near',
    title: 'Loss limits, and warnings before',
    events: ['drawdown', 'warning', 'revision'],
  },
  { value: 'profit', title: 'Profit targets only', events: ['profit', 'revision'] },
  { value: 'enrolment', title: 'Changes of enrolments only', events: ['enrolment'] },
] as const;

export function NewWebhookCard({ close }: { close: () => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<(typeof CHOICES)[number]['value']>('all');
  const [delivery, setDelivery] = useState<keyof typeof DELIVERY_WORDS>('single');
  const creation = useCreateWebhook();
  if (creation.data) return <MadeWebhook secret={creation.data.secret} close={close} />;
  const submit = (): void => {
    const kinds = CHOICES.find(({ value }) => value === events)?.events;
    creation.mutate({ url: url.trim(), delivery, ...(kinds ? { events: [...kinds] } : {}) });
  };
  return (
    <Card title="New webhook">
      <Form error={creation.error} submit={submit}>
        <div className="fields">
          <TextField
            label="Address"
            parameter="url"
            hint="Each event is posted there as JSON, signed"
            type="url"
            placeholder="https://"
            text={url}
            change={setUrl}
          />
          <ChoiceField
            label="Events"
            parameter="events"
            hint="With limits and targets comes what revises their events"
            options={CHOICES}
            value={events}
            choose={setEvents}
          />
          <ChoiceField
            label="Delivery"
            parameter="delivery"
            options={optionsOf(DELIVERY_WORDS)}
            value={delivery}
            choose={setDelivery}
          />
        </div>
        <FormEnd action="Create webhook" busy={creation.isPending} cancel={close}>
          {isOutcomeUnknown(creation.error) ? (
            <p className="hint">
              If it is in the list below, nobody has seen its key: delete it and create another.
            </p>
          ) : null}
        </FormEnd>
      </Form>
    </Card>
  );
}

function MadeWebhook({ secret, close }: { secret: string; close: () => void }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <Card title="The new webhook">
      <div className="stack">
        <p ref={note} tabIndex={-1} className="note note-warn" role="status">
          Copy the key now: it is shown only once. It signs the deliveries.
        </p>
        <Secret label="Key" value={secret} />
        <div className="row">
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Card>
  );
}
