import { Fragment, useMemo, useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { undoNewest } from '../components/toast.tsx';
import { formatNumber } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { useMay } from '../shell/use-may.ts';
import { headingOf, type Order } from './arrange.ts';
import { acknowledging, taking } from './handling-words.ts';
import { IncidentItem, type ItemProps } from './incident-item.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

type Props = {
  /** A different list starts from scratch: nothing in it is new. */
  list: string;
  order: Order;
  /** Undefined while they are being loaded. */
  incidents: readonly IncidentRecord[] | undefined;
  /** So many are drawn, from the first on. */
  drawn: number;
  isGone: (incident: IncidentRecord) => boolean;
  chosen: ReadonlySet<number>;
  choose: ItemProps['does']['choose'];
  set: (ids: readonly number[], isOn: boolean) => void;
  handle: ItemProps['does']['handle'];
  annotate: ItemProps['does']['annotate'];
  take: () => void;
  me: string;
};

/** Incidents browsed by pointer or by keys. */
export function IncidentList(props: Props) {
  const { order, chosen, me, isGone } = props;
  const incidents = props.incidents ?? [];
  const here = incidents.filter((incident) => !isGone(incident));
  const may = useMay();
  const isNew = useArrivals(props.incidents, props.list);
  const { open, toggle } = useOpen();
  const chooseAccount = (accountId: string): void => {
    const own = here.filter((each) => each.accountId === accountId);
    props.set(
      own.map(({ id }) => id),
      true,
    );
  };
  const whoWrites = (work: (incident: IncidentRecord) => void) => (incident: IncidentRecord) => {
    if (may.write) work(incident);
  };
  const inSight = incidents.slice(0, props.drawn);
  const { selected, select } = useInboxKeys(
    inSight.filter((each) => !isGone(each)),
    me,
    {
      acknowledge: whoWrites((incident) => props.handle(incident, acknowledging(incident))),
      evidence: ({ id }) => navigate(path.incident(id)),
      assign: whoWrites((incident) => props.handle(incident, taking(incident, me))),
      annotate: whoWrites(props.annotate),
      open: ({ id }) => toggle(id),
      choose: whoWrites(({ id }) => props.choose(id, !chosen.has(id), false)),
      chooseAccount: whoWrites(({ accountId }) => chooseAccount(accountId)),
      take: props.take,
      undo: undoNewest,
    },
  );
  const does = useStable({
    ...{ select, toggle, chooseAccount },
    ...{ choose: props.choose, handle: props.handle, annotate: props.annotate },
  });
  return (
    <ol
      className="incidents"
      aria-label={order === 'time' ? 'Incidents, newest first' : 'Incidents'}
    >
      {inSight.map((incident, at) => (
        <Fragment key={incident.id}>
          <Heading {...props} incidents={incidents} at={at} mayWrite={may.write} />
          <IncidentItem
            incident={incident}
            isSelected={incident.id === selected}
            isNew={isNew(incident)}
            isGone={isGone(incident)}
            isOpen={open.has(incident.id)}
            isChosen={chosen.has(incident.id)}
            mayWrite={may.write}
            me={me}
            does={does}
          />
        </Fragment>
      ))}
    </ol>
  );
}

/** Which lines are open. */
function useOpen() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { open, toggle };
}

/** Above the first of several that belong together: what they share, and a box for all of them. */
function Heading(
  props: Pick<Props, 'order' | 'chosen' | 'set' | 'isGone'> & {
    incidents: readonly IncidentRecord[];
    at: number;
    mayWrite: boolean;
  },
) {
  const { order, incidents, at, chosen } = props;
  const first = incidents[at];
  if (!first) return null;
  const groupOf = (incident: IncidentRecord | undefined): string | undefined =>
    incident && (order === 'account' ? incident.accountId : headingOf(incident, order));
  const group = groupOf(first);
  if (group === undefined || groupOf(incidents[at - 1]) === group) return null;
  const end = incidents.findIndex((each, place) => place > at && groupOf(each) !== group);
  const all = incidents.slice(at, end < 0 ? undefined : end);
  // Of one alone its line says it all. Those that left count: a heading keeps its place like them.
  if (all.length < 2) return null;
  const own = all.filter((each) => !props.isGone(each));
  const ids = own.map(({ id }) => id);
  const words = `${headingOf(first, order)}: ${formatNumber(own.length, 0)}`;
  return (
    <li className="incident-heading">
      {props.mayWrite ? (
        <label>
          <input
            type="checkbox"
            checked={ids.length > 0 && ids.every((id) => chosen.has(id))}
            onChange={({ target }) => props.set(ids, target.checked)}
          />{' '}
          {words}
        </label>
      ) : (
        words
      )}
    </li>
  );
}

/** Always the same functions, which do what they do at the time. */
function useStable(does: ItemProps['does']): ItemProps['does'] {
  const newest = useRef(does);
  newest.current = does;
  return useMemo(
    () => ({
      select: (id) => newest.current.select(id),
      toggle: (id) => newest.current.toggle(id),
      choose: (id, isOn, upTo) => newest.current.choose(id, isOn, upTo),
      chooseAccount: (accountId) => newest.current.chooseAccount(accountId),
      handle: (incident, handling) => newest.current.handle(incident, handling),
      annotate: (incident) => newest.current.annotate(incident),
    }),
    [],
  );
}

/** The newest number of an incident's events and revisions. */
const newestOf = ({ id, revisions }: IncidentRecord): number =>
  revisions.at(-1)?.sequenceNumber ?? id;

/** Tells what came, or was revised, after the list was first shown: only that catches the eye. */
function useArrivals(
  incidents: readonly IncidentRecord[] | undefined,
  list: string,
): (incident: IncidentRecord) => boolean {
  const first = useRef<{ list: string; newest: number }>(undefined);
  if (incidents && first.current?.list !== list) {
    first.current = { list, newest: Math.max(0, ...incidents.map(newestOf)) };
  }
  return (incident) => first.current !== undefined && newestOf(incident) > first.current.newest;
}
