import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, formatBrokerTime, HOUR_MS } from '../../src/domain/broker-time.ts';
import {
  kindOf,
  type PeriodStatistics,
  type TrackerEvent,
} from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { presentPeriod, presentTracker } from '../../src/services/trackers/present-tracker.ts';
import { FEED_CHANGES } from '../../src/words/events.ts';
import { Client } from '../servers/plimsoll-process.ts';
import { expectedOutcome } from '../simulation/oracle.ts';
import type { ChartHour } from '../simulation/oracle-chart.ts';
import { oracleItems } from '../simulation/oracle-items.ts';
import type { SimulatedAccount } from '../simulation/simulated-accounts.ts';
import {
  byKey,
  drawdownOf,
  keyOf,
  type ShownEvent,
  standingOf,
  type ToldEvent,
} from '../simulation/standing-events.ts';
import { type FeedBatch, moneyToWire, SIMULATION_DIGITS } from '../simulation/wire.ts';
import { chunksOf, type FeedOptions, type Group, riskGroups } from './risk-feed.ts';

/** Groups whose rows share one request. */
const GROUPS_PER_REQUEST = 40;
const CALLS_AT_ONCE = 8;
const PAUSE_MS = 50;
/** Longer than any fault keeps a server from answering. */
const UNANSWERED_MS = 120_000;
/**
 * Much longer than a standby waits for a silent owner, and the longest pause between checkpoints.
 */
const SETTLE_MS = 120_000;

export type LoadOptions = FeedOptions & {
  /** Where the server is at this moment. */
  address: () => string;
  token: string;
  /** The number of the newest event before the feed. */
  previousSequenceNumber?: number;
};

/** `refused`: no process listened there; `cut`: one did, and went silent or away. */
type Answers = { success: number; unavailable: number; refused: number; cut: number };

/**
 * A prop firm as the server sees it: feeds snapshots and deals over HTTP, repeats unacknowledged
 * requests, and compares everything readable with the definitions.
 */
