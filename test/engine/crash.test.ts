import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import type { PeriodStatistics } from '../../src/domain/live/live-records.ts';
import { trackersOf } from '../../src/domain/programs/phase-trackers.ts';
import type { Account } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { readHours } from '../../src/storage/hour-store.ts';
import { readLiveAccounts } from '../../src/storage/live-store.ts';
import { readMinutes } from '../../src/storage/minute-store.ts';
import { readPeriods } from '../../src/storage/tracker-store.ts';
import { needs, often } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { BARE_ENVIRONMENT } from '../servers/plimsoll-bin.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { FoldedFeed } from '../simulation/fold-feed.ts';
import { Random } from '../simulation/random.ts';
import { type SimulatedAccount, simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { simulatedEnrolment } from '../simulation/simulated-enrolments.ts';
import { admissible, simulateFeed } from '../simulation/simulated-feed.ts';
import { type FeedBatch, timeOfWire } from '../simulation/wire.ts';
import { storeSimulatedAccounts } from './live-fixture.ts';

needs('postgres', 'server');

const CHILD = fileURLToPath(new URL('./ingest-process.ts', import.meta.url));
const SEED = seedOr(20_260_301);
const KILLS = Number(process.env.PLIMSOLL_TEST_KILLS ?? often(2, 5));
/** Two weeks around the change of New York's clock. */
const START_UTC_MS = Date.UTC(2026, 2, 1);
const DAYS = 14;

class Server {
  readonly #environment: Record<string, string>;
  #child: ChildProcess | undefined;
  #died: Promise<false> = Promise.resolve(false);
  #acknowledge: () => void = () => {};

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const env = { ...BARE_ENVIRONMENT, ...this.#environment };
    const child = fork(CHILD, ['200'], { env, execArgv: [] });
    this.#child = child;
    this.#died = once(child, 'exit').then(() => false);
    const isUp = await Promise.race([once(child, 'message'), this.#died]);
    if (!isUp) throw new Error('the server ended at its start');
    child.on('message', () => this.#acknowledge());
  }

  /** Whether the batch was acknowledged before the process died. */
  async send(number: number, batch: FeedBatch, killAfterMs: number | undefined): Promise<boolean> {
    const acknowledged = new Promise<true>((resolve) => {
      this.#acknowledge = () => resolve(true);
    });
    this.#child?.send({ number, batch });
    if (killAfterMs !== undefined) setTimeout(() => this.#child?.kill('SIGKILL'), killAfterMs);
    const isIn = await Promise.race([acknowledged, this.#died]);
    if (killAfterMs !== undefined) await this.#died;
    else if (!isIn) throw new Error('the server ended by itself');
    return isIn;
  }

  async finish(): Promise<void> {
    this.#child?.send('finish');
    await this.#died;
  }
}

async function storedOutcome(
  database: Database,
  { number, id }: Account,
  { trackers, enrolments = [] }: SimulatedAccount,
) {
  const [live] = await readLiveAccounts(database, [number]);
  const periods: PeriodStatistics[] = [];
  const owned = enrolments.flatMap((one) => trackersOf(one).map(({ definition }) => definition));
  for (const tracker of [...trackers, ...owned]) {
    periods.push(
      ...(await readPeriods(database, number, tracker.id, Number.MAX_SAFE_INTEGER, 1_000_000)),
    );
  }
  const hours = await readHours(database, number, 0, Number.MAX_SAFE_INTEGER, 1_000_000);
  const buckets = hours.map(({ accountNumber: _, hasLateExtremes: __, ...hour }) => ({
    accountId: id,
    ...hour,
  }));
  const minutes = await readMinutes(database, number, 0, Number.MAX_SAFE_INTEGER);
  return {
    minutes,
    state: live?.state && Buffer.from(live.state).toString('hex'),
    periods,
    buckets,
  };
}

/** The journal has the snapshots of a request in the order of their times. */
function inOrderOfTime(batch: FeedBatch, folded: FoldedFeed): FeedBatch {
  if (batch.kind === 'deals') return batch;
  const newest = new Map<string, number>();
  const placed = batch.snapshots.map((snapshot) => {
    const { clock, lastUtcMs } = folded.accountOf(snapshot.accountId);
    const lastMs = newest.get(snapshot.accountId) ?? lastUtcMs;
    const utcMs = clock.utcOf(timeOfWire(snapshot.brokerTime), lastMs);
    if (!(utcMs < lastMs)) newest.set(snapshot.accountId, utcMs);
    return { snapshot, utcMs };
  });
  placed.sort((a, b) => a.utcMs - b.utcMs);
  return { ...batch, snapshots: placed.map(({ snapshot }) => snapshot) };
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const byPeriod = (a: PeriodStatistics, b: PeriodStatistics): number =>
  a.trackerId.localeCompare(b.trackerId) || a.startTimeMs - b.startTimeMs;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a server on ${kind} that is killed repeatedly`, () => {
    it(`ends like an unbroken run (seed ${SEED}, ${KILLS} kills)`, async () => {
      const stored = await openTestDatabase(kind);
      const random = new Random(SEED);
      const accounts = simulatedAccounts(SEED, 12, 3, START_UTC_MS).map((account) => ({
        ...account,
        enrolments: [{ ...simulatedEnrolment(random, START_UTC_MS), id: `${account.id}-run` }],
      }));
      const known = await storeSimulatedAccounts(stored.database, accounts);
      const feed = { seed: SEED, accounts, startUtcMs: START_UTC_MS, days: DAYS };
      const batches = [...admissible(simulateFeed(feed))];
      const folded = new FoldedFeed(accounts);
      const server = new Server(stored.environment);
      await server.start();
      const every = Math.floor(batches.length / KILLS);
      for (const [number, batch] of batches.entries()) {
        const isHit = number % every === every - 1;
        const killAfterMs = isHit ? random.between(0, 12) : undefined;
        if (!(await server.send(number, batch, killAfterMs))) {
          await server.start();
          await server.send(number, batch, undefined);
        } else if (isHit) await server.start();
        folded.fold(inOrderOfTime(batch, folded));
      }
      await server.finish();
      const { events: feedOf } = await readFeed(stored.database, 0, 1_000_000);
      assert.deepEqual(
        feedOf.map(({ sequenceNumber }) => sequenceNumber),
        feedOf.map((_, index) => index + 1),
      );
      let events = 0;
      let changes = 0;
      for (const [index, account] of accounts.entries()) {
        const expected = folded.outcomeOf(account.id);
        const told = folded.toldOf(account.id);
        events += told.length;
        changes += told.filter((event) => 'enrolmentId' in event).length;
        const ownEvents = feedOf.filter(({ event }) => event.accountId === account.id);
        assert.deepEqual(
          ownEvents.map(({ event }) => event),
          plain(told),
        );
        const own = known[index];
        assert.ok(own);
        const found = await storedOutcome(stored.database, own, account);
        const live = folded.accountOf(account.id);
        assert.equal(found.state, Buffer.from(encodeLiveAccount(live)).toString('hex'), account.id);
        assert.deepEqual(found.minutes, folded.closedMinutesOf(account.id));
        assert.deepEqual(found.buckets, expected.buckets.slice(0, found.buckets.length));
        assert.equal(found.buckets.length, expected.buckets.length - 1);
        assert.deepEqual(
          found.periods.sort(byPeriod),
          plain(
            expected.statistics.filter(({ periodStatus }) => periodStatus === 'completed'),
          ).sort(byPeriod),
        );
      }
      assert.ok(events > 10, `${events} events`);
      assert.ok(changes > 3, `${changes} changes of enrolments`);
      assert.equal(feedOf.length, events);
      await stored.close();
    });
  });
}
