import { DAY_MS } from '../../domain/broker-time.ts';
import type { OrderedDeal } from '../matching/matching.ts';
import type { StatedFigures } from '../statement.ts';
import type { Warnings } from '../warnings.ts';

type Span = { entries: number; exits: number; openMs: number; closeMs: number };

/**
 * Compares holding times with the shortest, longest and average one stated by a tester, which
 * leaves out Saturdays and Sundays (seen in every report that states them). Positions opened or
 * closed in parts are not compared.
 */
export function checkHoldingTimes(
  deals: readonly OrderedDeal[],
  figures: StatedFigures,
  warnings: Warnings,
): void {
  const stated = [
    figures.min_holding_seconds,
    figures.max_holding_seconds,
    figures.avg_holding_seconds,
  ];
  if (stated.every((seconds) => !seconds)) return;
  const spans = [...spansOf(deals).values()];
  if (spans.length === 0 || spans.some(({ entries, exits }) => entries !== 1 || exits !== 1))
    return;
  const held = spans.map(({ openMs, closeMs }) => withoutWeekends(openMs, closeMs) / 1000);
  const own = [
    held.reduce((least, seconds) => Math.min(least, seconds)),
    held.reduce((most, seconds) => Math.max(most, seconds)),
    held.reduce((sum, seconds) => sum + seconds, 0) / held.length,
  ].map(Math.floor);
  if (own.every((seconds, index) => seconds === stated[index])) return;
  warnings.add(
    'holding_times_differ',
    `Positions were held for ${own.map(written).join(', ')} (shortest, longest, average without ` +
      `weekends), the report states ${stated.map((seconds) => written(seconds ?? 0)).join(', ')}`,
  );
}

function spansOf(deals: readonly OrderedDeal[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const { deal } of deals) {
    const { positionId = '', entry, timeMs } = deal;
    const span = spans.get(positionId) ?? { entries: 0, exits: 0, openMs: timeMs, closeMs: timeMs };
    if (entry === 'DEAL_ENTRY_IN') span.entries += 1;
    else span.exits += 1;
    span.openMs = Math.min(span.openMs, timeMs);
    span.closeMs = Math.max(span.closeMs, timeMs);
    spans.set(positionId, span);
  }
  return spans;
}

/** Milliseconds without the Saturdays and Sundays that lie wholly between. */
function withoutWeekends(fromMs: number, toMs: number): number {
  const from = Math.ceil(fromMs / DAY_MS);
  const to = Math.floor(toMs / DAY_MS);
  return toMs - fromMs - Math.max(0, weekendDays(to) - weekendDays(from)) * DAY_MS;
}

/** Saturdays and Sundays from the first Monday of 1970 (day 4) to the day, exclusive. */
function weekendDays(day: number): number {
  const since = day - 4;
  return Math.floor(since / 7) * 2 + Math.max(0, (((since % 7) + 7) % 7) - 5);
}

const written = (seconds: number): string => {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
};
