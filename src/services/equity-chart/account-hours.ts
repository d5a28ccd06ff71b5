import { type BrokerTimeMs, HOUR_MS } from '../../domain/broker-time.ts';
import { mergeHours } from '../../domain/live/equity-bucket.ts';
import type { EquityHour, FreshHours, RunningBucket } from '../../domain/live/live-records.ts';
import type { AccountView } from '../../engine/account-view.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Sql } from '../../storage/database.ts';
import { readHours, type StoredHour } from '../../storage/hour-store.ts';
import { LoopSlice } from '../turns.ts';

/** A page, read and written as JSON, blocks the process for some milliseconds. */
export const HOURS_PER_READ = 500;
/** The most hours of one answer: more than ten years. */
const MAX_HOURS = 100_000;

type Range = { startMs: BrokerTimeMs; endMs: BrokerTimeMs };

/**
 * Stored hours that begin in [start, end), page by page, with other work in between. `untilMs` is
 * where the next page begins, and the end for the last one, which may be empty.
 */
async function* storedPages(
  sql: Sql,
  accountNumber: number,
  { startMs, endMs }: Range,
): AsyncGenerator<{ hours: StoredHour[]; fromMs: BrokerTimeMs; untilMs: BrokerTimeMs }, void> {
  const slice = new LoopSlice();
  for (let fromMs = startMs; fromMs < endMs; ) {
    const hours = await readHours(sql, accountNumber, fromMs, endMs, HOURS_PER_READ);
    const last = hours.length < HOURS_PER_READ ? undefined : hours.at(-1);
    const untilMs = last ? last.startTimeMs + HOUR_MS : endMs;
    yield { hours, fromMs, untilMs };
    fromMs = untilMs;
    if (slice.isOver) await slice.next();
  }
}

/** The stored hours that begin in [start, end), at most MAX_HOURS. */
export async function storedHours(
  sql: Sql,
  accountNumber: number,
  range: Range,
): Promise<StoredHour[]> {
  const found: StoredHour[] = [];
  for await (const { hours } of storedPages(sql, accountNumber, range)) {
    found.push(...hours);
    if (found.length >= MAX_HOURS) return found.slice(0, MAX_HOURS);
  }
  return found;
}

/** Hours that the database may lack. */
export type FreshestHours = { pending: FreshHours; running: RunningBucket | undefined };

export const freshestHours = (view: AccountView): FreshestHours => ({
  pending: view.pendingHours(),
  running: view.runningHour(),
});

/** An account's hours that begin at or after a time, including the running one, page by page. */
export async function* hoursSince(
  context: { database: Sql; live: LiveReader },
  accountNumber: number,
  sinceMs: BrokerTimeMs,
): AsyncGenerator<EquityHour[], void> {
  const newest = await context.live.read(accountNumber, true, freshestHours);
  if (newest) yield* hoursWith(context.database, accountNumber, newest, sinceMs);
}

/** The same up to a time, of an account whose freshest hours were read before. */
export async function* hoursWith(
  database: Sql,
  accountNumber: number,
  newest: FreshestHours,
  sinceMs: BrokerTimeMs,
  untilMs: BrokerTimeMs = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<EquityHour[], void> {
  const { running } = newest;
  const endMs = Math.min(running?.startTimeMs ?? untilMs, untilMs);
  const isAsked = ({ startTimeMs }: { startTimeMs: number }, from: number, until: number) =>
    startTimeMs >= from && startTimeMs < until;
  const range = { startMs: sinceMs, endMs };
  for await (const stored of storedPages(database, accountNumber, range)) {
    const { fromMs, untilMs } = stored;
    const page = mergeHours(
      stored.hours.map(({ accountNumber: _, ...hour }) => hour),
      {
        hours: newest.pending.hours.filter((hour) => isAsked(hour, fromMs, untilMs)),
        corrections: newest.pending.corrections.filter((each) => isAsked(each, fromMs, untilMs)),
      },
    );
    if (page.length > 0) yield page;
  }
  if (running && running.startTimeMs >= sinceMs && running.startTimeMs < untilMs) yield [running];
}
