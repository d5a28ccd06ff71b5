import { useState } from 'react';
import { ROLES } from '../../../../src/words/roles.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form } from '../../components/form.tsx';
import { ShownOnce } from '../../components/secret.tsx';
import { Shown } from '../../components/shown.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useTyped } from '../../lib/edits.ts';
import {
  type Person,
  useChangePerson,
  useInvite,
  useInviteAgain,
  usePeople,
  useRemovePerson,
} from './use-people.ts';

type Made = { code: string; isMailed: boolean };

const TITLES: Record<Person['role'], string> = {
  viewer: 'Viewer: reads',
  trader: 'Trader: reads, only the accounts below',
  risk: 'Risk: reads, writes, runs actions',
  backOffice: 'Back office: reads, writes, sends data',
  owner: 'Owner: all of these, and people',
};

/** Who shares the user's accounts, for its owners. */
export function People() {
  const people = usePeople();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made>();
  const [changing, setChanging] = useState<Person>();
  const show = (made: Made): void => {
    setAdding(false);
    setMade(made);
  };
  return (
    <>
      {made === undefined ? null : (
        <ShownOnce
          title="The invitation"
          note={`${made.isMailed ? 'It is on its way by mail, too.' : 'Send it to the person.'} It signs one browser in, once, within three days, and is shown only now.`}
          secrets={{ Link: `${location.origin}/#code=${made.code}` }}
          close={() => setMade(undefined)}
        />
      )}
      {changing ? (
        <RoleCard key={changing.id} person={changing} close={() => setChanging(undefined)} />
      ) : null}
      {isAdding ? <InvitationCard show={show} close={() => setAdding(false)} /> : null}
      <Card
        title="People"
        hint="Who shares these accounts, each with a role."
        flush
        actions={isAdding ? null : <Button onClick={() => setAdding(true)}>Invite</Button>}
      >
        <Shown
          read={people}
          what="people"
          isInset
          empty={<Empty title="Nobody yet">Invite those who work with these accounts.</Empty>}
        >
          {(rows) => (
            <Table
              caption="People"
              columns={columnsOf(show, setChanging)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}

/** What both forms ask for. */
const RIGHTS = [
  {
    name: 'role',
    label: 'Role',
    options: ROLES.map((value) => ({ value, title: TITLES[value] })),
  },
  {
    name: 'accounts',
    label: 'Accounts of a trader',
    parameter: 'accountIds',
    hint: 'Ids, separated by commas',
  },
] as const;

function rightsOf({ role, accounts }: { role: string; accounts: string }) {
  const accountIds = accounts.split(/[\s,]+/).filter(Boolean);
  return {
    role: ROLES.find((each) => each === role) ?? 'viewer',
    ...(accountIds.length > 0 ? { accountIds } : {}),
  };
}

function InvitationCard(props: { show: (made: Made) => void; close: () => void }) {
  const typed = useTyped({ name: '', email: '', role: 'viewer', accounts: '' });
  const invite = useInvite();
  const submit = async (): Promise<void> => {
    const { name, email, ...rights } = typed.form;
    await invite
      .mutateAsync({ name: name.trim(), email: email.trim(), ...rightsOf(rights) })
      .then(props.show, () => undefined);
  };
  return (
    <Card title="Invite a person">
      <Form
        {...typed}
        fields={[
          { name: 'name', label: 'Name', required: true },
          { name: 'email', label: 'E-mail address', required: true },
          ...RIGHTS,
        ]}
        error={invite.error}
        submit={submit}
        action="Invite"
        busy={invite.isPending}
        cancel={props.close}
      />
    </Card>
  );
}

function RoleCard({ person, close }: { person: Person; close: () => void }) {
  const { id, name, role, accountIds = [], version } = person;
  const typed = useTyped({ role: role as string, accounts: accountIds.join(', ') });
  const change = useChangePerson();
  const submit = (): Promise<void> =>
    change.mutateAsync({ id, version, ...rightsOf(typed.form) }).then(close, () => undefined);
  return (
    <Card
      title={`Role of ${name}`}
      hint="Running sessions have it at once. Tokens that the person made and that may do more are revoked."
    >
      <Form
        {...typed}
        fields={[...RIGHTS]}
        error={change.error}
        submit={submit}
        action="Save"
        busy={change.isPending}
        cancel={close}
      />
    </Card>
  );
}

const columnsOf = (
  show: (made: Made) => void,
  change: (person: Person) => void,
): Column<Person>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'E-mail', wide: true, cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => <Badge tone="plain">{role}</Badge> },
  {
    title: 'Accounts',
    wide: true,
    cell: ({ accountIds }) => (accountIds ? `only ${accountIds.join(', ')}` : 'all'),
  },
  {
    title: 'Action',
    cell: (person) => <PersonActions person={person} show={show} change={change} />,
  },
];

function PersonActions(props: {
  person: Person;
  show: (made: Made) => void;
  change: (person: Person) => void;
}) {
  const { id, name } = props.person;
  const again = useInviteAgain();
  const remove = useRemovePerson();
  return (
    <span className="actions">
      <Button aria-label={`Role of ${name}`} onClick={() => props.change(props.person)}>
        Role
      </Button>
      <ConfirmButton
        label={`Invite ${name} again`}
        question={`Invite ${name} again?`}
        consequence="You get a link that signs one more browser in as this person."
        confirm="Make a link"
        kind="plain"
        work={again}
        subject={id}
        done={props.show}
      >
        Invite again
      </ConfirmButton>
      <ConfirmButton
        label={`Remove ${name}`}
        question={`Remove ${name}?`}
        consequence="The person is signed out everywhere. What the person did stays in the audit."
        choice={{
          words: 'With all tokens that the person made, and people that the person invited',
          subject: { id, withMade: true },
        }}
        confirm="Remove the person"
        work={remove}
        subject={{ id, withMade: false }}
      >
        Remove
      </ConfirmButton>
    </span>
  );
}
