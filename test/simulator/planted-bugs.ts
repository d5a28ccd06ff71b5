import { NO_FAULTS } from './faults.ts';
import type { Given } from './simulation.ts';

/** A change of the source that restores a bug: each `from` occurs once in its file. */
export type PlantedBug = {
  name: string;
  /** The symptom, in a sentence. */
  what: string;
  edits: readonly { file: string; from: string; to: string }[];
  /**
   * The first world that finds it; as histories move with the code, later ones are lived through.
   */
  seed: number;
  /** Properties of worlds that find it: others rarely would. */
  given?: Given;
  /**
   * Worlds of deals and reports, of jobs that are shared out, or of actions at breaches, instead of
   * snapshots.
   */
  of?: 'books' | 'claims' | 'breaches';
};

/** What a verdict depends on is seen best where all of a feed arrives. */
const FED_IN_PEACE: Given = {
  faults: { ...NO_FAULTS },
  habits: { ...{ feeders: 2, accounts: 1, writers: 1, meanPauseMs: 200 }, deletions: 0 },
};

/** An account in a phase with rules over deals, too. */
const ENROLLED_IN_PEACE: Given = {
  ...FED_IN_PEACE,
  habits: { ...FED_IN_PEACE.habits, enrolments: 0.1 },
};

/**
 * Bugs that Plimsoll had once, or would have without a line that looks idle. The simulator must
 * find them: see planted-bugs.test.ts. `npm run simulate` lives with one when its name is in
 * PLANTED_BUG and plant.ts is imported first.
 */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'former-owner',
    what: "A former owner folds entries onto its successor's state and stores the events it finds",
    seed: 5054,
    // Owners are held up, and others take over, while many snapshots break limits.
    given: {
      faults: { pauses: 40 },
      habits: { swing: 8, trackers: 0.1, speed: 60_000, meanPauseMs: 50 },
    },
    edits: [
      {
        file: 'src/engine/partition-fold.ts',
        from: 'if (account.loadedPosition >= position) continue;',
        to: '',
      },
      {
        file: 'src/engine/partition.ts',
        from: 'await checkOwner(database, this.number, this.epoch);',
        to: '',
      },
      {
        file: 'src/storage/event-store.ts',
        from: 'if (!(await isClaimed(tx, epoch))) left.push(own);\n    else for',
        to: 'for',
      },
    ],
  },
  {
    name: 'feed-gap',
    what: 'A poller is matched with a memory whose floor has moved while it read',
    seed: 20_270,
    // Events come while pollers read, and accounts are many enough that more come while they wait.
    given: {
      faults: { slow: 0.9, kills: 0, cuts: 0 },
      habits: {
        ...{ accounts: 4, writers: 4, meanPauseMs: 20, meanPollPauseMs: 10 },
        ...{ speed: 60_000, swing: 8, trackers: 0.2, feeders: 0 },
      },
    },
    edits: [
      {
        file: 'src/feeds/event-feed.ts',
        from: 'after = known;',
        to: `const recent = match({ ...query, after }, this.#recent);
          if (recent.length > 0 || waitMs <= 0) return recent;
          return this.#wait({ ...query, after }, waitMs, signal);`,
      },
    ],
  },
  {
    name: 'unanswered-claim',
    what: 'A partition whose claim was never answered names a process that does not fold it',
    seed: 1643,
    edits: [
      {
        file: 'src/claims/claims.ts',
        from: 'else if (await deleteClaim(database, fence)) this.#notifyOthers();',
        to: 'else this.#unknown.set(fence, sinceMs);',
      },
    ],
  },
  {
    name: 'deals-of-nobody',
    what: 'Deals are stored for an account that was deleted since it was looked up',
    seed: 61,
    edits: [
      {
        file: 'src/ingest/careful-writer.ts',
        from: 'if (await holdAccount(tx, number)) continue;',
        to: 'if (number > 0) continue;',
      },
    ],
  },
  {
    name: 'late-before-commit',
    what: 'What was known of an account moves on before the commit that may fail',
    seed: 5,
    edits: [
      {
        file: 'src/ingest/commit-draft.ts',
        from: 'if (!isLate) draft.lastUtcMs = moment;',
        to: 'if (!isLate) draft.lastUtcMs = draft.newest.utcMs = moment;',
      },
    ],
  },
  {
    name: 'part-of-import',
    what: 'Statistics are told while a report is stored, of the part that is there',
    seed: 44,
    of: 'books',
    edits: [
      {
        file: 'src/histories/compute-trades.ts',
        from: 'isLast && history.isSettled',
        to: 'isLast',
      },
    ],
  },
  {
    name: 'finished-import',
    what: 'An import is taken back that was finished, as the answer to that got lost',
    seed: 324,
    of: 'books',
    edits: [
      {
        file: 'src/storage/import-store.ts',
        from: "state = 'leaving' where number = $1 and state = $2`,\n    [number, from],",
        to: "state = 'leaving' where number = $1`,\n    [number],",
      },
    ],
  },
  {
    name: 'pace-of-a-day',
    what: 'The days since trading started are told as of the beginning of the day, not of the question',
    seed: 51_488,
    of: 'books',
    edits: [
      {
        file: 'src/services/metrics/read-metrics.ts',
        from: 'presentPace(traded, nowMs)',
        to: 'presentPace(traded, Math.floor(nowMs / DAY_MS) * DAY_MS)',
      },
    ],
  },
  {
    name: 'no-fence',
    what: 'What follows from a claim is stored though it was lost',
    seed: 2,
    given: { faults: { pauses: 40, cuts: 20 } },
    of: 'claims',
    edits: [
      {
        file: 'src/storage/claim-store.ts',
        from: '  return row !== undefined;\n}\n\n/** False if it was lost before. */',
        to: '  return row !== null;\n}\n\n/** False if it was lost before. */',
      },
    ],
  },
  {
    name: 'silence-by-the-clock',
    what: 'How long a process is silent is measured by a clock that somebody sets',
    seed: 37,
    given: { faults: { clocks: 20, kills: 10, pauses: 5 } },
    of: 'claims',
    edits: [
      {
        file: 'src/claims/silence.ts',
        from: 'const nowMs = this.#time.elapsed();',
        to: 'const nowMs = this.#time.now();',
      },
    ],
  },
  {
    name: 'clock-of-a-deal',
    what: "Whether a balance includes a deal is told by comparing the deal's clock with the feeder's",
    seed: 21,
    given: FED_IN_PEACE,
    edits: [
      {
        file: 'src/domain/live/deal-placement.ts',
        from: 'if (least === most) return byTime;',
        to: 'return byTime;',
      },
    ],
  },
  {
    name: 'only-corrected',
    what: 'A deal that becomes known late corrects the start of a period, and no maximum',
    seed: 1,
    given: FED_IN_PEACE,
    edits: [
      {
        file: 'src/domain/live/fold-deals.ts',
        from: 'const from = window?.base ?? account;',
        to: 'const from = account;',
      },
      {
        file: 'src/domain/live/fold-deals.ts',
        from: 'if (window) countLate(account, deal);',
        to: '',
      },
    ],
  },
  {
    name: 'forgotten-window',
    what: 'What late deals may still change is forgotten when a process ends',
    seed: 25,
    given: { habits: { feeders: 2 }, faults: { kills: 10 } },
    edits: [
      {
        file: 'src/domain/live/window-codec.ts',
        from: '...(window ? { window: storedWindow(window, encode) } : {}),',
        to: '',
      },
    ],
  },
  {
    name: 'minutes-behind',
    what: 'Closed minutes are stored a slice after the states that are folded beyond them',
    seed: 2,
    // Recent snapshots, for longer than a minute of the market.
    given: { habits: { speed: 600 }, faults: { kills: 10 } },
    edits: [
      {
        file: 'src/engine/checkpointer.ts',
        from: 'slice.minutes = minutes.take();',
        to: `const before = backlog as { late?: typeof slice.minutes };
        slice.minutes = before.late ?? [];
        before.late = minutes.take();`,
      },
    ],
  },
  {
    name: 'order-of-arrival',
    what: 'Rules over deals judge deals in the order in which they came, and not of their time',
    seed: 6,
    given: ENROLLED_IN_PEACE,
    edits: [
      {
        file: 'src/domain/programs/deal-rules.ts',
        from: 'this.#kept = [...this.#kept, ...deals].sort(compareDeals);',
        to: 'this.#kept = [...this.#kept, ...deals];',
      },
      {
        file: 'src/domain/programs/deal-verdict.ts',
        from: '(deals, isOpen) => inOrderOfExecution(deals, clock, ({ trade }) => trade, isOpen)',
        to: '(deals) => [...deals]',
      },
    ],
  },
  {
    name: 'late-deal-unjudged',
    what: 'A deal that snapshots passed by before it came is not judged by the rules over deals',
    seed: 2,
    given: ENROLLED_IN_PEACE,
    edits: [
      {
        file: 'src/domain/programs/fold-deal-rules.ts',
        from: 'const trades = deals.flatMap(tradeDeals);',
        to: `const trades = deals
          .filter(({ timeMs }) => !(timeMs < account.lastTimeMs - 60_000))
          .flatMap(tradeDeals);`,
      },
    ],
  },
  {
    name: 'end-once-told',
    what: 'An end by deals stands, though a deal that came later removes its ground',
    seed: 315,
    given: ENROLLED_IN_PEACE,
    edits: [
      {
        file: 'src/domain/programs/fold-deal-rules.ts',
        from: 'enrolment.dispute = broken ? FAILED_BY_DEALS : FAILED_IN_DISPUTE;',
        to: 'enrolment.dispute = FAILED_BY_DEALS;',
      },
    ],
  },
  {
    name: 'early-reset',
    what: 'Trading is enabled again some seconds before the reset',
    seed: 7,
    of: 'breaches',
    edits: [
      {
        file: 'src/storage/breach-action-store.ts',
        from: '.period_end_ms <= $1)',
        to: '.period_end_ms <= $1 + 3000)',
      },
    ],
  },
  {
    name: 'unasked-platform',
    what: 'An action is done again after a kill, as nobody asks the platform for its effect',
    seed: 1,
    given: { faults: { kills: 20 } },
    of: 'breaches',
    edits: [
      {
        file: 'src/workers/breach-worker/attempt-action.ts',
        from: 'if (await isThere()) return { ...done, isFound: !isBegun };',
        to: '',
      },
    ],
  },
  {
    name: 'confirmed-reset',
    what: 'What once confirmed a reset still does after a later breach has disabled trading',
    seed: 506,
    of: 'breaches',
    edits: [
      {
        file: 'src/storage/breach-action-store.ts',
        from: "isConfirmed && moment !== 'reset'",
        to: 'isConfirmed',
      },
    ],
  },
  {
    name: 'untold-action',
    what: 'An action that runs when its account is deleted goes with it, and nothing tells of it',
    seed: 1_160,
    of: 'breaches',
    edits: [
      {
        file: 'src/storage/breach-action-store.ts',
        from: `where account_number = $1 and \${IS_OPEN} returning`,
        to: "where account_number = $1 and state = 'waiting' returning",
      },
      {
        file: 'src/storage/breach-action-store.ts',
        from: "is_found = $7 where id = $1 and state = 'running'",
        to: 'is_found = $7 where id = $1',
      },
    ],
  },
  {
    name: 'earlier-ban',
    what: 'A reset enables trading that an earlier, longer breach has disabled late',
    seed: 1174,
    of: 'breaches',
    edits: [
      {
        file: 'src/storage/breach-action-store.ts',
        from: '(id > $5 or ended_at_ms is null or ended_at_ms >= $7)',
        to: '(id > $5 or $7 is null)',
      },
    ],
  },
  {
    name: 'stranger-ban',
    what: 'What another breach has disabled counts as disabled by somebody else',
    seed: 77_024,
    of: 'breaches',
    edits: [
      {
        file: 'src/storage/breach-action-store.ts',
        from: 'and period_end_ms > own.created_at_ms and period_end_ms <= $6',
        to: 'and period_end_ms > own.created_at_ms and period_end_ms < 0 * $6',
      },
    ],
  },
  {
    name: 'early-sweep',
    what: 'Rows of a deleted account are swept while its owner may still store hours of it',
    seed: 8,
    // Owners are slow, and what they store comes late, while many accounts are deleted.
    given: {
      faults: { ...NO_FAULTS, slow: 0.6, lost: 0.02, late: 0.06 },
      habits: {
        ...{ accounts: 4, writers: 4, meanPauseMs: 20, speed: 60_000, deletions: 0.3 },
        ...{ feeders: 0, swing: 1, enrolments: 0 },
      },
    },
    edits: [
      {
        file: 'src/storage/removed-account-store.ts',
        from: 'where is_folded = 1',
        to: 'where 1 = 1',
      },
      // Once a second it would come in time too rarely to be found soon.
      {
        file: 'src/workers/sweeper.ts',
        from: 'const EVERY_MS = 1000;',
        to: 'const EVERY_MS = 20;',
      },
    ],
  },
];
