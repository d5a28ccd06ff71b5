import pg from 'pg';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import {
  type FoundEvent,
  insertEvent,
  numberEvents,
  readFeed,
} from '../../src/storage/event-store.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { accountId, storeAccounts, storeUser } from '../data/user.ts';
import { interleave, judge } from '../measure.ts';
import type { Bench, BenchRow, Result } from '../row.ts';

const WRITERS = 16;
const ROLLED_BACK_EVERY = 50;
const TERMINATED_EVERY_MS = 100;

/** Numbers without gaps for events that many write at once, while backends are killed. */
export const eventFeed: BenchRow = {
  name: 'event-feed',
  what: `numbered events of ${WRITERS} writers, roll-backs and killed backends`,
  async run(bench) {
    if (!bench.databases.includes('postgres')) return [];
    await using stack = new AsyncDisposableStack();
    const stored = await openTestDatabase('postgres');
    stack.defer(() => stored.close());
    const { database } = stored;
    await storeUser(database);
    await database.transaction((tx) => storeAccounts(tx, 1));
    const admin = new pg.Client({ connectionString: stored.environment.DATABASE_URL });
    await admin.connect();
    stack.defer(() => admin.end());
    await admin.query(`create table naive_event (id bigint generated always as identity primary key,
      account_id text, body text, evidence bytea)`);
    const faults = { missed: 0, twice: 0, gaps: 0 };
    const feed = new Feed(database, admin, faults);
    const samples = await interleave(bench, {
      naive: () => feed.race(bench.seconds, (writer, number) => naive(database, writer, number)),
      numbered: () => feed.raceNumbered(bench.seconds),
    });
    const peer = { name: 'naive identity column', samples: samples.naive };
    const wrong = faults.missed + faults.twice + faults.gaps;
    return [
      judge('event feed, PostgreSQL', 'events/s', samples.numbered, peer, { atLeast: 0.7 }),
      countOf(wrong, faults, bench),
    ];
  },
};

type Faults = { missed: number; twice: number; gaps: number };

function countOf(wrong: number, faults: Faults, bench: Bench): Result {
  bench.progress(`  ${JSON.stringify(faults)}`);
  return {
    ...{ name: 'events missed, twice, or numbers with a gap', value: wrong, unit: 'events' },
    ...{ against: 'none', againstValue: 0, ratio: wrong, spread: [wrong, wrong] as const },
    ...{ goal: '≤ 0', met: wrong === 0 },
  };
}

class RolledBack extends Error {}

async function naive(database: Database, writer: number, number: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.get('select user_id, currency from account where id = $1', [accountId(0)]);
    await tx.run('insert into naive_event (account_id, body, evidence) values ($1, $2, $3)', [
      accountId(0),
      JSON.stringify(eventOf(writer, number).event),
      new Uint8Array(),
    ]);
    if (number % ROLLED_BACK_EVERY === 0) throw new RolledBack();
  });
}

class Feed {
  readonly #database: Database;
  readonly #admin: pg.Client;
  readonly #faults: Faults;
  #number = 0;
  #last = 0;

  constructor(database: Database, admin: pg.Client, faults: Faults) {
    this.#database = database;
    this.#admin = admin;
    this.#faults = faults;
  }

  /** Events a second that all writers commit while backends are killed. */
  async race(
    seconds: number,
    write: (writer: number, number: number) => Promise<void>,
  ): Promise<number> {
    const began = performance.now();
    const isOver = (): boolean => performance.now() > began + seconds * 1000;
    let committed = 0;
    const writer = async (_unused: unknown, index: number): Promise<void> => {
      while (!isOver()) {
        this.#number += 1;
        const number = this.#number;
        try {
          await write(index, number);
          committed += 1;
        } catch (error) {
          if (!(error instanceof RolledBack || error instanceof DatabaseUnavailable)) throw error;
        }
      }
    };
    const terminate = async (): Promise<void> => {
      while (!isOver()) {
        await new Promise((resolve) => setTimeout(resolve, TERMINATED_EVERY_MS));
        await this.#admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() limit 1`,
        );
      }
    };
    await Promise.all([terminate(), ...Array.from({ length: WRITERS }).map(writer)]);
    return committed / ((performance.now() - began) / 1000);
  }

  /** The same, until all have their numbers, beside a poller that must see each of them once. */
  async raceNumbered(seconds: number): Promise<number> {
    const began = performance.now();
    const first = this.#last;
    const committed: number[] = [];
    const seen: number[] = [];
    let isWriting = true;
    const number = async (): Promise<void> => {
      for (let isDone = false; isWriting || !isDone; ) {
        isDone = await this.#database.transaction(numberEvents).catch(() => false);
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
    };
    const numbering = number();
    let isNumbering = true;
    const poll = async (): Promise<void> => {
      for (let isLast = false; ; ) {
        isLast = !isNumbering;
        const events = await readFeed(this.#database, seen.at(-1) ?? first, 1000).catch(() => []);
        seen.push(...events.map(({ sequenceNumber }) => sequenceNumber));
        if (isLast && events.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const polling = poll();
    await this.race(seconds, async (writer, number) => {
      await this.#database.transaction(async (tx) => {
        await insertEvent(tx, eventOf(writer, number), () => 4);
        if (number % ROLLED_BACK_EVERY === 0) throw new RolledBack();
      });
      committed.push(number);
    });
    isWriting = false;
    await numbering;
    isNumbering = false;
    const took = (performance.now() - began) / 1000;
    await polling;
    this.#last = seen.at(-1) ?? first;
    // A commit whose answer was lost may be in as well: never fewer than those that were answered.
    this.#faults.missed += Math.max(0, committed.length - seen.length);
    this.#faults.twice += seen.length - new Set(seen).size;
    this.#faults.gaps += this.#last - first - seen.length;
    return seen.length / took;
  }
}

const eventOf = (writer: number, number: number): FoundEvent => ({
  ...{ accountCreatedAtMs: 1, partition: writer, position: number, ordinal: 0 },
  beforeBreach: new Uint8Array(),
  event: {
    ...{ accountId: accountId(0), trackerId: `tracker-${writer}`, period: 'day' },
    ...{ startTimeMs: number, timeMs: number, exceededThresholdType: 'drawdown' },
    ...{ absoluteDrawdown: 1, relativeDrawdown: 0.1, absoluteProfit: 0, relativeProfit: 0 },
    ...{ allowed: 0, baseline: 1, initialBalance: 1, balance: 1, equity: 0, adjustment: 0 },
  },
});
