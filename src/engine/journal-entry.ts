import type { BrokerClock } from '../domain/broker-time.ts';
import type { DealType } from '../domain/deal.ts';
import type { LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import type { EntryAccount } from './entry-account.ts';

/** A deal of an account (its place in `accounts`) and, if it came with one, of a snapshot's row. */
export type EntryDeal = readonly [
  account: number,
  row: number,
  id: string,
  type: DealType,
  timeMs: number,
  money: number,
];
export const WITHOUT_SNAPSHOT = -1;

/** Changes that must take place between the right two snapshots, also when folded again. */
export type Command =
  | { kind: 'tracker-added'; definition: TrackerDefinition }
  | { kind: 'tracker-removed'; trackerId: string }
  | { kind: 'clock-changed'; clock: BrokerClock }
  | { kind: 'account-removed' };

/**
 * What one commit brought for one partition, in the order of folding: snapshots as columns, with
 * the deals of their moment; or deals alone; or a command to the first account.
 */
export type JournalEntry = {
  receivedUtcMs: number;
  accounts: readonly EntryAccount[];
  /** In order of rows; those without a snapshot stand alone. */
  deals: readonly EntryDeal[];
  command: Command | undefined;
  rowCount: number;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  /** Places in `accounts`. */
  account: Uint32Array;
};

export const liveDealOf = ([, , id, type, timeMs, money]: EntryDeal): LiveDeal => ({
  id,
  type,
  timeMs,
  money,
});

const NO_NUMBERS = new Float64Array();

/** An entry without snapshots. */
export const smallEntry = (
  receivedUtcMs: number,
  account: EntryAccount,
  content: { deals?: readonly EntryDeal[]; command?: Command },
): JournalEntry => ({
  receivedUtcMs,
  accounts: [account],
  deals: content.deals ?? [],
  command: content.command,
  rowCount: 0,
  timeMs: NO_NUMBERS,
  balance: NO_NUMBERS,
  equity: NO_NUMBERS,
  account: new Uint32Array(),
});
