import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import {
  type FoundEvent,
  insertEvent,
  numberEvents,
  readFeed,
} from '../../src/storage/event-store.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { Random } from '../simulation/random.ts';
import { simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { storeSimulatedAccounts } from './live-fixture.ts';

const WRITERS = 16;
const EVENTS_EACH = 60;
const SEED = 4;

const found = (accountId: string, writer: number, number: number): FoundEvent => ({
  accountCreatedAtMs: 1,
  moneyDigits: 4,
  partition: writer,
  position: number,
  ordinal: 0,
  beforeBreach: new Uint8Array(),
  event: {
    accountId,
    trackerId: `tracker-${writer}`,
    period: 'day',
    startTimeMs: number,
    timeMs: number,
    exceededThresholdType: 'drawdown',
    absoluteDrawdown: 1,
    relativeDrawdown: 0.1,
    absoluteProfit: 0,
    relativeProfit: 0,
    allowed: 0,
    inclusive: false,
    baseline: 1,
    initialBalance: 1,
    balance: 1,
    equity: 0,
    adjustment: 0,
  },
});

class RolledBack extends Error {}

describe('numbers of events on postgres', () => {
  it(`has no gap, none missed and none twice with ${WRITERS} writers (seed ${SEED})`, async () => {
    const stored = await openTestDatabase('postgres');
    const { database } = stored;
    const [account] = simulatedAccounts(1, 1, 0, 0);
    if (account) await storeSimulatedAccounts(database, [account]);
    const random = new Random(SEED);
    let committed = 0;
    let isWriting = true;
    let isKilling = true;
    const write = async (writer: number): Promise<void> => {
      for (let number = 1; number <= EVENTS_EACH; ) {
        const isRolledBack = random.chance(0.02);
        try {
          await database.transaction(async (tx) => {
            await insertEvent(tx, found(account?.id ?? '', writer, number));
            if (random.chance(0.5)) await numberEvents(tx);
            if (isRolledBack) throw new RolledBack();
          });
          committed += 1;
          number += 1;
          if (random.chance(0.5)) await database.transaction(numberEvents);
        } catch (error) {
          // A commit whose answer was lost is tried again: the same event is stored once.
          if (!(error instanceof RolledBack || error instanceof DatabaseUnavailable)) throw error;
        }
      }
    };
    const poll = async (): Promise<number[]> => {
      const seen: number[] = [];
      for (let isLast = false; ; ) {
        const events = await readFeed(database, seen.at(-1) ?? 0, 1000).catch(() => []);
        seen.push(...events.map(({ sequenceNumber }) => sequenceNumber));
        if (isLast) return seen;
        isLast = !isWriting;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const terminate = async (): Promise<void> => {
      const admin = new pg.Client({ connectionString: stored.environment.DATABASE_URL });
      await admin.connect();
      while (isKilling) {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() limit 1`,
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await admin.end();
    };
    const pollers = [poll(), poll()];
    const terminator = terminate();
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isKilling = false;
    await terminator;
    while (!(await database.transaction(numberEvents)));
    isWriting = false;
    const expected = Array.from({ length: WRITERS * EVENTS_EACH }, (_, index) => index + 1);
    for (const seen of await Promise.all(pollers)) assert.deepEqual(seen, expected);
    assert.ok(committed >= expected.length);
    await stored.close();
  });
});
