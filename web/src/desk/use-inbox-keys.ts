import { useEffect, useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { isKeyTaken } from '../lib/keys.ts';

type Actions = Record<
  'acknowledge' | 'open' | 'assign' | 'annotate',
  (incident: IncidentRecord) => void
>;

/**
 * J and K move through incidents, which are identified by their ids; other keys act on the chosen
 * one.
 */
export function useInboxKeys(incidents: readonly IncidentRecord[], actions: Actions) {
  const [selected, select] = useState<number>();
  const known = useRef({ incidents, actions, selected });
  known.current = { incidents, actions, selected };
  /** The list when it last contained the chosen one. */
  const around = useRef<readonly number[]>([]);
  if (incidents.some(({ id }) => id === selected)) around.current = incidents.map(({ id }) => id);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isKeyTaken(event)) return;
      const { incidents, actions, selected } = known.current;
      const place = incidents.findIndex(({ id }) => id === selected);
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k') {
        const incident = neighbour(incidents, around.current, selected, key === 'j');
        if (!incident) return;
        event.preventDefault();
        select(incident.id);
        document.getElementById(`incident-${incident.id}`)?.focus();
        return;
      }
      const incident = incidents[place];
      const action = { a: 'acknowledge', e: 'open', m: 'assign', n: 'annotate' }[key];
      if (!incident || !action) return;
      event.preventDefault();
      actions[action as keyof Actions](incident);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return { selected, select };
}

/**
 * The next older or newer one. After acknowledging, it continues from there: for one that has left
 * the list, its former neighbours count.
 */
function neighbour(
  incidents: readonly IncidentRecord[],
  around: readonly number[],
  selected: number | undefined,
  isOlder: boolean,
): IncidentRecord | undefined {
  const place = selected === undefined ? -1 : around.indexOf(selected);
  if (place < 0) return incidents[0];
  const beside = isOlder ? around.slice(place + 1) : around.slice(0, place).reverse();
  const here = new Map(incidents.map((incident) => [incident.id, incident]));
  const next = beside.find((id) => here.has(id)) ?? selected ?? 0;
  return here.get(next) ?? incidents[isOlder ? incidents.length - 1 : 0];
}
