import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { presentEvent } from '../../src/feeds/present-event.ts';
import type { StoredCommit } from '../../src/journal/commit-codec.ts';
import {
  liveDealOf,
  partitionOf,
  partOfCommit,
  WITHOUT_SNAPSHOT,
} from '../../src/journal/entry.ts';
import type { Arrival } from '../simulation/oracle-items.ts';
import { FED } from './feeder.ts';
import type { Ledger, Poller, Write } from './ledger.ts';
import { keyOf, ReferenceAccount, type Told } from './reference-fold.ts';
import { wrongEnds, wrongVerdict } from './true-verdict.ts';
import type { AccountLife, Truth } from './truth.ts';

/** Where the rows of an account lie in the journal, and what its newest state was after each. */
type Course = {
  account: ReferenceAccount;
  /** The feeders' data, in the order of the journal. */
  arrivals: Arrival[];
  /** Those that were there before all of it; the stream may bring others later. */
  firstTrackers: Set<string>;
  firstEnrolments: EnrolmentDefinition[];
  positionsOfRows: Map<number, number[]>;
  positionsOfDeals: Map<string, number[]>;
  /** Times of all rows, in order. */
  rows: number[];
  hasChangedClock: boolean;
  isRemoved: boolean;
  /** Deals that came behind the removal, which their writers must not let happen. */
  dealsBehindRemoval: string[];
  states: { position: number; lastTimeMs: number; balance: number; equity: number }[];
};

/**
 * The requirements on a run, by all answers and by the journal: each check names its fault, if any.
 */
export class Verdict {
  readonly #truth: Truth;
  readonly #ledger: Ledger;
  readonly #courses = new Map<number, Course>();
  readonly failures: string[] = [];

  constructor(truth: Truth, ledger: Ledger, partitions: number, commits: readonly StoredCommit[]) {
    this.#truth = truth;
    this.#ledger = ledger;
    for (const life of truth.lives.values()) this.#courses.set(life.number, newCourse(life));
    for (const commit of commits) {
      for (const [number, course] of this.#courses) {
        const entry = commit.entryOf(partitionOf(number, partitions));
        const part = entry && partOfCommit(entry, number);
        if (part) follow(course, commit.position, part);
      }
    }
  }

  reference(accountNumber: number): ReferenceAccount | undefined {
    return this.#courses.get(accountNumber)?.account;
  }

  checkAll(): void {
    this.#checkWrites();
    this.#checkRemovals();
    this.#checkOrder();
    this.#checkEvents();
    for (const poller of this.#ledger.pollers) this.#checkPoller(poller);
    this.#checkAnswers();
    this.#checkWebhooks();
    this.#checkFed();
  }

  /** Accounts of feeders are judged by their facts, whatever the order of these in the journal. */
  #checkFed(): void {
    for (const [number, course] of this.#courses) {
      const { account, arrivals, firstTrackers, firstEnrolments } = course;
      const life = this.#truth.lives.get(number);
      if (!life?.id.startsWith(FED)) continue;
      const wrong = wrongVerdict(life, account, firstTrackers, arrivals);
      if (wrong !== undefined) this.#fail(`account ${number}: ${wrong}`);
      for (const definition of firstEnrolments) {
        const wrongEnd = wrongEnds(life, account, definition, arrivals);
        if (wrongEnd !== undefined) this.#fail(`account ${number}: ${wrongEnd}`);
      }
    }
  }

