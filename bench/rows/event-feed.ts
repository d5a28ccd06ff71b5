import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { systemTime } from '../../src/app/system-time.ts';
import { kindOf } from '../../src/domain/live/live-records.ts';
import { EventNumbers } from '../../src/engine/event-numbers.ts';
import { EventWriter } from '../../src/engine/event-writer.ts';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { numberEvents } from '../../src/storage/event-number-store.ts';
import { type FoundEvent, subjectOf } from '../../src/storage/event-store.ts';
import { silent } from '../../test/servers/test-context.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { type BenchAccount, storeAccounts, storeUser } from '../data/user.ts';
import { GOALS } from '../goals.ts';
import { interleave, judge } from '../measure.ts';
import type { BenchRow, Result } from '../row.ts';

const WRITERS = 16;
const ACCOUNTS = 1000;
const ROLLED_BACK_EVERY = 50;
/** An SQLSTATE of nobody else's. */
const ROLLED_BACK = 'BENCH';
const TERMINATED_EVERY_MS = 100;

/** Numbers without gaps for events that many write at once, while backends are killed. */
export const eventFeed: BenchRow = {
  name: 'event-feed',
  what: `numbered events of ${WRITERS} writers, roll-backs and killed backends`,
  async run(bench) {
    if (!bench.databases.includes('postgres')) return [];
    await using stack = new AsyncDisposableStack();
    const numbered = await openFeed(stack, numberedWay);
    const naive = await openFeed(stack, naiveWay);
    // The same table, but that the database gives the number as the row is written.
    await naive.admin.query(`alter table tracker_event alter sequence_number set not null,
      alter sequence_number add generated always as identity`);
    const samples = await interleave(bench, {
      naive: () => naive.race(bench.seconds),
      numbered: () => numbered.race(bench.seconds),
    });
    const peer = { name: 'naive identity column', samples: samples.naive };
    bench.progress(`  naive: ${JSON.stringify(naive.faults)}`);
    bench.progress(`  numbered: ${JSON.stringify(numbered.faults)}`);
    return [
      judge(
        'event feed, PostgreSQL',
        'events/s',
        samples.numbered,
        peer,
        GOALS.eventsToIdentityColumn,
      ),
      countOf(numbered.faults),
    ];
  },
};

type Faults = { missed: number; twice: number; gaps: number };

function countOf({ missed, twice, gaps }: Faults): Result {
  const wrong = missed + twice + gaps;
  return {
    ...{ name: 'events missed, twice, or numbers with a gap', value: wrong, unit: 'events' },
    ...{ against: 'none', againstValue: 0, ratio: wrong, spread: [wrong, wrong] as const },
    ...{ goal: '≤ 0', met: wrong === 0 },
  };
}

/**
 * How a writer stores an event, durably, and how to wait until all that are stored have numbers.
 */
type Way = { store(writer: number, found: FoundEvent): Promise<void>; settle(): Promise<void> };

/** As the partitions of an engine do it, each writer one of them. */
function numberedWay(database: Database): Way {
  const numbers = new EventNumbers(database, systemTime, silent);
  const events = new EventWriter(database, Date.now, () => numbers.wake());
  return {
    async store(writer, found) {
      await events.store(writer, 0, [found]);
    },
    async settle() {
      for (;;) {
        const last = await numberEvents(database).catch(() => undefined);
        if (last !== undefined) return;
        await sleep(3);
      }
    },
  };
}

/** The same row, by the statement that one would write first. */
function naiveWay(database: Database): Way {
  return {
    async store(writer, { accountNumber, event, moneyDigits, position, ordinal, beforeBreach }) {
      await database.run(
        `insert into tracker_event (account_number, tracker_id, start_time_ms, round, user_id,
           position, partition_id, ordinal, time_ms, kind, money_digits, record, before_breach,
           after_breach, watched)
         select number, $2, $3, $4, user_id, $5, $6, $7, $8, $9, $10, $11, $12, ''::bytea, 1
         from account where number = $1
         on conflict (account_number, tracker_id, kind, start_time_ms, round) do nothing`,
        [
          ...[accountNumber, ...subjectOf(event), position, writer, ordinal],
          ...[event.timeMs, kindOf(event), moneyDigits, JSON.stringify(event)],
          beforeBreach,
        ],
      );
    },
    settle: async () => {},
  };
}

