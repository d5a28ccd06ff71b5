import { type MouseEvent, memo } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { ActionChips } from '../actions/action-chips.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Middle } from '../components/middle.tsx';
import { Money } from '../components/money.tsx';
import { brokerTimeMs, formatFraction } from '../lib/format.ts';
import { useIsPast } from '../lib/now.ts';
import { path } from '../lib/path.ts';
import { ruleOf } from './arrange.ts';
import { useAsSeen } from './as-seen.ts';
import { acknowledging, type Handling, takeWords, taking } from './handling-words.ts';
import { IncidentDetails } from './incident-details.tsx';
import { VERDICTS, verdictOf, verdictOfEvent } from './verdict.ts';

export type ItemProps = {
  incident: IncidentRecord;
  isSelected: boolean;
  isNew: boolean;
  /** It left the list, and keeps its place while people are in the list. */
  isGone: boolean;
  isOpen: boolean;
  isChosen: boolean;
  mayWrite: boolean;
  /** Name of the screen's user. */
  me: string;
  /** Stable for the life of the list: items are redrawn only when they change. */
  does: {
    select: (id: number) => void;
    toggle: (id: number) => void;
    choose: (id: number, isOn: boolean, upTo: boolean) => void;
    chooseAccount: (accountId: string) => void;
    handle: (incident: IncidentRecord, handling: Handling) => void;
    annotate: (incident: IncidentRecord) => void;
  };
};

/** Until then the hour alone tells the day, whatever zone the broker's clock is of. */
const DAY_KNOWN_MS = 12 * 3_600_000;

/** Where there is little room, the hour of what is new, and the day of what is older. */
function When({ brokerTime }: { brokerTime: string }) {
  const isOld = useIsPast(brokerTimeMs(brokerTime) + DAY_KNOWN_MS);
  const [from, to] = isOld ? ['yyyy-'.length, 'yyyy-mm-dd'.length] : ['yyyy-mm-dd '.length, 16];
  return (
    <time className="number nowrap" title={`${brokerTime} broker time`}>
      <span className="incident-day">{brokerTime.slice(0, from)}</span>
      {brokerTime.slice(from, to)}
      <span className="incident-day">{brokerTime.slice(to, 16)}</span>
    </time>
  );
}

const CONTROLS = 'a, button, input, label';

/** One of hundreds, in a line that opens: most stay unchanged when one is chosen or one comes. */
export const IncidentItem = memo(function IncidentItem(props: ItemProps) {
  const { incident, isSelected, isGone, isOpen, does } = props;
  const { id, acknowledged } = incident;
  const verdict = verdictOf(incident);
  const classes = [
    'incident',
    `incident-${verdict}`,
    acknowledged || isGone ? 'incident-done' : '',
    props.isNew ? 'incident-new' : '',
    isSelected ? 'incident-selected' : '',
  ];
  const open = ({ target }: MouseEvent): void => {
    if (target instanceof Element && !target.closest(CONTROLS)) does.toggle(id);
  };
  return (
    <li
      id={`incident-${id}`}
      className={classes.join(' ')}
      tabIndex={-1}
      aria-current={isSelected ? 'true' : undefined}
      onFocus={() => does.select(id)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button at its end does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same in the whole list */}
      <div className="incident-line" onClick={open}>
        {props.mayWrite ? <Choice {...props} /> : null}
        <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].short}</Badge>
        <a className="incident-account" href={path.account(incident.accountId)}>
          <Middle text={incident.accountName} />
        </a>
        <span className="incident-rule muted">
          <Middle text={ruleOf(incident)} />
          {incident.events.length > 1 ? (
            <span className="nowrap"> and {incident.events.length - 1} more</span>
          ) : null}
        </span>
        <Amount incident={incident} />
        <When brokerTime={incident.brokerTime} />
        <span className="incident-assignee">
          {incident.actions.some(({ state }) => state === 'escalated') ? (
            <Badge tone="bad">Action not done</Badge>
          ) : null}
          {incident.assignee ? <Badge tone="accent">{incident.assignee}</Badge> : null}
        </span>
        {isGone ? (
          <span className="incident-left hint">No longer here</span>
        ) : props.mayWrite ? (
          <Acknowledge {...props} />
        ) : null}
        <button
          type="button"
          className="incident-toggle"
          aria-expanded={isOpen}
          onClick={() => does.toggle(id)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          <span className="visually-hidden">Details of incident {id}</span>
        </button>
      </div>
      {isOpen ? (
        <>
          <IncidentDetails incident={incident} />
          <ActionChips actions={incident.actions} />
          <div className="incident-actions">
            <a className="button button-quiet button-small" href={path.incident(id)}>
              Evidence<span className="visually-hidden"> of incident {id}</span>
            </a>
            {props.mayWrite && !isGone ? <Actions {...props} /> : null}
          </div>
        </>
      ) : null}
    </li>
  );
});

function Choice({ incident: { id }, isChosen, isGone, does }: ItemProps) {
  return (
    <input
      type="checkbox"
      className="incident-choice"
      aria-label={`Choose incident ${id}`}
      checked={isChosen && !isGone}
      disabled={isGone}
      onChange={({ target, nativeEvent }) =>
        does.choose(id, target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
    />
  );
}

/** By how much its first threshold was passed. */
function Amount({ incident }: { incident: IncidentRecord }) {
  const [event] = incident.events;
  if (!event) return <span className="incident-amount" />;
  const isDrawdown = event.exceededThresholdType === 'drawdown';
  const told = (
    <>
      <Money
        value={isDrawdown ? -event.absoluteDrawdown : event.absoluteProfit}
        currency={incident.currency}
        signed
      />{' '}
      <span className="incident-share muted number">
        ({formatFraction(isDrawdown ? -event.relativeDrawdown : event.relativeProfit, 2, true)})
      </span>
    </>
  );
  return (
    <span className="incident-amount nowrap">
      {verdictOfEvent(incident, event) === 'revised' ? <del>{told}</del> : told}
    </span>
  );
}

function Acknowledge({ incident, does }: ItemProps) {
  const { id, acknowledged } = incident;
  const asSeen = useAsSeen(incident, 'acknowledged');
  return (
    <Button
      size="small"
      kind={acknowledged ? 'quiet' : 'plain'}
      className="incident-acknowledge"
      title={acknowledged ? 'Open again' : 'Acknowledge'}
      onClick={({ detail, currentTarget }) => {
        // Pressed by a key: the button goes away, and the place in the list must not.
        if (detail === 0) currentTarget.closest('li')?.focus();
        const seen = asSeen();
        does.handle(seen, acknowledging(seen));
      }}
    >
      <span aria-hidden="true" className="incident-tick">
        {acknowledged ? '↺' : '✓'}
      </span>
      <span className="incident-word">{acknowledged ? 'Open again' : 'Acknowledge'}</span>
      <span className="visually-hidden"> incident {id}</span>
    </Button>
  );
}

function Actions({ incident, me, does }: ItemProps) {
  const { id, accountId } = incident;
  const asSeen = useAsSeen(incident, 'assignee');
  const about = <span className="visually-hidden"> incident {id}</span>;
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        onClick={() => {
          const seen = asSeen();
          does.handle(seen, taking(seen, me));
        }}
      >
        {takeWords(incident, me)}
        {about}
      </Button>
      <Button size="small" kind="quiet" onClick={() => does.annotate(incident)}>
        Note or assign
        {about}
      </Button>
      <Button size="small" kind="quiet" onClick={() => does.chooseAccount(accountId)}>
        Choose all of this account
      </Button>
    </>
  );
}
