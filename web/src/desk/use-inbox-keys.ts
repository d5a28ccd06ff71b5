import { useEffect, useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { isKeyTaken } from '../lib/keys.ts';

type Actions = Record<
  'acknowledge' | 'open' | 'assign' | 'annotate',
  (incident: IncidentRecord) => void
>;

/** J and K move through incidents, which are known by their ids; other keys act on the chosen one. */
export function useInboxKeys(incidents: readonly IncidentRecord[], actions: Actions) {
  const [selected, select] = useState<number>();
  const known = useRef({ incidents, actions, selected });
  known.current = { incidents, actions, selected };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isKeyTaken(event)) return;
      const { incidents, actions, selected } = known.current;
      const place = incidents.findIndex(({ id }) => id === selected);
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k') {
        const step = key === 'j' ? 1 : -1;
        const next = place < 0 ? 0 : Math.min(incidents.length - 1, Math.max(0, place + step));
        const incident = incidents[next];
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
