import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { Overtaken } from '../components/overtaken.tsx';
import { useEdits } from '../lib/edits.ts';
import { formatLocalTime } from '../lib/format.ts';
import './inbox.css';
import { type Handling, wordsOfEntry } from './handling-words.ts';

/** The assignee of an incident and a note, below its history. */
export function IncidentDialog(props: {
  incident: IncidentRecord;
  close: () => void;
  save: (handling: Handling) => Promise<unknown>;
  busy: boolean;
  error: unknown;
}) {
  const { incident } = props;
  const { form, changed, overtaken, change, draft } = useEdits(
    { assignee: incident.assignee ?? '', note: '' },
    `incident ${incident.id}`,
  );
  const note = form.note.trim();
  const handling: Handling = {
    ...(changed.assignee === undefined ? {} : { assignee: changed.assignee.trim() }),
    ...(note === '' ? {} : { note }),
  };
  const isEmpty = Object.keys(handling).length === 0;
  const submit = (): unknown => props.save(handling).then(props.close);
  return (
    <Dialog title={`Incident ${incident.id}, ${incident.accountName}`} close={props.close}>
      <Form
        form={form}
        change={change}
        draft={draft}
        fields={[
          <History key="history" incident={incident} />,
          { name: 'note', label: 'Note', lines: 3, maxLength: 2000 },
          {
            name: 'assignee',
            label: 'Assigned to',
            hint: "A colleague's name; empty: nobody",
            maxLength: 100,
          },
        ]}
        error={props.error}
        submit={submit}
        action="Save"
        busy={props.busy}
        disabled={isEmpty}
        cancel={props.close}
      >
        <Overtaken
          fields={overtaken}
          say={() => `${incident.assignee ?? 'Nobody'} is looking after it now`}
        />
      </Form>
    </Dialog>
  );
}

/** All entries, in order. */
export function History({ incident }: { incident: IncidentRecord }) {
  const earlier = incident.entryCount - incident.entries.length;
  if (incident.entryCount === 0) return <p className="hint">Nothing has been done about it yet.</p>;
  return (
    <ul className="incident-history">
      {earlier > 0 && <li className="hint">{earlier} earlier, not shown</li>}
      {incident.entries.map((entry) => (
        <li key={entry.place}>
          <span className="number hint">{formatLocalTime(entry.at, true)}</span>{' '}
          <strong>{entry.author}</strong> {wordsOfEntry(entry)}
        </li>
      ))}
    </ul>
  );
}
