import { MAX_TRACKERS_PER_ACCOUNT, type NewTracker } from '../../contract/operations/trackers.ts';
import { parseBrokerTime } from '../../domain/broker-time.ts';
import { VALID_TIME } from '../../domain/formats.ts';
import { checkTracker } from '../../domain/live/check-tracker.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { moneyDigits, toUnits } from '../../domain/money.ts';
import { UniqueViolation } from '../../storage/database.ts';
import { countTrackers, insertTracker } from '../../storage/tracker-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { requireActionRights } from '../breach-actions/action-rights.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, type Fault, invalid } from '../errors.ts';
import { MONEY_FIELDS, presentTracker } from './present-tracker.ts';

/**
 * Creates a tracker; this reaches the live state through the journal, between the right snapshots.
 * Throws `validation` naming every fault, `conflict` for a taken name or too many trackers.
 */
export async function createTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  input: NewTracker,
  id = context.newId(),
): Promise<{ id: string }> {
  const account = await accessAccount(context, principal, accountId);
  const digits = moneyDigits(account.currency);
  const definition = readDefinition(input, id, digits);
  await requireActionRights(context, principal, account, definition.actions ?? []);
  const created = context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(`trackers:${number}`);
    if ((await countTrackers(tx, number)) >= MAX_TRACKERS_PER_ACCOUNT) {
      throw conflict(
        `The limit of ${MAX_TRACKERS_PER_ACCOUNT} trackers for one account is reached`,
      );
    }
    await insertTracker(tx, number, definition, context.now());
    await tx.tell(number, { command: { kind: 'tracker-added', definition } });
    const details = { ...presentTracker(definition, digits), trackerId: definition.id };
    return {
      result: undefined,
      audit: [{ action: 'tracker.created', userId, accountId, details }],
    };
  });
  await created.catch(rethrowTakenName);
  return { id: definition.id };
}

export function rethrowTakenName(error: unknown): never {
  if (error instanceof UniqueViolation) {
    throw conflict('The account already has a tracker with this name');
  }
  throw error;
}

/** The definition in a request. Throws `validation` naming every fault. */
export function readDefinition(input: NewTracker, id: string, digits: number): TrackerDefinition {
  const { definition, faults } = defineTracker({ ...input, id }, digits);
  if (faults.length > 0) throw invalid(faults);
  return definition;
}

/** With any digits: the consistency of amounts does not depend on them. */
const SOME_DIGITS = 4;

/** The faults of the given fields of a new tracker. */
export function trackerFaults(input: Partial<NewTracker>): Fault[] {
  const rest = { id: '', name: '', period: 'date' } as const;
  return defineTracker({ ...rest, ...input }, SOME_DIGITS).faults;
}

function defineTracker(
  { startBrokerTime, endBrokerTime, ...rest }: NewTracker & { id: string },
  digits: number,
): { definition: TrackerDefinition; faults: Fault[] } {
  const faults: Fault[] = [];
  const definition: TrackerDefinition = { ...rest };
  const times = [
    ['startTimeMs', 'startBrokerTime', startBrokerTime],
    ['endTimeMs', 'endBrokerTime', endBrokerTime],
  ] as const;
  for (const [field, parameter, text] of times) {
    if (text === undefined) continue;
    const timeMs = parseBrokerTime(text);
    if (timeMs === undefined) faults.push({ parameter, message: VALID_TIME });
    else definition[field] = timeMs;
  }
  for (const field of MONEY_FIELDS) {
    const amount = rest[field];
    if (amount === undefined) continue;
    try {
      definition[field] = toUnits(amount, digits);
    } catch {
      faults.push({ parameter: field, message: 'is too large to be stored exactly' });
    }
  }
  faults.push(...checkTracker(definition));
  return { definition, faults };
}
