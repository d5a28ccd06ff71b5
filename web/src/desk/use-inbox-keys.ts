import { useEffect, useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { isKeyTaken } from '../lib/keys.ts';

/** What a key does to the chosen incident. */
const KEYS = {
  a: 'acknowledge',
  e: 'evidence',
  enter: 'open',
  m: 'assign',
  n: 'annotate',
  s: 'chooseAccount',
  x: 'choose',
} as const;

type Actions = Record<(typeof KEYS)[keyof typeof KEYS], (incident: IncidentRecord) => void> & {
  /** Takes in what came, and takes back what was done last. */
  take: () => void;
  undo: () => void;
};

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
      if (key === 'u') actions.undo();
      if (key === 'home') actions.take();
      const incident = incidents[place];
      const action = isAction(key) ? KEYS[key] : undefined;
      if (!incident || !action || (key === 'enter' && isPressing(event))) return;
      event.preventDefault();
      actions[action](incident);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return { selected, select };
}

const isAction = (key: string): key is keyof typeof KEYS => key in KEYS;

/** Enter on a link or a button is for that. */
const isPressing = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('a, button, input, summary') !== null;

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