async function openFeed(
  stack: AsyncDisposableStack,
  wayOf: (database: Database) => Way,
): Promise<Feed> {
  const { database, environment, close } = await openTestDatabase('postgres');
  stack.defer(close);
  await storeUser(database);
  const accounts = await database.transaction((tx) => storeAccounts(tx, ACCOUNTS));
  const admin = new pg.Client({ connectionString: environment.DATABASE_URL });
  await admin.connect();
  stack.defer(() => admin.end());
  await admin.query(ROLL_BACK);
  return new Feed(database, admin, wayOf(database), accounts);
}

/** Some events fail after they were written, and with them all that their statement did. */
const ROLL_BACK = `
  create function roll_back() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '${ROLLED_BACK}'; end $$;
  create constraint trigger roll_back after insert on tracker_event for each row
    when (new.start_time_ms % ${ROLLED_BACK_EVERY} = 0) execute function roll_back()`;

const isExpected = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  (error instanceof pg.DatabaseError && error.code === ROLLED_BACK);

class Feed {
  readonly admin: pg.Client;
  readonly faults: Faults = { missed: 0, twice: 0, gaps: 0 };
  readonly #database: Database;
  readonly #way: Way;
  readonly #accounts: readonly BenchAccount[];
  #written = 0;
  #last = 0;

  constructor(database: Database, admin: pg.Client, way: Way, accounts: readonly BenchAccount[]) {
    this.#database = database;
    this.admin = admin;
    this.#way = way;
    this.#accounts = accounts;
  }

  /**
   * Events a second that all writers commit while backends are killed, up to the last that gets its
   * number, beside a poller that should see each of them once.
   */
  async race(seconds: number): Promise<number> {
    const began = performance.now();
    const endMs = began + seconds * 1000;
    const first = this.#last;
    const numbers = { isOver: false };
    const polling = this.#poll(numbers);
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer, endMs));
    const [committed] = await Promise.all([Promise.all(writers), this.#terminate(endMs)]);
    await this.#way.settle();
    const took = (performance.now() - began) / 1000;
    numbers.isOver = true;
    const seen = await polling;
    const written = committed.reduce((sum, count) => sum + count, 0);
    this.#last = seen.at(-1) ?? first;
    // A commit whose answer was lost may be in as well: never fewer than those that were answered.
    this.faults.missed += Math.max(0, written - seen.length);
    this.faults.twice += seen.length - new Set(seen).size;
    this.faults.gaps += this.#last - first - seen.length;
    return written / took;
  }

  /** The number of commits that were answered. */
  async #write(writer: number, endMs: number): Promise<number> {
    let committed = 0;
    while (performance.now() < endMs) {
      this.#written += 1;
      const number = this.#written;
      const account = this.#accounts[number % ACCOUNTS];
      if (!account) throw new Error('Invariant: there are accounts');
      try {
        await this.#way.store(writer, eventOf(account, writer, number));
        committed += 1;
      } catch (error) {
        if (!isExpected(error)) throw error;
        await sleep(1);
      }
    }
    return committed;
  }

  async #terminate(endMs: number): Promise<void> {
    while (performance.now() < endMs) {
      await sleep(TERMINATED_EVERY_MS);
      await this.admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() limit 1`,
      );
    }
  }

  async #poll(numbers: { isOver: boolean }): Promise<number[]> {
    const seen: number[] = [];
    for (let isLast = false; ; ) {
      isLast = numbers.isOver;
      const after = seen.at(-1) ?? this.#last;
      const read = readFeed(this.#database, after, 1000);
      const events = await read.then((page) => page.events).catch(() => []);
      for (const { sequenceNumber } of events) seen.push(sequenceNumber);
      if (isLast && events.length === 0) return seen;
      await sleep(5);
    }
  }
}

const eventOf = (account: BenchAccount, writer: number, number: number): FoundEvent => ({
  ...{ accountNumber: account.number, moneyDigits: 4, position: number, ordinal: 0 },
  ...{ beforeBreach: new Uint8Array(), isOver: false },
  event: {
    ...{ accountId: account.id, trackerId: `tracker-${writer}`, period: 'day' },
    ...{ startTimeMs: number, timeMs: number, exceededThresholdType: 'drawdown' },
    ...{ absoluteDrawdown: 1, relativeDrawdown: 0.1, absoluteProfit: 0, relativeProfit: 0 },
    ...{ allowed: 0, inclusive: false, baseline: 1, initialBalance: 1, balance: 1 },
    ...{ equity: 0, adjustment: 0, round: 0 },
  },
});
