import type {
  readEventMailOperation,
  setEventMailOperation,
} from '../../../../src/contract/operations/event-mail.ts';
import { Card } from '../../components/card.tsx';
import type { Option } from '../../components/choice-field.tsx';
import { Form } from '../../components/form.tsx';
import { Shown } from '../../components/shown.tsx';
import { showToast } from '../../components/toast.tsx';
import type { Answer } from '../../lib/api.ts';
import { useEdits } from '../../lib/edits.ts';
import { useChange, useRead } from '../../lib/use-operation.ts';
import { useMay } from '../../shell/use-may.ts';

const KINDS = [
  { name: 'breaches', label: 'Broken limits', hint: 'Loss limits that were exceeded' },
  {
    name: 'warnings',
    label: 'Warnings',
    hint: 'Limits that are close, silent feeds, wrong clocks',
  },
] as const;
const CHOICES: readonly Option<EventMail['breaches']>[] = [
  { value: 'off', title: 'No e-mail' },
  { value: 'immediate', title: 'At once, at most one e-mail a minute' },
  { value: 'digest', title: 'Once a day, after midnight UTC' },
];

/** The user's mailed events: none by default. */
export function EventMailCard() {
  const stored = useEventMail();
  return (
    <Card
      title="Limits by e-mail"
      hint="To the address of this user. No e-mail is sent until you choose one"
    >
      <Shown read={stored} what="e-mail settings">
        {(data) => <EventMailForm stored={data} />}
      </Shown>
    </Card>
  );
}

function EventMailForm({ stored }: { stored: EventMail }) {
  const { write } = useMay();
  const { form, changed, change, drop } = useEdits(stored);
  const save = useSetEventMail();
  const isChanged = Object.keys(changed).length > 0;
  const isAsked = isChanged || save.error !== null;
  const submit = async (): Promise<void> => {
    await save.mutateAsync({ body: changed });
    drop();
    showToast('Saved. It applies from now on');
  };
  return (
    <Form
      form={form}
      change={change}
      fields={KINDS.map((row) => ({ ...row, options: CHOICES, disabled: !write }))}
      error={save.error}
      submit={submit}
      action={isAsked && 'Save e-mail settings'}
      busy={save.isPending}
      disabled={!isChanged}
      cancel={isAsked && drop}
      cancelWords="Discard changes"
    />
  );
}

const PATH = '/users/current/event-mail' as const;
const KEY = ['event-mail'];

type EventMail = Answer<typeof readEventMailOperation>;

const useEventMail = () => useRead<typeof readEventMailOperation>(KEY, `GET ${PATH}`, {});

const useSetEventMail = () => useChange<typeof setEventMailOperation>(`PUT ${PATH}`, KEY);
