import { type FormEvent, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { FormError } from '../components/form-error.tsx';
import { Overtaken } from '../components/overtaken.tsx';
import { useEdits } from '../lib/edits.ts';
import { faultOf } from '../lib/faults.ts';
import { formatLocalTime } from '../lib/format.ts';
import './inbox.css';
import type { Handling } from './use-incidents.ts';

const WORDS = {
  acknowledged: 'acknowledged it',
  reopened: 'opened it again',
  assigned: 'assigned it to',
  noted: 'noted',
};

/** Who looks after an incident, and words about it, under all that was done so far. */
export function IncidentDialog(props: {
  incident: IncidentRecord;
  close: () => void;
  save: (handling: Handling) => Promise<void>;
  busy: boolean;
  error: unknown;
}) {
  const { incident, error } = props;
  const { form, changed, overtaken, change } = useEdits({ assignee: incident.assignee ?? '' });
  const [note, setNote] = useState('');
  const handling: Handling = {
    ...(changed.assignee === undefined ? {} : { assignee: changed.assignee.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
  const isEmpty = Object.keys(handling).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) props.save(handling).then(props.close, () => undefined);
  };
  return (
    <Dialog title={`Incident ${incident.id}, ${incident.accountName}`} close={props.close}>
      <form className="form" onSubmit={submit}>
        <History incident={incident} />
        <Field label="Note" error={faultOf(error, 'note', 'The note')}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={2000}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Assigned to"
          hint="A colleague's name; empty: nobody"
          error={faultOf(error, 'assignee', 'The name')}
        >
          {(control) => (
            <input
              {...control}
              maxLength={100}
              value={form.assignee}
              onChange={({ target }) => change({ assignee: target.value })}
            />
          )}
        </Field>
        <Overtaken
          fields={overtaken}
          say={() => `${incident.assignee ?? 'Nobody'} is looking after it now`}
        />
        <FormError error={error} parameters={['assignee', 'note']} />
        <div className="form-buttons">
          <Button kind="primary" type="submit" busy={props.busy} disabled={isEmpty}>
            Save
          </Button>
          <Button onClick={props.close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** All that was done, in order. */
export function History({ incident }: { incident: IncidentRecord }) {
  if (incident.entries.length === 0) return <p className="hint">Nothing was done about it yet.</p>;
  return (
    <ul className="incident-history">
      {incident.entries.map(({ at, author, kind, words }) => (
        <li key={`${at} ${kind} ${words}`}>
          <span className="number hint">{formatLocalTime(at, true)}</span> <strong>{author}</strong>{' '}
          {kind === 'assigned' && words === undefined ? 'gave it back' : WORDS[kind]}
          {words === undefined ? '' : kind === 'assigned' ? ` ${words}` : `: ${words}`}
        </li>
      ))}
    </ul>
  );
}
