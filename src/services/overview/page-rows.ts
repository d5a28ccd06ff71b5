import { decodeLiveAccount } from '../../domain/live/live-account-codec.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import { decodeTradeState } from '../../domain/trades/trade-state-codec.ts';
import { type Account, findNumbered } from '../../storage/account-store.ts';
import { readEnrolmentDefinitions } from '../../storage/enrolment-store.ts';
import { readFoldStates } from '../../storage/history-store.ts';
import { readLiveAccounts } from '../../storage/live-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';
import type { Context } from '../context.ts';
import { trackerNames } from '../trackers/tracker-names.ts';
import { NO_STANDING, type Standing, standingOf } from './standing.ts';

/** An account's row in an overview. */
export type OverviewRow = {
  account: Account;
  standing: Standing;
  trackers: number;
  /** Including those that have ended. */
  enrolments: readonly EnrolmentDefinition[];
  /** Counts the changes of its closed hours. */
  hoursVersion: number;
};

/** The standing of accounts as of the last checkpoint, in the order of the given numbers. */
export async function readPageRows(
  { database, rules }: Pick<Context, 'database' | 'rules'>,
  numbers: readonly number[],
): Promise<OverviewRow[]> {
  const found = await findNumbered(database, numbers);
  const places = new Map(numbers.map((number, place) => [number, place]));
  const accounts = found.sort((a, b) => (places.get(a.number) ?? 0) - (places.get(b.number) ?? 0));
  const definitions = await readDefinitions(database, numbers);
  const enrolled = await readEnrolmentDefinitions(database, numbers);
  const stored = await readLiveAccounts(database, numbers);
  const states = new Map(stored.map((state) => [state.accountNumber, state]));
  const folds = await readFoldStates(database, numbers);
  return accounts.map((account) => {
    const trackers = definitions.get(account.number) ?? [];
    const enrolments = enrolled.get(account.number) ?? [];
    const stored = states.get(account.number);
    const live = stored?.state
      ? decodeLiveAccount(
          stored.state,
          account.id,
          rules.clocks.viewOf(stored.clock),
          { trackers, enrolments },
          rules,
        )
      : undefined;
    const standing = live ? standingOf(live, trackerNames(trackers, enrolments)) : NO_STANDING;
    const fold = folds.get(account.number);
    // Without snapshots, deals give the balance, but no equity.
    const balance = standing.balance ?? (fold ? decodeTradeState(fold).balance : undefined);
    return {
      ...{ account, standing: { ...standing, balance }, trackers: trackers.length, enrolments },
      hoursVersion: stored?.hoursVersion ?? 0,
    };
  });
}