export class RiskLoad {
  readonly answers: Answers = { success: 0, unavailable: 0, refused: 0, cut: 0 };
  readonly #options: LoadOptions;
  readonly #groups: Group[];
  readonly #trackerIds = new Map<string, string>();
  sent = 0;
  #longestMs = 0;
  #isFailed = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#groups = riskGroups(options);
  }

  /** Aborts running requests: the server won't answer any more. */
  abandon(): void {
    this.#isFailed = true;
  }

  /** The longest wait for success, including tries, since last asked. */
  takeLongestMs(): number {
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  async setUp(): Promise<void> {
    await this.#each(this.#accounts, async ({ id, clock, trackers }) => {
      const fields = { platform: 'p5', login: '1', broker: 'Simulated', currency: 'USD' };
      const account = { id, name: id, leverage: 100, brokerClock: clock, ...fields };
      await this.#call('POST', '/users/current/accounts', account, 409);
      for (const tracker of trackers) await this.#createTracker(id, tracker);
    });
  }

  /** Sends everything, each account's part in order; all of it is acknowledged when it resolves. */
  async run(afterRound: (share: number) => void = () => {}): Promise<void> {
    const rounds = this.#groups.reduce((most, { sends }) => Math.max(most, sends.length), 0);
    for (let round = 0; round < rounds; round += 1) {
      const sends = this.#groups.flatMap((group) => group.sends[round] ?? []);
      const deals = sends.filter((send) => send.kind === 'deals');
      const snapshots = sends.filter((send) => send.kind === 'snapshots');
      const requests = chunksOf(snapshots, GROUPS_PER_REQUEST).map((chunk, index) => {
        const rows = chunk.flatMap((send) => send.snapshots);
        const key = `${this.#options.seed}-${round}-${index}`;
        return { rows, headers: round % 2 === 0 ? { 'idempotency-key': key } : {} };
      });
      await Promise.all([
        this.#each(deals, async ({ accountId, deals: rows }) => {
          await this.#call('POST', `/users/current/accounts/${accountId}/deals`, rows);
        }),
        this.#each(requests, async ({ rows, headers }) => {
          await this.#call('POST', '/users/current/snapshots', rows, 0, headers);
          this.sent += rows.length;
        }),
      ]);
      afterRound((round + 1) / rounds);
    }
  }

  /** Compares every hour, period and event that holds; returns how many were published. */
  async verify(): Promise<{ hours: number; periods: number; events: number }> {
    const counted = { hours: 0, periods: 0 };
    const events: ShownEvent[] = [];
    const fed = this.#groups.flatMap(({ accounts, batches }) =>
      accounts.map((account) => ({ account, batches })),
    );
    await this.#each(fed, async ({ account, batches }) => {
      const expected = expectedOutcome(account, batches);
      await this.#compareHours(account, expected.buckets);
      const tradeTimes = tradeTimesOf(account, batches);
      for (const { id } of account.trackers) {
        const own = expected.statistics
          .filter(({ trackerId }) => trackerId === id)
          .map((period) => withTradeDays(period, tradeTimes));
        await this.#comparePeriods(account, id, own);
      }
      events.push(...expected.events.map((event) => this.#presentEvent(event)));
      counted.hours += expected.buckets.length;
      counted.periods += expected.statistics.length;
    });
    return { ...counted, events: await this.#compareEvents(events) };
  }

  /** Does so once everything acknowledged is folded, wherever the engines are. */
  async settled(): Promise<{ hours: number; periods: number; events: number }> {
    const endMs = Date.now() + SETTLE_MS;
    for (;;) {
      try {
        return await this.verify();
      } catch (error) {
        if (Date.now() > endMs) throw error;
        this.#isFailed = false;
        await new Promise((resolve) => setTimeout(resolve, 20 * PAUSE_MS));
      }
    }
  }

  /** All events of the feed, whose numbers have no gap. */
  async events(): Promise<ToldEvent[]> {
    const found: ToldEvent[] = [];
    const { previousSequenceNumber = 0 } = this.#options;
    for (;;) {
      const after = found.at(-1)?.sequenceNumber ?? previousSequenceNumber;
      const path = `/users/current/tracker-events/stream?wait=0&previousSequenceNumber=${after}`;
      const page = await this.#call<ToldEvent[]>('GET', path);
      if (page.length === 0) break;
      found.push(...page);
    }
    const numbers = found.map(({ sequenceNumber }) => sequenceNumber);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => previousSequenceNumber + index + 1),
      'numbers have no gap',
    );
    return found;
  }

  get #accounts(): SimulatedAccount[] {
    return this.#groups.flatMap(({ accounts }) => accounts);
  }

  async #createTracker(accountId: string, definition: TrackerDefinition): Promise<void> {
    const { _id, ...body } = presentTracker(definition, SIMULATION_DIGITS);
    const path = `/users/current/accounts/${accountId}/trackers`;
    const made = await this.#call<{ id: string } | { error: string }>('POST', path, body, 409);
    const named = `${path}/name/${definition.name}`;
    // A conflict: it was created by a request whose answer was lost.
    const isLost = 'error' in made;
    const id = isLost ? (await this.#call<{ _id: string }>('GET', named))._id : made.id;
    this.#trackerIds.set(definition.id, id);
  }

  async #compareHours({ id }: SimulatedAccount, expected: readonly ChartHour[]): Promise<void> {
    const { startUtcMs, days } = this.#options;
    const from = formatBrokerTime(startUtcMs - 48 * HOUR_MS);
    const until = formatBrokerTime(startUtcMs + (days + 2) * 24 * HOUR_MS);
    const range = `startTime=${from}&endTime=${until}&realTime=true`;
    const path = `/users/current/accounts/${id}/equity-chart?${range}`;
    const hours = await this.#call<Record<string, unknown>[]>('GET', path);
    const last = hours.at(-1);
    for (const field of RUNNING_FIELDS) delete last?.[field];
    assert.deepEqual(hours, expected.map(presentHour), `hours of ${id}`);
  }

  async #comparePeriods(
    { id }: SimulatedAccount,
    trackerId: string,
    expected: readonly PeriodStatistics[],
  ): Promise<void> {
    const tracker = `/users/current/accounts/${id}/trackers/${this.#trackerIds.get(trackerId)}`;
    const path = `${tracker}/statistics?limit=1000&realTime=true`;
    const periods = await this.#call<{ startBrokerTime: string }[]>('GET', path);
    const present = expected.map((period) => presentPeriod(period, SIMULATION_DIGITS));
    assert.deepEqual(periods.sort(byStart), present.sort(byStart), `periods of ${trackerId}`);
  }

  /** Events get their numbers a moment after their snapshots are acknowledged. */
  async #compareEvents(expected: readonly ShownEvent[]): Promise<number> {
    const endMs = Date.now() + SETTLE_MS;
    for (;;) {
      const told = await this.events();
      const { found, revised } = standingOf(told.filter(isByRules));
      const present = expected.map((event) =>
        revised.has(keyOf(event)) ? drawdownOf(event) : event,
      );
      const [is, should] = [found, present].map((events) => events.toSorted(byKey));
      if (isDeepStrictEqual(is, should)) return told.length;
      if (Date.now() > endMs) assert.deepEqual(is, should, 'events that stand');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  #presentEvent(event: TrackerEvent) {
    const { warnAt, absoluteDrawdown, allowed } = event;
    const measured = {
      kind: kindOf(event),
      accountId: event.accountId,
      trackerId: this.#trackerIds.get(event.trackerId) ?? '',
      startBrokerTime: formatBrokerTime(event.startTimeMs),
      ...(event.endTimeMs === undefined
        ? {}
        : { endBrokerTime: formatBrokerTime(event.endTimeMs) }),
      period: event.period,
      brokerTime: formatBrokerTime(event.timeMs),
      absoluteDrawdown: moneyToWire(absoluteDrawdown),
      relativeDrawdown: event.relativeDrawdown,
    };
    if (warnAt !== undefined) return { ...measured, warnAt, used: absoluteDrawdown / allowed };
    return {
      ...measured,
      absoluteProfit: moneyToWire(event.absoluteProfit),
      relativeProfit: event.relativeProfit,
      exceededThresholdType: event.exceededThresholdType,
    };
  }

  /**
   * Sends until it is answered; anything but success, 503 with retry-after or a cut is a failure.
   */
  async #call<T>(
    method: string,
    path: string,
    body?: unknown,
    alsoGood = 0,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const startMs = Date.now();
    const endMs = startMs + UNANSWERED_MS;
    while (!this.#isFailed) {
      const client = new Client(this.#options.address(), this.#options.token);
      const answer = await client
        .callOnce<T>(method, path, body, headers)
        .catch((error: unknown) => (isRefused(error) ? 'refused' : 'cut'));
      if (typeof answer === 'string') this.answers[answer] += 1;
      else if (answer.status === 503) {
        assert.ok(answer.headers.has('retry-after'), '503 tells when to come back');
        this.answers.unavailable += 1;
      } else {
        const isGood = answer.status < 300 || answer.status === alsoGood;
        assert.ok(isGood, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        this.answers.success += 1;
        this.#longestMs = Math.max(this.#longestMs, Date.now() - startMs);
        return answer.body;
      }
      assert.ok(Date.now() < endMs, `${method} ${path} is not answered`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error('The run has failed already');
  }

  async #each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = items.values();
    const worker = async (): Promise<void> => {
      for (const item of queue) {
        await work(item).catch((error: unknown) => {
          this.#isFailed = true;
          throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

/** When something other than a transfer was booked. */
const tradeTimesOf = ({ id, clock }: SimulatedAccount, batches: readonly FeedBatch[]): number[] =>
  oracleItems(batches, id, clock).flatMap((item) => {
    if (item.kind !== 'deal' || item.isCredit || item.type === 'DEAL_TYPE_BALANCE') return [];
    return [item.ownTimeMs];
  });

/** The days of all deals of a period, also of those that came when it was over. */
function withTradeDays(period: PeriodStatistics, tradeTimes: readonly number[]): PeriodStatistics {
  const { startTimeMs, endTimeMs = Number.POSITIVE_INFINITY } = period;
  const own = tradeTimes.filter((timeMs) => timeMs >= startTimeMs && timeMs <= endTimeMs);
  return {
    ...period,
    tradeDayCount: new Set(own.map((timeMs) => Math.floor(timeMs / DAY_MS))).size,
  };
}

const RUNNING_FIELDS = ['brokerTime', 'duration', 'balanceSum', 'equitySum', 'balance', 'equity'];

/** Feeds of the past, on a slow machine or by a clock that jumps, may look off: not judged here. */
const isByRules = ({ kind }: ToldEvent): boolean =>
  !(FEED_CHANGES as readonly string[]).includes(kind);

const byStart = (a: { startBrokerTime: string }, b: { startBrokerTime: string }): number =>
  a.startBrokerTime < b.startBrokerTime ? -1 : 1;

function presentHour({ accountId: _id, startTimeMs, ...money }: ChartHour) {
  const amounts = Object.entries(money).map(([name, units]) => [name, moneyToWire(units)]);
  return {
    startBrokerTime: formatBrokerTime(startTimeMs),
    endBrokerTime: formatBrokerTime(startTimeMs + HOUR_MS - 1),
    ...Object.fromEntries(amounts),
  };
}
