import type { LiveMessage } from '../../contract/operations/live-standing.ts';
import { moneyDigits } from '../../domain/money.ts';
import { RecentMap } from '../../domain/recent-map.ts';
import type { AccountView } from '../../engine/account-view.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { LiveState } from '../../feeds/standing-source.ts';
import { type Account, findNumbered } from '../../storage/account-store.ts';
import { accountOfTracker } from '../../storage/change-store.ts';
import { readEnrolmentDefinitions } from '../../storage/enrolment-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';
import type { Context } from '../context.ts';
import { jsonOfRunning } from '../equity-chart/present-hours.ts';
import { isoTime } from '../present-time.ts';
import { presentPeriod } from '../trackers/present-tracker.ts';
import { type TrackerNames, trackerNames } from '../trackers/tracker-names.ts';
import { presentStanding } from './present-standing.ts';
import { FRESH_MS, standingNow } from './standing.ts';

/** Accounts with the names of their trackers, some 2 KB each. */
const MAX_FACTS = 20_000;

type Facts = { account: Account; names: TrackerNames; trackers: number };
type Told = Extract<LiveMessage, { kind: 'account' }>;

/** Reads what accounts stand at, as JSON; knows their names and trackers until these change. */
export class LiveStates {
  readonly #context: Pick<Context, 'database' | 'catalogue' | 'now'> & { live: LiveReader };
  readonly #facts = new RecentMap<number, Facts>(MAX_FACTS);

  constructor(context: Pick<Context, 'database' | 'catalogue' | 'now'> & { live: LiveReader }) {
    this.#context = context;
    context.catalogue.onChange((change) => {
      if (!change) this.#facts.clear();
      else if (change.kind === 'tracker') this.#facts.delete(accountOfTracker(change.key));
      else if (change.kind === 'account') this.#facts.delete(Number(change.key));
    });
  }

  async read(
    accountNumbers: readonly number[],
    answer: (accountNumber: number, state: LiveState) => void,
  ): Promise<void> {
    if (accountNumbers.length === 0) return;
    const facts = await this.#factsOf(accountNumbers);
    await this.#context.live.readMany(accountNumbers, (number, view) => {
      const known = facts.get(number);
      if (known) answer(number, stateOf(known, view, this.#context.now()));
    });
  }

  async #factsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Facts>> {
    const { database, catalogue } = this.#context;
    const found = new Map<number, Facts>();
    const missing: number[] = [];
    for (const number of numbers) {
      const known = this.#facts.get(number);
      if (known) found.set(number, known);
      else missing.push(number);
    }
    if (missing.length === 0) return found;
    const { version } = catalogue;
    const accounts = await findNumbered(database, missing);
    const trackers = await readDefinitions(database, missing);
    const enrolments = await readEnrolmentDefinitions(database, missing);
    for (const account of accounts) {
      const { number } = account;
      const own = trackers.get(number) ?? [];
      const names = trackerNames(own, enrolments.get(number) ?? []);
      const facts = { account, names, trackers: own.length };
      found.set(number, facts);
      // Of a tracker that changed while they were read, the key is not known here.
      if (catalogue.version === version) this.#facts.set(number, facts);
    }
    return found;
  }
}

function stateOf({ account, names, trackers }: Facts, view: AccountView, nowMs: number): LiveState {
  const digits = moneyDigits(account.currency);
  const standing = standingNow(view, names);
  const { freshUtcMs, clockOffsetMs } = standing;
  const unexplained = view.unexplainedMovements();
  const told: Pick<Told, 'receivedAt' | 'standing'> = {
    ...(freshUtcMs === undefined ? {} : { receivedAt: isoTime(freshUtcMs) }),
    standing: {
      ...presentStanding(account, standing, { trackers, unexplained, nowMs }),
      ...(clockOffsetMs === undefined ? {} : { clockOffsetSeconds: clockOffsetMs / 1000 }),
    },
  };
  const statistics: Told['statistics'] = view
    .runningPeriods()
    .filter(({ trackerId }) => names.has(trackerId))
    .map((period) => ({ trackerId: period.trackerId, ...presentPeriod(period, digits) }));
  const hour = view.runningHour();
  return {
    staleAtMs: staleAt(account, freshUtcMs, nowMs),
    texts: [
      ['standing', fieldsOf(told)],
      ['statistics', fieldsOf({ statistics })],
      ...(hour ? ([['chart', `"chartItem":${jsonOfRunning(hour, digits)}`]] as const) : []),
    ],
  };
}

/** When the state changes by itself: a fresh snapshot becomes an old one. */
function staleAt({ deployed }: Account, freshUtcMs: number | undefined, nowMs: number): number {
  if (!deployed || freshUtcMs === undefined) return Number.POSITIVE_INFINITY;
  const atMs = freshUtcMs + FRESH_MS + 1;
  return atMs > nowMs ? atMs : Number.POSITIVE_INFINITY;
}

/** An object's JSON without its braces. */
const fieldsOf = (fields: object): string => JSON.stringify(fields).slice(1, -1);
