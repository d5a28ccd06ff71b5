import { THRESHOLD_TYPES } from '../../../../src/words/trackers.ts';
import { Card } from '../../components/card.tsx';
import { optionsOf } from '../../components/choice-field.tsx';
import { Form } from '../../components/form.tsx';
import { ShownOnce } from '../../components/secret.tsx';
import { useTyped } from '../../lib/edits.ts';
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

type WebhookForm = {
  url: string;
  events: (typeof CHOICES)[number]['value'];
  delivery: keyof typeof DELIVERY_WORDS;
};

export function NewWebhookCard({ close }: { close: () => void }) {
  const typed = useTyped<WebhookForm>({ url: '', events: 'all', delivery: 'single' });
  const creation = useCreateWebhook();
  if (creation.data)
    return (
      <ShownOnce
        title="The new webhook"
        note="Copy the key now: it is shown only once. It signs the deliveries."
        secrets={{ Key: creation.data.secret }}
        close={close}
      />
    );
  const submit = (): void => {
    const { url, events, delivery } = typed.form;
    const kinds = CHOICES.find(({ value }) => value === events)?.events;
    const body = { url: url.trim(), delivery, ...(kinds ? { events: [...kinds] } : {}) };
    creation.mutate({ body });
  };
  return (
    <Card title="New webhook">
      <Form
        {...typed}
        fields={[
          {
            name: 'url',
            label: 'Address',
            hint: 'Each event is posted there as JSON, signed',
            type: 'url',
            placeholder: 'https://',
          },
          {
            name: 'events',
            label: 'Events',
            hint: 'With limits and targets comes what revises their events',
            options: CHOICES,
          },
          { name: 'delivery', label: 'Delivery', options: optionsOf(DELIVERY_WORDS) },
        ]}
        error={creation.error}
        submit={submit}
        action="Create webhook"
        busy={creation.isPending}
        cancel={close}
      >
        {isOutcomeUnknown(creation.error) ? (
          <p className="hint">
            If it is in the list below, nobody has seen its key: delete it and create another.
          </p>
        ) : null}
      </Form>
    </Card>
  );
}
