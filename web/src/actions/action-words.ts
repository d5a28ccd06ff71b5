import type { BreachActionRecord } from '../../../src/contract/operations/breach-actions.ts';
import type { TrackerRecord } from '../../../src/contract/operations/trackers.ts';
import {
  ACTION_CONFIRMATIONS,
  ACTION_MOMENTS,
  BREACH_ACTIONS,
  type BreachActionState,
} from '../../../src/words/actions.ts';
import { formatLocalTime, formatNumber } from '../lib/format.ts';

type Planned = NonNullable<TrackerRecord['actions']>[number];

export const actionWords = ({ action, group }: Pick<Planned, 'action' | 'group'>): string =>
  group === undefined ? BREACH_ACTIONS[action] : `Move to ${group}`;

export const STATES: Record<
  BreachActionState,
  { title: string; tone: 'plain' | 'good' | 'warn' | 'bad'; hint: string }
> = {
  waiting: { title: 'Waiting', tone: 'warn', hint: 'Due, or due for another attempt' },
  running: { title: 'Running', tone: 'warn', hint: 'The platform is being asked' },
  done: { title: 'Done', tone: 'good', hint: 'The platform confirmed it' },
  escalated: { title: 'Not done', tone: 'bad', hint: 'A person has to look' },
  'dry-run': { title: 'Dry run', tone: 'plain', hint: 'Recorded only' },
  stopped: { title: 'Stopped', tone: 'plain', hint: 'What it belonged to was deleted before' },
};

const SECOND_MS = 1000;

/** When an action that waits for the next reset is due; undefined for any other. */
export const dueWords = ({ state, attempts, resetAt }: BreachActionRecord): string | undefined =>
  state === 'waiting' && attempts === 0 && resetAt !== undefined
    ? `at the reset, ${formatLocalTime(resetAt)}`
    : undefined;

/** How long it took from the event, or the reset, to the confirmation; undefined unless done. */
export function tookWords({
  state,
  createdAt,
  endedAt,
  resetAt = createdAt,
}: BreachActionRecord): string | undefined {
  if (state !== 'done' || endedAt === undefined) return undefined;
  const ms = Math.max(0, Date.parse(endedAt) - Date.parse(resetAt));
  return ms < SECOND_MS ? `${ms} ms` : `${formatNumber(ms / SECOND_MS, 1)} s`;
}

/** The planned actions as a sentence; empty if there are none. */
export function planWords(
  actions: readonly Planned[] = [],
  when = 'When the loss limit is broken',
): string {
  if (actions.length === 0) return '';
  const words = actions.map(
    (each) =>
      `${lower(actionWords(each))}${momentWords(each)}${each.dryRun ? ' (dry run: recorded only)' : waitWords(each)}`,
  );
  return `${when}: ${words.join(', ')}.`;
}

const momentWords = ({ moment = 'breach' }: Planned): string =>
  moment === 'breach' || moment === 'passing' ? '' : ` (${lower(ACTION_MOMENTS[moment])})`;

const waitWords = ({ confirm = 'platform' }: Planned): string =>
  confirm === 'platform' ? '' : ` (${lower(ACTION_CONFIRMATIONS[confirm])})`;

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
