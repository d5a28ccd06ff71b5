import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Badge } from '../components/badge.tsx';
import { BrokerTime } from '../components/broker-time.tsx';
import { Money } from '../components/money.tsx';
import { TrackerLink } from '../components/tracker-link.tsx';
import { formatFraction, formatLocalTime } from '../lib/format.ts';
import { RevisionLine } from './revision-line.tsx';
import { revisionsOf, VERDICTS, verdictOfEvent } from './verdict.ts';

/** What the line of an incident leaves out: each of its thresholds, and what was done. */
export function IncidentDetails({ incident }: { incident: IncidentRecord }) {
  return (
    <>
      <p className="hint">
        {incident.accountName}, account {incident.login},{' '}
        <BrokerTime value={incident.brokerTime} seconds />
      </p>
      <Exceeded incident={incident} />
      <Handled incident={incident} />
    </>
  );
}

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
            <span className="incident-passed nowrap">
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

/** The last of what was done. */
function Handled({ incident }: { incident: IncidentRecord }) {
  const { entries } = incident;
  const done = entries.findLast(({ kind }) => kind === 'acknowledged' || kind === 'reopened');
  const note = entries.findLast(({ kind }) => kind === 'noted');
  if (!done && !note) return null;
  return (
    <div className="incident-handled hint">
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
