import { setTimeout as sleep } from 'node:timers/promises';
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
import type { BenchRow, Result } from '../row.ts';

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
    const numbered = await openFeed(stack);
    const naive = await openFeed(stack);
    // The same table, but that the database gives the number as the row is written.
    await naive.admin.query(`alter table tracker_event alter sequence_number set not null,
      alter sequence_number add generated always as identity`);
    const samples = await interleave(bench, {
      naive: () => naive.race(bench.seconds, false),
      numbered: () => numbered.race(bench.seconds, true),
    });
    const peer = { name: 'naive identity column', samples: samples.naive };
    bench.progress(`  naive: ${JSON.stringify(naive.faults)}`);
    bench.progress(`  numbered: ${JSON.stringify(numbered.faults)}`);
    return [
      judge('event feed, PostgreSQL', 'events/s', samples.numbered, peer, { atLeast: 0.7 }),
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

async function openFeed(stack: AsyncDisposableStack): Promise<Feed> {
  const stored = await openTestDatabase('postgres');
  stack.defer(() => stored.close());
  await storeUser(stored.database);
  await stored.database.transaction((tx) => storeAccounts(tx, 1));
  const admin = new pg.Client({ connectionString: stored.environment.DATABASE_URL });
  await admin.connect();
  stack.defer(() => admin.end());
  return new Feed(stored.database, admin);
}

class RolledBack extends Error {}
const isExpected = (error: unknown): boolean =>
  error instanceof RolledBack || error instanceof DatabaseUnavailable;

class Feed {
  readonly admin: pg.Client;
  readonly faults: Faults = { missed: 0, twice: 0, gaps: 0 };
  readonly #database: Database;
  #written = 0;
  #last = 0;

  constructor(database: Database, admin: pg.Client) {
    this.#database = database;
    this.admin = admin;
  }

  /**
   * Events a second that all writers commit while backends are killed, up to the last that gets its
   * number, beside a poller that should see each of them once.
   */
  async race(seconds: number, isNumbered: boolean): Promise<number> {
    const began = performance.now();
    const endMs = began + seconds * 1000;
    const first = this.#last;
    const writing = { isOver: false };
    const numbering = isNumbered ? this.#number(writing) : undefined;
    const numbers = { isOver: false };
    const polling = this.#poll(numbers);
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer, endMs));
    const [committed] = await Promise.all([Promise.all(writers), this.#terminate(endMs)]);
    writing.isOver = true;
    await numbering;
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
      try {
        await this.#database.transaction(async (tx) => {
          await insertEvent(tx, eventOf(writer, number));
          if (number % ROLLED_BACK_EVERY === 0) throw new RolledBack();
        });
        committed += 1;
      } catch (error) {
        if (!isExpected(error)) throw error;
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

  async #number(writing: { isOver: boolean }): Promise<void> {
    for (;;) {
      // A numbering that began before the last commit may not have seen it.
      const isLast = writing.isOver;
      const isDone = await this.#database.transaction(numberEvents).catch(() => false);
      if (isLast && isDone) return;
      await sleep(3);
    }
  }

  async #poll(numbers: { isOver: boolean }): Promise<number[]> {
    const seen: number[] = [];
    for (let isLast = false; ; ) {
      isLast = numbers.isOver;
      const after = seen.at(-1) ?? this.#last;
      const events = await readFeed(this.#database, after, 1000).catch(() => []);
      for (const { sequenceNumber } of events) seen.push(sequenceNumber);
      if (isLast && events.length === 0) return seen;
      await sleep(5);
    }
  }
}

const eventOf = (writer: number, number: number): FoundEvent => ({
  ...{ accountCreatedAtMs: 1, moneyDigits: 4, partition: writer, position: number, ordinal: 0 },
  beforeBreach: new Uint8Array(),
  event: {
    ...{ accountId: accountId(0), trackerId: `tracker-${writer}`, period: 'day' },
    ...{ startTimeMs: number, timeMs: number, exceededThresholdType: 'drawdown' },
    ...{ absoluteDrawdown: 1, relativeDrawdown: 0.1, absoluteProfit: 0, relativeProfit: 0 },
    ...{ allowed: 0, inclusive: false, baseline: 1, initialBalance: 1, balance: 1 },
    ...{ equity: 0, adjustment: 0 },
  },
});
