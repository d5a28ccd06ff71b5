import { Card } from '../../components/card.tsx';
import { ChoiceField, type Option } from '../../components/choice-field.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Form } from '../../components/form.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { Loading } from '../../components/loading.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits } from '../../lib/edits.ts';
import { useMay } from '../../shell/use-may.ts';
import { type EventMail, useEventMail, useSetEventMail } from './use-event-mail.ts';

const KINDS = [
  { kind: 'breaches', title: 'Broken limits', hint: 'Loss limits that were exceeded' },
  {
    kind: 'warnings',
    title: 'Warnings',
    hint: 'Limits that are close, silent feeds, wrong clocks',
  },
] as const;
const CHOICES: readonly Option<EventMail['breaches']>[] = [
  { value: 'off', title: 'No e-mail' },
  { value: 'immediate', title: 'At once, at most one e-mail a minute' },
  { value: 'digest', title: 'Once a day, after midnight UTC' },
];

/** Which events the user has mailed: none, until they ask. */
export function EventMailCard() {
  const { data, error, refetch } = useEventMail();
  return (
    <Card
      title="Limits by e-mail"
      hint="To the address of this user. No e-mail is sent until you choose one"
    >
      {error ? (
        <ErrorNote error={error} retry={refetch} />
      ) : data ? (
        <EventMailForm stored={data} />
      ) : (
        <Loading label="Loading e-mail settings" />
      )}
    </Card>
  );
}

function EventMailForm({ stored }: { stored: EventMail }) {
  const { write } = useMay();
  const { form, changed, change, drop } = useEdits(stored);
  const save = useSetEventMail();
  const isChanged = Object.keys(changed).length > 0;
  const submit = async (): Promise<void> => {
    await save.mutateAsync(changed);
    drop();
    showToast('Saved. It applies from now on');
  };
  return (
    <Form error={save.error} submit={submit}>
      <div className="fields">
        {KINDS.map(({ kind, title, hint }) => (
          <ChoiceField
            key={kind}
            label={title}
            hint={hint}
            options={CHOICES}
            disabled={!write}
            value={form[kind]}
            choose={(choice) => change({ [kind]: choice })}
          />
        ))}
      </div>
      {isChanged || save.error ? (
        <FormEnd
          action="Save e-mail settings"
          busy={save.isPending}
          disabled={!isChanged}
          cancel={drop}
          cancelWords="Discard changes"
        />
      ) : null}
    </Form>
  );
}
