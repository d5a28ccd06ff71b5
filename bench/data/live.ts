import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import { standingFigures } from '../../src/domain/live/standing-figures.ts';
import { addTracker } from '../../src/domain/live/tracker-changes.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { addEnrolment } from '../../src/domain/programs/enrolment-changes.ts';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { AccountMemory, TrackedAccount } from '../../src/engine/tracked-account.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertEnrolment } from '../../src/storage/enrolment-store.ts';
import { writeLiveAccounts } from '../../src/storage/live-store.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { type BenchAccount, storeAccounts, storeUser } from './user.ts';

export const BROKER_CLOCK = { zone: 'UTC', shiftHours: 0 };
const WORDS = ['day', 'month', 'lifetime'] as const;
/** Of all enrolments. */
export const PROGRAM_ID = 'bench-program';
const ACCOUNTS_PER_TRANSACTION = 1000;

/** Trackers as a prop firm has them: a loss of a day, a month and of all time, and a target. */
export const trackersOf = (id: string, count: number): TrackerDefinition[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `${id}-${number}`,
    name: `Tracker ${number}`,
    period: WORDS[number % WORDS.length] ?? 'day',
    relativeDrawdownThreshold: 0.05,
    relativeProfitThreshold: 0.1,
  }));

/** An account in memory with its trackers and without a snapshot. */
export function trackedAccount(
  { id, number }: BenchAccount,
  definitions: readonly TrackerDefinition[],
  memory: AccountMemory,
): TrackedAccount {
  const facts = { id, number, brokerClock: BROKER_CLOCK, moneyDigits: 4, position: 0 };
  const account = new TrackedAccount(facts, memory);
  for (const definition of definitions) addTracker(account, definition, memory.rules);
  return account;
}

/** A user with accounts and trackers, as a checkpoint leaves them that stored the trackers. */
export async function storeLiveAccounts(
  database: Database,
  count: number,
  trackersEach: number,
  enrolmentOf?: (index: number) => EnrolmentDefinition,
): Promise<BenchAccount[]> {
  await storeUser(database);
  const memory = new AccountMemory(new TrackerRules(new ClockViews()));
  const accounts: BenchAccount[] = [];
  while (accounts.length < count) {
    const some = Math.min(ACCOUNTS_PER_TRANSACTION, count - accounts.length);
    const stored = await database.transaction(async (tx) => {
      const fresh = await storeAccounts(tx, some, accounts.length);
      const states = [];
      for (const account of fresh) {
        const definitions = trackersOf(account.id, trackersEach);
        for (const each of definitions) await insertTracker(tx, account.number, each, 1);
        const tracked = trackedAccount(account, definitions, memory);
        const definition = enrolmentOf?.(accounts.length + states.length);
        if (definition) {
          addEnrolment(tracked, definition, memory.rules);
          const { number: accountNumber } = account;
          const enrolment = { accountNumber, programId: PROGRAM_ID, version: 1, phase: 1 };
          await insertEnrolment(tx, { ...enrolment, definition, createdAtMs: 1 });
        }
        states.push(stateOf(tracked));
        tracked.free();
      }
      await writeLiveAccounts(tx, states);
      return fresh;
    });
    accounts.push(...stored);
  }
  return accounts;
}

const stateOf = (account: TrackedAccount) => ({
  accountNumber: account.number,
  position: 0,
  lastUtcMs: undefined,
  settleDueUtcMs: undefined,
  hoursVersion: 0,
  ...standingFigures(account),
  clock: account.brokerClock,
  state: encodeLiveAccount(account),
  recent: undefined,
  park: undefined,
});
