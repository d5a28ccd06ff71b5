import { type Deal, moneyOf } from '../../domain/deal.ts';
import { EntryAccount } from '../../engine/entry-account.ts';
import { encodeEntry } from '../../engine/entry-codec.ts';
import {
  type Command,
  type EntryDeal,
  smallEntry,
  WITHOUT_SNAPSHOT,
} from '../../engine/journal-entry.ts';
import type { Transaction } from '../../storage/database.ts';
import { readJournalAccounts } from '../../storage/journal-account-store.ts';
import { appendJournal, partitionCount, partitionOf } from '../../storage/journal-store.ts';

const DEALS_PER_ENTRY = 10_000;

/** Brings new deals of an account to its live state. The account of a feed must exist. */
export async function appendDeals(
  tx: Transaction,
  accountId: string,
  deals: readonly Deal[],
): Promise<void> {
  const entryDeals = deals.map(
    (deal): EntryDeal => [0, WITHOUT_SNAPSHOT, deal.id, deal.type, deal.timeMs, moneyOf(deal)],
  );
  for (let start = 0; start < entryDeals.length; start += DEALS_PER_ENTRY) {
    await append(tx, accountId, { deals: entryDeals.slice(start, start + DEALS_PER_ENTRY) });
  }
}

/** Changes live state in the right place between snapshots. */
export const appendCommand = (
  tx: Transaction,
  accountId: string,
  command: Command,
): Promise<void> => append(tx, accountId, { command });

async function append(
  tx: Transaction,
  accountId: string,
  content: { deals?: readonly EntryDeal[]; command?: Command },
): Promise<void> {
  const account = (await readJournalAccounts(tx, [accountId])).get(accountId);
  if (!account) return;
  const receivedUtcMs = Date.now();
  const entry = smallEntry(receivedUtcMs, new EntryAccount(account), content);
  const partition = partitionOf(accountId, partitionCount(tx.kind));
  await appendJournal(tx, receivedUtcMs, new Map([[partition, encodeEntry(entry)]]));
}
