import { MAX_TRACKERS_PER_ACCOUNT, type NewTracker } from '../../contract/operations/trackers.ts';
import { parseBrokerTime } from '../../domain/broker-time.ts';
import { checkTracker } from '../../domain/live/check-tracker.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { moneyDigits, toUnits } from '../../domain/money.ts';
import { UniqueViolation } from '../../storage/database.ts';
import { countTrackers, insertTracker } from '../../storage/tracker-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, type Fault, invalid } from '../errors.ts';
import { MONEY_FIELDS } from './present-tracker.ts';

/**
 * Creates a tracker; it reaches the live state through the journal, between the right snapshots.
 * Throws `validation` naming every fault, `conflict` for a taken name or too many trackers.
 */
export async function createTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  input: NewTracker,
): Promise<{ id: string }> {
  const account = await accessAccount(context, principal, accountId);
  const definition = readDefinition(input, context.newId(), moneyDigits(account.currency));
  const created = context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(`trackers:${number}`);
    if ((await countTrackers(tx, number)) >= MAX_TRACKERS_PER_ACCOUNT) {
      throw conflict(`The limit of ${MAX_TRACKERS_PER_ACCOUNT} trackers an account is reached`);
    }
    await insertTracker(tx, number, definition, context.now());
    await tx.tell(number, { command: { kind: 'tracker-added', definition } });
    const details = { ...definition, trackerId: definition.id };
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
    throw conflict('The account has a tracker of that name');
  }
  throw error;
}

/** The definition that a request describes. Throws `validation` naming every fault. */
export function readDefinition(input: NewTracker, id: string, digits: number): TrackerDefinition {
  const { startBrokerTime, endBrokerTime, ...rest } = input;
  const faults: Fault[] = [];
  const definition: TrackerDefinition = { ...rest, id };
  const times = [
    ['startTimeMs', 'startBrokerTime', startBrokerTime],
    ['endTimeMs', 'endBrokerTime', endBrokerTime],
  ] as const;
  for (const [field, parameter, text] of times) {
    if (text === undefined) continue;
    const timeMs = parseBrokerTime(text);
    if (timeMs === undefined) faults.push({ parameter, message: 'must be a valid date and time' });
    else definition[field] = timeMs;
  }
  for (const field of MONEY_FIELDS) {
    const amount = input[field];
    if (amount === undefined) continue;
    try {
      definition[field] = toUnits(amount, digits);
    } catch {
      faults.push({ parameter: field, message: 'is beyond the amounts that can be held exactly' });
    }
  }
  faults.push(...checkTracker(definition));
  if (faults.length > 0) throw invalid(faults);
  return definition;
}
