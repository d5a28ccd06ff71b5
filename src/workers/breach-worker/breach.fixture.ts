import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import type { TrackerEvent } from '../../domain/live/live-records.ts';
import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import type { EnrolmentTransition } from '../../domain/programs/enrolment-transition.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import type { Account } from '../../storage/account-store.ts';
import { type BreachAction, listActions } from '../../storage/breach-action-store.ts';
import type { Database } from '../../storage/database.ts';
import { insertEnrolment } from '../../storage/enrolment-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { acknowledgeEvents } from '../../storage/incident-store.ts';
import { insertTracker } from '../../storage/tracker-store.ts';

/** Process time between two checks: no commit may seem to take seconds. */
export const STEP_MS = 250;
export const DISABLE: readonly TrackerAction[] = [{ action: 'disableTrading', confirm: 'none' }];

/** An account with a profile, whose tracker has actions and a broken limit, acknowledged. */
export async function broke(
  database: Database,
  {
    profileId,
    login,
    nowMs = 0,
    periodEndMs,
  }: { profileId: string; login: number; nowMs?: number; periodEndMs?: number },
  actions = DISABLE,
  figures: Partial<TrackerEvent> = {},
): Promise<Account & { timeMs: number }> {
  const account = await newAccount(database, {
    ...{ userId: 'user', platform: 'p5', login: String(login), profileId },
  });
  const found = { ...eventOf(account.number, figures), periodEndMs };
  const { partition, epoch } = await ownPartition(database);
  await database.transaction((tx) =>
    insertTracker(
      tx,
      account.number,
      {
        ...{ id: 'tracker', name: 'loss', period: 'date', absoluteDrawdownThreshold: 1 },
        actions: [...actions],
      },
      0,
    ),
  );
  await storeEvents(database, partition, epoch, [found], nowMs);
  const place = { accountNumber: account.number, timeMs: found.event.timeMs };
  await database.transaction((tx) => acknowledgeEvents(tx, place, nowMs));
  return { ...account, timeMs: found.event.timeMs };
}

/** An account that passed a phase with a target of 500, which disables trading; then reinstated. */
export async function passedPhase(
  database: Database,
  { profileId, login }: { profileId: string; login: number },
  figures: Partial<EnrolmentTransition['figures']>,
  then?: 'running',
): Promise<Account> {
  const account = await newAccount(database, {
    ...{ userId: 'user', platform: 'p5', login: String(login), profileId },
  });
  const { number: accountNumber } = account;
  const definition: EnrolmentDefinition = {
    ...{ id: 'enrolment', initialBalance: 1_000_0000 },
    phase: {
      ...{ name: 'Phase', rules: [] },
      objectives: [{ kind: 'profitTarget', amount: 500_0000, by: 'lowerOfBoth' }],
      actions: [{ action: 'disableTrading', moment: 'passing' }],
    },
  };
  const stored = { accountNumber, programId: 'program', version: 1, phase: 1, createdAtMs: 0 };
  await database.transaction((tx) => insertEnrolment(tx, { ...stored, definition }));
  const { partition, epoch } = await ownPartition(database);
  const changes = (['passed', ...(then ? [then] : [])] as const).map((to, index) => ({
    ...eventOf(accountNumber, { position: 1 + index }),
    event: {
      ...{ accountId: account.id, enrolmentId: 'enrolment', count: 1 + index, to },
      ...{ timeMs: 0, utcMs: 0, figures: { ...NO_DAYS, ...figures } },
    },
  }));
  await storeEvents(database, partition, epoch, changes, 0);
  return account;
}

const NO_DAYS: EnrolmentTransition['figures'] = {
  ...{ tradingDays: 0, profitableDays: 0, best: 0, total: 0, winning: 0, today: 0 },
};

/** An account's actions, in order. */
export async function actionsOf(database: Database, account: Account): Promise<BreachAction[]> {
  const filter = { userId: 'user', accountNumber: account.number };
  const listed = await listActions(database, filter, Number.MAX_SAFE_INTEGER, 100);
  return listed.map(({ action }) => action).reverse();
}
