import type {
  handleIncidentsOperation,
  IncidentRecord,
} from '../../../src/contract/operations/incidents.ts';
import type { Input } from '../lib/api.ts';
import { formatLocalTime } from '../lib/format.ts';

/** What can be done to incidents. */
export type Handling = Omit<Input<typeof handleIncidentsOperation>['body'], 'ids' | 'versions'>;

/** What buttons and keys do to an incident as it was seen; done again, it is as before. */
export const acknowledging = ({ acknowledged }: IncidentRecord): Handling => ({
  acknowledged: !acknowledged,
});
export const taking = ({ assignee }: IncidentRecord, me: string): Handling => ({
  assignee: assignee === me ? '' : me,
});

/** What a button says that takes an incident or gives it back. */
export function takeWords({ assignee }: IncidentRecord, me: string): string {
  if (assignee === me) return 'Give back';
  return assignee ? `Take over from ${assignee}` : 'Take';
}

type Entry = IncidentRecord['entries'][number];

/** What somebody did, after their name: “Anna took it”. */
export function wordsOfEntry({ kind, author, words }: Entry): string {
  switch (kind) {
    case 'acknowledged':
      return 'acknowledged it';
    case 'reopened':
      return 'opened it again';
    case 'assigned':
      if (words === undefined) return 'gave it back';
      return words === author ? 'took it' : `assigned it to ${words}`;
    case 'noted':
      return `noted: ${words ?? ''}`;
  }
}

/** Whether it is as somebody wants it already. */
export const isSo = (is: IncidentRecord, { acknowledged, assignee, note }: Handling): boolean =>
  note === undefined &&
  (acknowledged === undefined || is.acknowledged === acknowledged) &&
  (assignee === undefined || (is.assignee ?? '') === assignee);

/** A sentence: “Anna took it at 10:03.” */
export function whatCame(was: IncidentRecord, is: IncidentRecord): string {
  const entry = is.entries.findLast(({ place }) => place > was.entryCount);
  if (!entry) return 'an event of it came in or was revised since.';
  return `${entry.author} ${wordsOfEntry(entry)} at ${formatLocalTime(entry.at)}.`;
}
