import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { weekdayOf } from './trade-groups.ts';

/** A day, week or month, by the day since 1970 that it begins with, and its result. */
export type Span = { startDay: number; money: Money };

/** Figures of completed spans. */
type Ended = {
  best?: Span | undefined;
  worst?: Span | undefined;
  gaining: number;
  losing: number;
  lost: Money;
};

/**
 * The results by span. The first and last may continue in earlier and later results, so they are
 * kept apart.
 */
export type SpanRuns = { first?: Span | undefined; last?: Span | undefined; ended: Ended };

/** Spans in which trades closed: the best and the worst of them; of equal ones the first. */
export type SpanFigures = {
  best?: Span | undefined;
  worst?: Span | undefined;
  /** Spans with a result above and below zero, and the sum of the latter: not positive. */
  gaining: number;
  losing: number;
  lost: Money;
};

export type SpanUnit = 'day' | 'week' | 'month';

const noneEnded = (): Ended => ({ gaining: 0, losing: 0, lost: 0 });
export const noSpans = (): SpanRuns => ({ ended: noneEnded() });

/** The day that a span of broker time begins with: weeks on Monday. */
export function startDayOf(timeMs: BrokerTimeMs, unit: SpanUnit): number {
  const day = Math.floor(timeMs / DAY_MS);
  if (unit === 'day') return day;
  if (unit === 'week') return day - ((weekdayOf(timeMs) + 6) % 7);
  return day - new Date(day * DAY_MS).getUTCDate() + 1;
}

export const addToSpans = (runs: SpanRuns, span: Span): void => follow(runs, { ...span });

function follow(runs: SpanRuns, span: Span): void {
  const current = runs.last ?? runs.first;
  if (!current) runs.first = span;
  else if (current.startDay === span.startDay) current.money += span.money;
  else {
    if (runs.last) end(runs.ended, runs.last);
    runs.last = span;
  }
}

function end(ended: Ended, span: Span): void {
  if (!ended.best || span.money > ended.best.money) ended.best = span;
  if (!ended.worst || span.money < ended.worst.money) ended.worst = span;
  if (span.money > 0) ended.gaining += 1;
  if (span.money >= 0) return;
  ended.losing += 1;
  ended.lost += span.money;
}

/** Joins the spans of results and of later ones. */
export function joinSpans(a: SpanRuns, b: SpanRuns): SpanRuns {
  const joined = copyOf(a);
  if (b.first) follow(joined, { ...b.first });
  if (!b.last) return joined;
  // The first span of b is complete, unless all began with it.
  if (joined.last) end(joined.ended, joined.last);
  joined.last = { ...b.last };
  joined.ended = joinEnded(joined.ended, b.ended);
  return joined;
}

const copyOf = ({ first, last, ended }: SpanRuns): SpanRuns => ({
  first: first && { ...first },
  last: last && { ...last },
  ended: { ...ended },
});

function joinEnded(a: Ended, b: Ended): Ended {
  const joined = { ...a };
  for (const span of [b.best, b.worst])
    if (span) {
      if (!joined.best || span.money > joined.best.money) joined.best = span;
      if (!joined.worst || span.money < joined.worst.money) joined.worst = span;
    }
  joined.gaining += b.gaining;
  joined.losing += b.losing;
  joined.lost += b.lost;
  return joined;
}

export function spanFiguresFrom({ first, last, ended }: SpanRuns): SpanFigures {
  let all = noneEnded();
  if (first) end(all, first);
  all = joinEnded(all, ended);
  if (last) end(all, last);
  return all;
}
