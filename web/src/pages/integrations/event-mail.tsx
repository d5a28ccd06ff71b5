import type { FormEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { showToast } from '../../components/toast.tsx';
import { useEdits } from '../../lib/edits.ts';
import { useMay } from '../../shell/use-may.ts';
import { type EventMail, useEventMail, useSetEventMail } from './use-event-mail.ts';

const KINDS = [
  { kind: 'breaches', title: 'Broken limits', hint: 'Loss limits that were exceeded' },
  { kind: 'warnings', title: 'Warnings', hint: 'Limits that are close, feeds that fell silent' },
] as const;
const CHOICES: readonly { value: EventMail['breaches']; title: string }[] = [
  { value: 'off', title: 'No mail' },
  { value: 'immediate', title: 'At once, at most one mail a minute' },
  { value: 'digest', title: 'Once a day, after midnight UTC' },
];

/** Which events the user has mailed: none, until they ask. */
export function EventMailCard() {
  const { data, error, refetch } = useEventMail();
  return (
    <Card
      title="Limits by e-mail"
      hint="To the address of this user. Nothing is mailed until you choose it"
    >
      {error ? (
        <ErrorNote error={error} retry={refetch} />
      ) : data ? (
        <EventMailForm stored={data} />
      ) : (
        <Loading label="Loading what is mailed" />
      )}
    </Card>
  );
}

function EventMailForm({ stored }: { stored: EventMail }) {
  const { write } = useMay();
  const { form, changed, change, drop } = useEdits(stored);
  const save = useSetEventMail();
  const isChanged = Object.keys(changed).length > 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await save.mutateAsync(changed);
    drop();
    showToast('Saved. It applies from now on');
  };
  return (
    // A failure is in `save.error`.
    <form
      className="form"
      onSubmit={(event) => void submit(event).catch(() => undefined)}
      noValidate
    >
      <div className="fields">
        {KINDS.map(({ kind, title, hint }) => (
          <Field key={kind} label={title} hint={hint}>
            {(control) => (
              <select
                {...control}
                disabled={!write}
                value={form[kind]}
                onChange={({ target }) => {
                  const choice = CHOICES.find(({ value }) => value === target.value);
                  if (choice) change({ [kind]: choice.value });
                }}
              >
                {CHOICES.map(({ value, title: words }) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
      {save.error ? <ErrorNote title="Not saved." error={save.error} /> : null}
      {isChanged ? (
        <div className="form-buttons">
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save what is mailed
          </Button>
          <Button kind="quiet" onClick={drop}>
            Leave it as it was
          </Button>
        </div>
      ) : null}
    </form>
  );
}
