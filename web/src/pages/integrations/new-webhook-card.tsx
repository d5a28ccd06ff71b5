import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { Secret } from '../../components/secret.tsx';
import { faultOf, isOutcomeUnknown } from '../../lib/faults.ts';
import { DELIVERY_WORDS } from './delivery-words.ts';
import { useCreateWebhook } from './use-webhooks.ts';

const PARAMETERS = ['url', 'events', 'delivery'];
const CHOICES = [
  { value: 'all', title: 'All kinds', events: undefined },
  { value: 'exceeded', title: 'Loss limits and profit targets', events: ['drawdown', 'profit'] },
  { value: 'drawdown', title: 'Loss limits only', events: ['drawdown'] },
  { value: 'near', title: 'Loss limits, and warnings before', events: ['drawdown', 'warning'] },
  { value: 'profit', title: 'Profit targets only', events: ['profit'] },
  { value: 'enrolment', title: 'Changes of enrolments only', events: ['enrolment'] },
] as const;

export function NewWebhookCard({ close }: { close: () => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<(typeof CHOICES)[number]['value']>('all');
  const [delivery, setDelivery] = useState<keyof typeof DELIVERY_WORDS>('single');
  const creation = useCreateWebhook();
  const { error } = creation;
  if (creation.data) return <MadeWebhook secret={creation.data.secret} close={close} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const kinds = CHOICES.find(({ value }) => value === events)?.events;
    creation.mutate({ url: url.trim(), delivery, ...(kinds ? { events: [...kinds] } : {}) });
  };
  return (
    <Card title="New webhook">
      <form className="form" onSubmit={submit} noValidate>
        <div className="fields">
          <Field
            label="Address"
            hint="Each event is posted there as JSON, signed"
            error={faultOf(error, 'url', 'Address')}
          >
            {(control) => (
              <input
                {...control}
                type="url"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder="https://"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
              />
            )}
          </Field>
          <Field label="Events" error={faultOf(error, 'events', 'Events')}>
            {(control) => (
              <select
                {...control}
                value={events}
                onChange={({ target }) =>
                  setEvents(CHOICES.find(({ value }) => value === target.value)?.value ?? 'all')
                }
              >
                {CHOICES.map(({ value, title }) => (
                  <option key={value} value={value}>
                    {title}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Delivery" error={faultOf(error, 'delivery', 'Delivery')}>
            {(control) => (
              <select
                {...control}
                value={delivery}
                onChange={({ target }) => setDelivery(target.value as typeof delivery)}
              >
                {Object.entries(DELIVERY_WORDS).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <FormError error={error} parameters={PARAMETERS} />
        {isOutcomeUnknown(error) ? (
          <p className="hint">
            If it is in the list below, nobody has seen its key: delete it and create another.
          </p>
        ) : null}
        <div className="form-buttons">
          <Button kind="primary" type="submit" busy={creation.isPending}>
            Create webhook
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
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
