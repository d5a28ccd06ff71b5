import { type BrokerTimeMs, HOUR_MS } from '../../domain/broker-time.ts';
import { mergeHours } from '../../domain/live/equity-bucket.ts';
import type { EquityHour } from '../../domain/live/live-records.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Sql } from '../../storage/database.ts';
import { readHours } from '../../storage/hour-store.ts';

/** A page blocks the process for some milliseconds. */
const HOURS_PER_READ = 1000;

/** An account's hours that begin at or after a time, including the running one, page by page. */
export async function* hoursSince(
  context: { database: Sql; live: LiveReader },
  accountNumber: number,
  sinceMs: BrokerTimeMs,
): AsyncGenerator<EquityHour[], void> {
  const newest = await context.live.read(accountNumber, true, (view) => ({
    pending: view.pendingHours(),
    running: view.runningHour(),
  }));
  if (!newest) return;
  const { running } = newest;
  const endMs = running?.startTimeMs ?? Number.MAX_SAFE_INTEGER;
  const isAsked = ({ startTimeMs }: { startTimeMs: number }, from: number, until: number) =>
    startTimeMs >= from && startTimeMs < until;
  for (let startMs = sinceMs; startMs < endMs; ) {
    const stored = await readHours(context.database, accountNumber, startMs, endMs, HOURS_PER_READ);
    const last = stored.length < HOURS_PER_READ ? undefined : stored.at(-1);
    const untilMs = last ? last.startTimeMs + HOUR_MS : endMs;
    const from = startMs;
    const page = mergeHours(
      stored.map(({ accountNumber: _, ...hour }) => hour),
      {
        hours: newest.pending.hours.filter((hour) => isAsked(hour, from, untilMs)),
        corrections: newest.pending.corrections.filter((each) => isAsked(each, from, untilMs)),
      },
    );
    if (page.length > 0) yield page;
    startMs = untilMs;
    await nextTurn();
  }
  if (running && running.startTimeMs >= sinceMs) yield [running];
}
