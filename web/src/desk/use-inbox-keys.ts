import { useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { useKeys } from '../lib/keys.ts';

const OF_ONE = [
  ...(['acknowledge', 'evidence', 'open', 'assign', 'annotate'] as const),
  ...(['choose', 'chooseAccount'] as const),
] as const;

type Actions = Record<(typeof OF_ONE)[number], (incident: IncidentRecord) => void> & {
  /** Takes in what came, and takes back what was done last. */
  take: () => void;
  undo: () => void;
};

/**
 * J and K move through incidents, which are identified by their ids; other keys act on the chosen
 * one, as it was seen.
 */
export function useInboxKeys(incidents: readonly IncidentRecord[], me: string, actions: Actions) {
  const [selected, select] = useState<number>();
  /** The list when it last contained the chosen one. */
  const around = useRef<readonly number[]>([]);
  const chosen = incidents.find(({ id }) => id === selected);
  if (chosen) around.current = incidents.map(({ id }) => id);
  const seen = useRef(chosen);
  // Unlike a button, a key doesn't say what it does to what came since.
  if (chosen && !(seen.current?.id === chosen.id && isOvertaken(seen.current, chosen, me))) {
    seen.current = chosen;
  }
  const move = (isOlder: boolean) => (): unknown => {
    const incident = neighbour(incidents, around.current, selected, isOlder);
    if (!incident) return false;
    select(incident.id);
    return document.getElementById(`incident-${incident.id}`)?.focus();
  };
  const doTo = (name: (typeof OF_ONE)[number]) => (event: KeyboardEvent) => {
    if (!chosen || (name === 'open' && isPressing(event))) return false;
    actions[name](seen.current ?? chosen);
    // What came since is told by this.
    if (name === 'acknowledge' || name === 'assign') seen.current = chosen;
    return true;
  };
  useKeys({
    ...{ next: move(true), previous: move(false), take: actions.take, undo: actions.undo },
    ...Object.fromEntries(OF_ONE.map((name) => [name, doTo(name)])),
  });
  return { selected, select };
}

/** Whether somebody else has acknowledged, opened or assigned it since. */
const isOvertaken = (was: IncidentRecord, is: IncidentRecord, me: string): boolean =>
  is.entries.some(
    ({ place, author, kind }) => place > was.entryCount && author !== me && kind !== 'noted',
  );

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
