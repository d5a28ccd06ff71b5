import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import type { Tone } from '../components/badge.tsx';

type Event = Pick<IncidentRecord['events'][number], 'sequenceNumber' | 'exceededThresholdType'>;
export type Revision = IncidentRecord['revisions'][number];
export type Told = { events: readonly Event[]; revisions: readonly Revision[] };

/**
 * The state of an incident by the facts known now: one whose every event was revised away is
 * neither.
 */
export const VERDICTS = {
  loss: { title: 'Loss limit exceeded', short: 'Loss', tone: 'bad' },
  target: { title: 'Profit target reached', short: 'Target', tone: 'good' },
  revised: { title: 'Revised: nothing was exceeded', short: 'Revised', tone: 'plain' },
} as const satisfies Record<string, { title: string; short: string; tone: Tone }>;
export type Verdict = keyof typeof VERDICTS;

/** Later corrections of an event, in order. */
export const revisionsOf = (
  { revisions }: Pick<Told, 'revisions'>,
  { sequenceNumber }: Pick<Event, 'sequenceNumber'>,
): Revision[] => revisions.filter(({ revises }) => revises === sequenceNumber);

export function verdictOfEvent(incident: Pick<Told, 'revisions'>, event: Event): Verdict {
  const newest = revisionsOf(incident, event).at(-1);
  if (newest?.stillExceeded === false) return 'revised';
  return event.exceededThresholdType === 'drawdown' ? 'loss' : 'target';
}

export function verdictOf(incident: Told): Verdict {
  const verdicts = incident.events.map((event) => verdictOfEvent(incident, event));
  return (
    verdicts.find((each) => each === 'loss') ??
    verdicts.find((each) => each === 'target') ??
    'revised'
  );
}
