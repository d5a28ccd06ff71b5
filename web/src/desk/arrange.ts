import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { verdictOf } from './verdict.ts';

/** In which order incidents are listed; by account and by rule they stand under headings. */
export const ORDERS = [
  { value: 'time', title: 'Newest first' },
  { value: 'account', title: 'By account' },
  { value: 'rule', title: 'By rule' },
  { value: 'severity', title: 'Largest loss first' },
] as const;
export type Order = (typeof ORDERS)[number]['value'];

/** The rule of an incident: the name of its first event's. */
export const ruleOf = ({ events }: IncidentRecord): string =>
  events[0]?.trackerName ?? 'A deleted tracker';

/** The heading that an incident stands under, if there are any. */
export function headingOf(incident: IncidentRecord, order: Order): string | undefined {
  if (order === 'account') return incident.accountName;
  return order === 'rule' ? ruleOf(incident) : undefined;
}

/** Those that the searched words are about, in an order; newest first among equals. */
export function arrange(
  incidents: readonly IncidentRecord[],
  order: Order,
  find: string,
): IncidentRecord[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const found = incidents.filter((incident) => {
    const text = textOf(incident);
    return words.every((word) => text.includes(word));
  });
  return order === 'time' ? found : found.sort((a, b) => compare(a, b, order) || b.id - a.id);
}

const textOf = ({ id, accountName, login, assignee = '', events }: IncidentRecord): string =>
  [id, accountName, login, assignee, ...events.map(({ trackerName }) => trackerName ?? '')]
    .join('\n')
    .toLowerCase();

// One for all: to make one takes as long as hundreds of comparisons.
const { compare: compareText } = new Intl.Collator('en', { numeric: true });

function compare(a: IncidentRecord, b: IncidentRecord, order: Order): number {
  if (order === 'severity') return lossOf(b) - lossOf(a);
  const byHeading = compareText(headingOf(a, order) ?? '', headingOf(b, order) ?? '');
  // Accounts may share a name.
  return byHeading || (order === 'account' ? compareText(a.accountId, b.accountId) : 0);
}

/** The largest share that was lost; targets and what was revised away come last. */
function lossOf(incident: IncidentRecord): number {
  if (verdictOf(incident) !== 'loss') return -1;
  return Math.max(...incident.events.map(({ relativeDrawdown }) => relativeDrawdown));
}