  #fail(what: string): void {
    this.failures.push(what);
  }

  /** Acknowledged data are in the journal once, for the right account. */
  #checkWrites(): void {
    for (const write of this.#ledger.writes) {
      for (const { accountId, timeMs } of write.rows) {
        const found = this.#rowsOf(write, accountId, timeMs);
        const isOnce = write.hasKey && !this.#ledger.areKeysForgotten;
        const most = isOnce ? 1 : write.attempts;
        const times = found.reduce((sum, { positions }) => sum + positions.length, 0);
        if (times > most) this.#fail(`${describe(write)} is in the journal ${times} times`);
        if (write.outcome === 'acknowledged' && times === 0) {
          this.#fail(`${describe(write)} was acknowledged and is not in the journal`);
        }
        // An earlier attempt may have been done, before the account was deleted.
        if (write.outcome === 'refused' && write.attempts === 1 && times > 0) {
          this.#fail(`${describe(write)} was refused and is in the journal`);
        }
        for (const { life } of found) this.#checkLife(write, life);
      }
      this.#checkDeals(write);
      this.#checkLate(write);
    }
  }

  #rowsOf({ userId }: Write, accountId: string, timeMs: number) {
    const found: { life: AccountLife; positions: number[] }[] = [];
    for (const life of this.#truth.lives.values()) {
      const positions = this.#courses.get(life.number)?.positionsOfRows.get(timeMs);
      if (life.userId === userId && life.id === accountId && positions) {
        found.push({ life, positions });
      }
    }
    return found;
  }

  #checkLife(write: Write, life: AccountLife): void {
    const isThere = life.fromMs <= (write.untilMs ?? Infinity) && life.untilMs >= write.fromMs;
    if (!isThere) this.#fail(`${describe(write)} went to account ${life.number} of another time`);
  }

  /** Deals are stored for an account that is there, and not behind its removal. */
  #checkDeals(write: Write): void {
    if (write.outcome !== 'acknowledged') return;
    for (const { accountId, id } of write.deals) {
      const own = [...this.#truth.lives.values()].filter(
        (life) =>
          life.userId === write.userId &&
          life.id === accountId &&
          life.fromMs <= (write.untilMs ?? Infinity) &&
          life.untilMs >= write.fromMs,
      );
      const isStored = own.some(
        ({ number }) => this.#courses.get(number)?.positionsOfDeals.has(id) ?? false,
      );
      if (!isStored) this.#fail(`deal ${id} of ${describe(write)} was acknowledged and is nowhere`);
    }
  }

  /** Deals are stored while their account is held: none comes behind its removal. */
  #checkRemovals(): void {
    for (const [number, { dealsBehindRemoval }] of this.#courses) {
      const [id] = dealsBehindRemoval;
      if (id !== undefined) this.#fail(`deal ${id} came when account ${number} had been deleted`);
    }
  }

  /** No more rows are reported late than came after newer ones. */
  #checkLate(write: Write): void {
    if (write.late === undefined) return;
    let most = 0;
    for (const [index, { accountId, timeMs }] of write.rows.entries()) {
      // The journal has the rows of a request in the order of their times.
      const isBehind = write.rows
        .slice(0, index)
        .some((row) => row.accountId === accountId && row.timeMs > timeMs);
      const isLate = this.#rowsOf(write, accountId, timeMs).some(({ life }) => {
        if (isBehind) return true;
        const course = this.#courses.get(life.number);
        // A row later by another clock need not be later.
        if (!course || course.hasChangedClock) return true;
        const place = course.rows.lastIndexOf(timeMs);
        return course.rows.slice(0, place).some((row) => row > timeMs);
      });
      if (isLate) most += 1;
    }
    if (write.late > most) {
      this.#fail(`${describe(write)} was told ${write.late} late rows, at most ${most} are`);
    }
  }

  /** Data acknowledged before other data were begun precede these in the journal. */
  #checkOrder(): void {
    const placed = this.#ledger.writes.flatMap((write) => {
      const all = write.rows.flatMap(({ accountId, timeMs }) =>
        this.#rowsOf(write, accountId, timeMs).flatMap(({ positions }) => positions),
      );
      return all.length > 0 ? [{ write, first: Math.min(...all), last: Math.max(...all) }] : [];
    });
    const acknowledged = placed
      .filter(({ write }) => write.outcome === 'acknowledged' && !write.hasKey)
      .sort((a, b) => (a.write.untilMs ?? 0) - (b.write.untilMs ?? 0));
    for (const { write, first } of placed) {
      let before = 0;
      for (const other of acknowledged) {
        if ((other.write.untilMs ?? Infinity) >= write.fromMs) break;
        before = Math.max(before, other.first);
      }
      if (first < before)
        this.#fail(`${describe(write)} came before what was acknowledged earlier`);
    }
  }

  /** Numbered events are the reference's, once each; all those of accounts that are there. */
  #checkEvents(): void {
    const told = new Map<string, string>();
    for (const { accountNumber, record, sequenceNumber } of this.#truth.events) {
      const own = keyOf(JSON.parse(record) as Told);
      const key = `${accountNumber} ${own}`;
      if (told.has(key)) this.#fail(`event ${sequenceNumber} was told twice`);
      told.set(key, record);
      const course = this.#courses.get(accountNumber);
      const expected = course?.account.events.find((known) => known.key === own);
      if (!expected) this.#fail(`event ${sequenceNumber} is false: ${record}`);
      else if (JSON.stringify(expected.event) !== record) {
        this.#fail(`event ${sequenceNumber} is ${record}, not ${JSON.stringify(expected.event)}`);
      }
    }
    for (const [number, { account }] of this.#courses) {
      if (this.#truth.lives.get(number)?.untilMs !== Infinity) continue;
      for (const { key, event } of account.events) {
        if (!told.has(`${number} ${key}`))
          this.#fail(`an event of account ${number} is missing: ${JSON.stringify(event)}`);
      }
    }
  }

  /**
   * Each poller saw all events of accounts that are there, in order, once, and none of deleted
   * ones.
   */
  #checkPoller({ name, userId, accountId, seen }: Poller): void {
    let last = 0;
    for (const { sequenceNumber, record, askedMs } of seen) {
      if (sequenceNumber <= last) this.#fail(`${name} was told ${sequenceNumber} after ${last}`);
      last = sequenceNumber;
      const event = this.#truth.events[sequenceNumber - 1];
      const life = event && this.#truth.lives.get(event.accountNumber);
      if (!event || !life || life.userId !== userId) {
        this.#fail(`${name} was told event ${sequenceNumber}, which is not of the user`);
        continue;
      }
      if (life.untilMs < askedMs) {
        this.#fail(`${name} was told event ${sequenceNumber} of an account that had been deleted`);
      }
      const shown = JSON.stringify(presentEvent({ ...event, event: JSON.parse(event.record) }));
      if (shown !== record) this.#fail(`${name} was told ${record} instead of ${shown}`);
    }
    const numbers = new Set(seen.map(({ sequenceNumber }) => sequenceNumber));
    for (const event of this.#truth.events) {
      const life = this.#truth.lives.get(event.accountNumber);
      const isOwn = life?.userId === userId && (accountId === undefined || life.id === accountId);
      // A request for one account may have been sent when another one had the id.
      const isThere = life?.untilMs === Infinity && (accountId === undefined || life.fromMs < 2000);
      if (isOwn && isThere && !numbers.has(event.sequenceNumber)) {
        this.#fail(`${name} was never told event ${event.sequenceNumber}`);
      }
    }
  }

  /** A request for this moment got a state with everything acknowledged before. */
  #checkAnswers(): void {
    for (const answer of this.#ledger.answers) {
      const life = this.#truth.lives.get(answer.accountNumber);
      const course = this.#courses.get(answer.accountNumber);
      if (!life || !course) continue;
      if (life.untilMs < answer.fromMs) {
        this.#fail(`account ${life.number} was shown after it had been deleted`);
      }
      const least = this.#acknowledgedBefore(life, course, answer.fromMs);
      const isTrue = course.states.some(
        (state, index) =>
          (course.states[index + 1]?.position ?? Infinity) > least &&
          same(state.lastTimeMs, answer.lastTimeMs) &&
          same(state.balance, answer.balance) &&
          same(state.equity, answer.equity),
      );
      if (!isTrue) {
        this.#fail(
          `account ${life.number} was shown as ${JSON.stringify(answer)}, which it was not at or after position ${least}`,
        );
      }
    }
  }

  #acknowledgedBefore(life: AccountLife, course: Course, beforeMs: number): number {
    let least = 0;
    for (const write of this.#ledger.writes) {
      const isBefore =
        write.outcome === 'acknowledged' &&
        write.userId === life.userId &&
        (write.untilMs ?? Infinity) < beforeMs;
      if (!isBefore) continue;
      for (const { accountId, timeMs } of write.rows) {
        if (accountId !== life.id) continue;
        for (const position of course.positionsOfRows.get(timeMs) ?? []) {
          if (write.hasKey || write.attempts === 1) least = Math.max(least, position);
        }
      }
    }
    return least;
  }

  /** Webhooks got all events of existing accounts, first deliveries in order. */
  #checkWebhooks(): void {
    for (const [userId, numbers] of this.#ledger.posted) {
      let last = 0;
      const seen = new Set<number>();
      for (const number of numbers) {
        if (seen.has(number)) continue;
        seen.add(number);
        if (number < last) this.#fail(`the webhook of ${userId} was sent ${number} after ${last}`);
        last = Math.max(last, number);
      }
      for (const { sequenceNumber, accountNumber } of this.#truth.events) {
        const life = this.#truth.lives.get(accountNumber);
        if (life?.userId !== userId || life.untilMs !== Infinity) continue;
        if (!seen.has(sequenceNumber)) {
          this.#fail(`the webhook of ${userId} was never sent ${sequenceNumber}`);
        }
      }
    }
  }
}

