import type { TrackerRecord } from '../../contract/operations/trackers.ts';
import { moneyDigits } from '../../domain/money.ts';
import { findTrackerByName, listTrackers } from '../../storage/tracker-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { presentTracker } from './present-tracker.ts';

/** The trackers of an account in order of creation. */
export async function readTrackers(
  context: Context,
  principal: Principal,
  accountId: string,
): Promise<TrackerRecord[]> {
  const account = await accessAccount(context, principal, accountId);
  const digits = moneyDigits(account.currency);
  const trackers = await listTrackers(context.database, account.number);
  return trackers.map((definition) => presentTracker(definition, digits));
}

/** One tracker by its id or name. Throws `notFound`. */
export async function readTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  by: { id: string } | { name: string },
): Promise<TrackerRecord> {
  const account = await accessAccount(context, principal, accountId);
  const definition =
    'id' in by
      ? await context.catalogue.tracker(account.number, by.id)
      : await findTrackerByName(context.database, account.number, by.name);
  if (!definition) throw notFound('Tracker');
  return presentTracker(definition, moneyDigits(account.currency));
}
