import { memo } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { ActionChips } from '../actions/action-chips.tsx';
import { Badge } from '../components/badge.tsx';
import { BrokerTime } from '../components/broker-time.tsx';
import { Button } from '../components/button.tsx';
import { Money } from '../components/money.tsx';
import { TrackerLink } from '../components/tracker-link.tsx';
import { formatFraction, formatLocalTime } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { RevisionLine } from './revision-line.tsx';
import type { Handling } from './use-incidents.ts';
import { revisionsOf, VERDICTS, verdictOf, verdictOfEvent } from './verdict.ts';

type Props = {
  incident: IncidentRecord;
  isSelected: boolean;
  isNew: boolean;
  mayWrite: boolean;
  /** Name of the screen's user. */
  me: string;
  /** Stable for the life of the list: items are redrawn only when they change. */
  select: (id: number) => void;
  handle: (handling: Handling & { ids: number[] }) => void;
  annotate: (incident: IncidentRecord) => void;
};

/** One of hundreds: most stay unchanged when one is chosen or a new one comes. */
export const IncidentItem = memo(function IncidentItem(props: Props) {
  const { incident, isSelected } = props;
  const { id, acknowledged, accountId } = incident;
  const classes = [
    'incident',
    `incident-${verdictOf(incident)}`,
    acknowledged ? 'incident-done' : '',
    props.isNew ? 'incident-new' : '',
    isSelected ? 'incident-selected' : '',
  ];
  return (
    <li
      id={`incident-${id}`}
      className={classes.join(' ')}
      tabIndex={-1}
      aria-current={isSelected ? 'true' : undefined}
      onFocus={() => props.select(id)}
    >
      <div className="incident-head">
        <a className="incident-account" href={path.account(accountId)}>
          {incident.accountName}
        </a>
        <span className="hint">{incident.login}</span>
        <BrokerTime value={incident.brokerTime} seconds />
      </div>
      <Exceeded incident={incident} />
      <ActionChips actions={incident.actions} />
      <Handled incident={incident} />
      <div className="incident-actions">
        <a className="button button-quiet button-small" href={path.incident(id)}>
          Evidence<span className="visually-hidden"> of incident {id}</span>
        </a>
        {props.mayWrite ? <Actions {...props} /> : null}
      </div>
    </li>
  );
});

function Exceeded({ incident }: { incident: IncidentRecord }) {
  return (
    <ul className="incident-events">
      {incident.events.map((event) => {
        const isDrawdown = event.exceededThresholdType === 'drawdown';
        const amount = isDrawdown ? -event.absoluteDrawdown : event.absoluteProfit;
        const part = isDrawdown ? -event.relativeDrawdown : event.relativeProfit;
        const verdict = verdictOfEvent(incident, event);
        const { short, tone } = VERDICTS[verdict];
        const newest = revisionsOf(incident, event).at(-1);
        const told = (
          <>
            <Money value={amount} currency={incident.currency} signed />{' '}
            <span className="muted number">({formatFraction(part, 2, true)})</span>
          </>
        );
        return (
          <li key={event.sequenceNumber}>
            <Badge tone={tone}>{short}</Badge>
            <TrackerLink
              accountId={incident.accountId}
              trackerId={event.trackerId}
              name={event.trackerName}
            />
            <span className="incident-amount nowrap">
              {verdict === 'revised' ? <del>{told}</del> : told}
            </span>
            {newest ? (
              <span className="incident-revision hint">
                <RevisionLine revision={newest} isLoss={isDrawdown} currency={incident.currency} />
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** Its assignee, and the last entry. */
function Handled({ incident }: { incident: IncidentRecord }) {
  const { assignee, entries } = incident;
  const done = entries.findLast(({ kind }) => kind === 'acknowledged' || kind === 'reopened');
  const note = entries.findLast(({ kind }) => kind === 'noted');
  if (!assignee && !done && !note) return null;
  return (
    <div className="incident-handled hint">
      {assignee ? <Badge tone="accent">{assignee}</Badge> : null}
      {done?.kind === 'acknowledged' && incident.acknowledged ? (
        <span>
          Acknowledged by {done.author}, {formatLocalTime(done.at)} your time
        </span>
      ) : null}
      {done?.kind === 'acknowledged' && !incident.acknowledged ? (
        <span>Acknowledged by {done.author}, and opened again by the revision</span>
      ) : null}
      {note ? (
        <span className="incident-note">
          “{note.words}” ({note.author})
        </span>
      ) : null}
    </div>
  );
}

function Actions({ incident, me, handle, annotate }: Props) {
  const { id, acknowledged, assignee } = incident;
  const isMine = assignee === me;
  const about = <span className="visually-hidden"> incident {id}</span>;
  return (
    <>
      <Button
        size="small"
        kind={acknowledged ? 'quiet' : 'plain'}
        onClick={() => handle({ ids: [id], acknowledged: !acknowledged })}
      >
        {acknowledged ? 'Open again' : 'Acknowledge'}
        {about}
      </Button>
      <Button
        size="small"
        kind="quiet"
        onClick={() => handle({ ids: [id], assignee: isMine ? '' : me })}
      >
        {isMine ? 'Give back' : 'Take'}
        {about}
      </Button>
      <Button size="small" kind="quiet" onClick={() => annotate(incident)}>
        Note or assign
        {about}
      </Button>
    </>
  );
}
