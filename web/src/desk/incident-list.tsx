import { useRef } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { useCurrentToken } from '../shell/use-current-token.ts';
import { useMay } from '../shell/use-may.ts';
import { IncidentItem } from './incident-item.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';
import type { Handling } from './use-incidents.ts';

/** Incidents browsed by pointer or by keys. */
export function IncidentList(props: {
  /** A different list starts from scratch: nothing in it is new. */
  list: string;
  /** Undefined while they are being loaded. */
  incidents: readonly IncidentRecord[] | undefined;
  handle: (handling: Handling & { ids: number[] }) => void;
  annotate: (incident: IncidentRecord) => void;
}) {
  const { handle, annotate } = props;
  const incidents = props.incidents ?? [];
  const may = useMay();
  const me = useCurrentToken()?.name ?? '';
  const isNew = useArrivals(props.incidents, props.list);
  const { selected, select } = useInboxKeys(incidents, {
    acknowledge: ({ id, acknowledged }) => {
      if (may.write) handle({ ids: [id], acknowledged: !acknowledged });
    },
    open: ({ id }) => navigate(path.incident(id)),
    assign: ({ id, assignee }) => {
      if (may.write) handle({ ids: [id], assignee: assignee === me ? '' : me });
    },
    annotate: (incident) => {
      if (may.write) annotate(incident);
    },
  });
  return (
    <ol className="incidents" aria-label="Incidents, newest first">
      {incidents.map((incident) => (
        <IncidentItem
          key={incident.id}
          incident={incident}
          isSelected={incident.id === selected}
          isNew={isNew(incident)}
          mayWrite={may.write}
          me={me}
          select={select}
          handle={handle}
          annotate={annotate}
        />
      ))}
    </ol>
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
