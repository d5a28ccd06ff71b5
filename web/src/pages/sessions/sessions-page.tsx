import { useMutation } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Page } from '../../components/page.tsx';
import { ShownOnce } from '../../components/secret.tsx';
import { Shown } from '../../components/shown.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { linkOf } from '../../lib/sign-in-link.ts';
import { useMay } from '../../shell/use-may.ts';
import { deviceName } from './device-name.ts';
import { People } from './people.tsx';
import { type ListedSession, useEndSession, useEndSessions, useSessions } from './use-sessions.ts';

/** Where one is signed in; a session that one does not know can be ended. */
export function SessionsPage() {
  const sessions = useSessions();
  const isOwner = useMay().people;
  const endAll = useEndSessions();
  const link = useMutation({ mutationFn: () => linkOf() });
  return (
    <Page
      title="Sessions"
      lead="Where you are signed in. A session ends after seven days, and after twelve hours without use."
    >
      {link.data ? (
        <ShownOnce
          title="A link for another device"
          note="It signs one browser in, once, within ten minutes."
          secrets={{ Link: link.data }}
          close={link.reset}
        />
      ) : null}
      {isOwner ? <People /> : null}
      {link.error ? <ErrorNote error={link.error} /> : null}
      <Card
        title="Sessions"
        flush
        actions={
          <span className="actions">
            <Button busy={link.isPending} onClick={() => link.mutate()}>
              Link for another device
            </Button>
            <ConfirmButton
              question="End all your sessions?"
              consequence="You are signed out everywhere, also here. Links that were not used yet end, too."
              confirm="End all"
              work={endAll}
              subject={undefined}
            >
              End all
            </ConfirmButton>
          </span>
        }
      >
        <Shown
          read={sessions}
          what="sessions"
          isInset
          empty={<Empty title="No session">Nobody is signed in.</Empty>}
        >
          {(rows) => (
            <Table caption="Sessions" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
          )}
        </Shown>
      </Card>
    </Page>
  );
}

const COLUMNS: Column<ListedSession>[] = [
  { title: 'Who', cell: ({ name }) => name ?? '' },
  {
    title: 'Device',
    cell: ({ device, isCurrent }) => (
      <>
        {deviceName(device)} {isCurrent ? <Badge tone="plain">this one</Badge> : null}
      </>
    ),
  },
  {
    title: 'Last used (your time)',
    cell: ({ lastUsedAt }) => <span className="number nowrap">{formatLocalTime(lastUsedAt)}</span>,
  },
  { title: 'From', wide: true, cell: ({ lastUsedFrom }) => lastUsedFrom },
  {
    title: 'Began (your time)',
    wide: true,
    cell: ({ startedAt }) => <span className="number nowrap">{formatLocalTime(startedAt)}</span>,
  },
  {
    title: 'Action',
    cell: (session) => (session.isCurrent ? null : <EndSession session={session} />),
  },
];

function EndSession({ session }: { session: ListedSession }) {
  const end = useEndSession();
  const name = deviceName(session.device);
  return (
    <ConfirmButton
      label={`End ${name}`}
      question={`End the session in ${name}?`}
      consequence="Whoever uses it is signed out at the next request."
      confirm="End it"
      work={end}
      subject={session.id}
    >
      End
    </ConfirmButton>
  );
}
