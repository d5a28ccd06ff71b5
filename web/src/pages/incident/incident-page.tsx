import { useState } from 'react';
import type {
  IncidentRecord,
  readIncidentOperation,
} from '../../../../src/contract/operations/incidents.ts';
import { ActionList } from '../../actions/action-list.tsx';
import { Badge } from '../../components/badge.tsx';
import { BrokerTime } from '../../components/broker-time.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { NotThere } from '../../components/not-there.tsx';
import { Page } from '../../components/page.tsx';
import { useAsSeen } from '../../desk/as-seen.ts';
import { acknowledging, takeWords, taking } from '../../desk/handling-words.ts';
import { History, IncidentDialog } from '../../desk/incident-dialog.tsx';
import { OvertakenDialog } from '../../desk/overtaken-dialog.tsx';
import { useActs } from '../../desk/use-acts.ts';
import { VERDICTS, verdictOf } from '../../desk/verdict.ts';
import { lazily } from '../../lib/lazily.tsx';
import { unlessTold } from '../../lib/live.ts';
import { path } from '../../lib/path.ts';
import { useCurrentToken } from '../../shell/use-current-token.ts';
import { useMay } from '../../shell/use-may.ts';
import './incident.css';
import { useRead } from '../../lib/use-operation.ts';
import { RuleBooks } from './rule-book.tsx';

const EvidenceCard = lazily(
  async () => (await import('./evidence-card.tsx')).EvidenceCard,
  () => <Loading label="Loading the evidence" height={360} />,
);

const REFRESH_MS = 10_000;

/** The case file of an incident: its evidence, and its handling. */
export function IncidentPage({ id = '' }: { id?: string }) {
  const read = useRead<typeof readIncidentOperation>(
    ['incidents', 'one', id],
    'GET /users/current/incidents/:id',
    { params: { id } },
    { refetchInterval: unlessTold(REFRESH_MS) },
  );
  if (read.data) return <Incident incident={read.data} />;
  return (
    <Page title="Incident">
      <NotThere what="incident" read={read} action={<a href={path.risk()}>To the desk</a>}>
        Its account was deleted, it belongs to another user, or the event of that number is of
        another kind.
      </NotThere>
    </Page>
  );
}

function Incident({ incident }: { incident: IncidentRecord }) {
  const { id, accountId, accountName, login } = incident;
  const verdict = verdictOf(incident);
  return (
    <Page
      title={`Incident ${id}`}
      lead={
        <span className="row">
          <a href={path.account(accountId)}>{accountName}</a>
          <span>{login}</span>
          <BrokerTime value={incident.brokerTime} seconds />
          <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].title}</Badge>
          <Badge tone={incident.acknowledged ? 'plain' : 'bad'}>
            {incident.acknowledged ? 'Acknowledged' : 'Open'}
          </Badge>
        </span>
      }
      actions={
        <Button className="no-print" onClick={() => print()}>
          Print
        </Button>
      }
    >
      <Handling incident={incident} />
      <ErrorBoundary isPart>
        {incident.events.map((event) => (
          <EvidenceCard key={event.sequenceNumber} incident={incident} event={event} />
        ))}
      </ErrorBoundary>
      <RuleBooks incident={incident} />
      {incident.actions.length > 0 ? (
        <Card title="Done on the platform" hint="Actions that the tracker triggered">
          <ActionList label="Actions of this incident" actions={incident.actions} />
        </Card>
      ) : null}
    </Page>
  );
}

function Handling({ incident }: { incident: IncidentRecord }) {
  const { acknowledged, assignee } = incident;
  const may = useMay();
  const me = useCurrentToken()?.name ?? '';
  const acts = useActs();
  const toAcknowledge = useAsSeen(incident, 'acknowledged');
  const toAssign = useAsSeen(incident, 'assignee');
  const acknowledge = (seen: IncidentRecord): void =>
    acts.act({ seen: [seen], handling: acknowledging(seen) });
  const assign = (seen: IncidentRecord): void =>
    acts.act({ seen: [seen], handling: taking(seen, me) });
  const [isEditing, setEditing] = useState(false);
  return (
    <Card
      title="What was done"
      hint="Times are yours. The audit has it too."
      actions={
        may.write ? (
          <span className="row no-print">
            <Button
              kind={acknowledged ? 'plain' : 'primary'}
              busy={acts.isPending}
              onClick={() => acknowledge(toAcknowledge())}
            >
              {acknowledged ? 'Open again' : 'Acknowledge'}
            </Button>
            <Button onClick={() => assign(toAssign())}>{takeWords(incident, me)}</Button>
            <Button onClick={() => setEditing(true)}>Note or assign</Button>
          </span>
        ) : null
      }
    >
      {acts.error ? <ErrorNote title="Not done." error={acts.error} /> : null}
      {assignee ? (
        <p>
          Assigned to <strong>{assignee}</strong>
        </p>
      ) : null}
      <History incident={incident} />
      {isEditing ? (
        <IncidentDialog
          incident={incident}
          close={() => setEditing(false)}
          save={(handling) => acts.mutateAsync({ seen: [incident], handling })}
          busy={acts.isPending}
          error={acts.error}
        />
      ) : null}
      <OvertakenDialog acts={acts} goOn={() => setEditing(false)} />
    </Card>
  );
}