const newCourse = (life: AccountLife): Course => ({
  account: new ReferenceAccount(life),
  arrivals: [],
  firstTrackers: new Set(),
  firstEnrolments: [],
  positionsOfRows: new Map(),
  positionsOfDeals: new Map(),
  rows: [],
  hasChangedClock: false,
  isRemoved: false,
  dealsBehindRemoval: [],
  states: [{ position: 0, lastTimeMs: Number.NaN, balance: Number.NaN, equity: Number.NaN }],
});

type Part = NonNullable<ReturnType<typeof partOfCommit>>;

function follow(course: Course, position: number, part: Part): void {
  const { account } = course;
  if (part.command?.kind === 'clock-changed') course.hasChangedClock = true;
  if (course.isRemoved) course.dealsBehindRemoval.push(...part.deals.map(([, , id]) => id));
  if (part.command?.kind === 'account-removed') course.isRemoved = true;
  for (const timeMs of part.timeMs.subarray(0, part.rowCount)) {
    note(course.positionsOfRows, timeMs, position);
    course.rows.push(timeMs);
  }
  for (const [, , id] of part.deals) note(course.positionsOfDeals, id, position);
  if (course.rows.length === 0) {
    const { command } = part;
    if (command?.kind === 'tracker-added') course.firstTrackers.add(command.definition.id);
    if (command?.kind === 'enrolment-added') course.firstEnrolments.push(command.definition);
  }
  account.fold(position, part);
  course.arrivals.push(...arrivalsOf(part));
  const { lastTimeMs, balance, equity } = account.live;
  course.states.push({ position, lastTimeMs, balance, equity });
}

function arrivalsOf({ timeMs, balance, equity, deals, rowCount }: Part): Arrival[] {
  const dealsOf = (row: number) => deals.filter(([, of]) => of === row).map(liveDealOf);
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    deals: dealsOf(row),
    reading: {
      ...{ timeMs: timeMs[row] ?? 0, balance: balance[row] ?? 0, equity: equity[row] ?? 0 },
    },
  }));
  return [{ deals: dealsOf(WITHOUT_SNAPSHOT) }, ...rows];
}

function note<K>(positions: Map<K, number[]>, key: K, position: number): void {
  const known = positions.get(key);
  if (known) known.push(position);
  else positions.set(key, [position]);
}

const same = (known: number, shown: number | undefined): boolean =>
  Number.isNaN(known) ? shown === undefined : known === shown;

const describe = ({ what, userId, rows, fromMs }: Write): string =>
  `${what} of ${userId} at ${fromMs.toFixed(1)} (${rows.map(({ accountId, timeMs }) => `${accountId} ${timeMs}`).join(', ')})`;
