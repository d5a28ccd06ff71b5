import { HOUR_MS } from '../domain/broker-time.ts';
import { runningBucket } from '../domain/live/equity-bucket.ts';
import { FoldEffects } from '../domain/live/fold-effects.ts';
import { LiveAccount } from '../domain/live/live-account.ts';
import type { EquityHour, LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import { addEnrolment } from '../domain/programs/enrolment-changes.ts';
import { type EnrolmentProgress, enrolmentProgress } from '../domain/programs/enrolment-records.ts';
import type { EnrolmentTransition } from '../domain/programs/enrolment-transition.ts';
import type { EnrolmentDefinition } from '../domain/programs/program-definition.ts';
import { replayHour } from '../domain/programs/replay-hour.ts';
import type { Sql } from '../storage/database.ts';
import { type SeedSource, StoredPages } from './seed-tracker.ts';

/** How the enrolment ended, or its progress; neither if nothing is stored. */
export type ReplayedEnrolment = {
  end: EnrolmentTransition | undefined;
  progress: EnrolmentProgress | undefined;
};

/**
 * The course that an enrolment would have taken, by the stored hours and deals of its account: the
 * same fold, with the snapshots that the hours imply. Works in pages, with other work in between.
 */
export async function replayEnrolment(
  sql: Sql,
  source: SeedSource,
  definition: EnrolmentDefinition,
  fromMs: number,
  rules: TrackerRules,
): Promise<ReplayedEnrolment> {
  const account = new LiveAccount(source.account.id, source.account.clock);
  const effects = new FoldEffects();
  addEnrolment(account, definition, rules);
  const pages = new StoredPages(sql, source);
  const deals = new DealQueue(pages.dealsFrom(fromMs));
  const replay = async (hours: readonly EquityHour[]): Promise<void> => {
    for (const hour of hours) {
      const own = await deals.before(hour.startTimeMs + HOUR_MS);
      replayHour(account, hour, own, source.account.lastTimeMs, effects);
      if (effects.transitions.length > 0) return;
    }
  };
  for await (const page of pages.hoursFrom(fromMs)) {
    await replay(page);
    if (effects.transitions.length > 0) break;
    await nextTurn();
  }
  const running = runningBucket(source.account);
  if (running && effects.transitions.length === 0) await replay([running]);
  const [end] = effects.transitions;
  // Not the one that was added: folding again from a base puts copies in its place.
  const [enrolment] = account.enrolments;
  const isRunning = enrolment !== undefined && end === undefined;
  return { end, progress: isRunning ? enrolmentProgress(account, enrolment) : undefined };
}

/** Takes deals from pages, in the order of their times. */
class DealQueue {
  readonly #pages: AsyncGenerator<LiveDeal[], undefined>;
  #waiting: LiveDeal[] = [];
  #isDone = false;

  constructor(pages: AsyncGenerator<LiveDeal[], undefined>) {
    this.#pages = pages;
  }

  /** Takes the deals before a time. */
  async before(timeMs: number): Promise<LiveDeal[]> {
    while (!this.#isDone && (this.#waiting.at(-1)?.timeMs ?? 0) < timeMs) {
      const { value } = await this.#pages.next();
      if (value) this.#waiting.push(...value);
      else this.#isDone = true;
    }
    const kept = this.#waiting.findIndex((deal) => deal.timeMs >= timeMs);
    return this.#waiting.splice(0, kept < 0 ? this.#waiting.length : kept);
  }
}
