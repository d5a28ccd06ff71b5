import { Faults } from '../../contract/faults.ts';
import type { DealRecord } from '../../contract/operations/deals.ts';
import type { Deal } from '../../domain/deal.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { dealsInOrder, readDeals } from '../../ingest/read-deals.ts';
import { insertNewDeals } from '../../ingest/store-deals.ts';
import { entryDealOf } from '../../journal/entry.ts';
import type { Account } from '../../storage/account-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { type ChangeTransaction, userActor } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, invalid } from '../errors.ts';

export type Recorded = { accepted: number; duplicates: number };

/** Deals stored by one transaction, so that others wait for it some milliseconds at most. */
export const DEALS_PER_TRANSACTION = 500;
/** Deals read before other work gets its turn. */
const DEALS_PER_TURN = 500;

/**
 * Stores deals of an account, durably when it returns. A deal whose id is known, or occurs twice in
 * the batch, is a duplicate and changes nothing. One bad deal rejects all, with its faults named.
 * Many deals take several transactions; if sent again, those stored before change nothing.
 */
export async function recordDeals(
  context: Context,
  principal: Principal,
  accountId: string,
  records: readonly DealRecord[],
): Promise<Recorded> {
  const account = await accessAccount(context, principal, accountId);
  await context.changes.mayAdd(account.userId);
  const ordered = dealsInOrder(await readInTurns(records, account));
  let accepted = 0;
  for (let start = 0; start < ordered.length; start += DEALS_PER_TRANSACTION) {
    const some = ordered.slice(start, start + DEALS_PER_TRANSACTION);
    accepted += await context.changes.record(
      async (tx) => (await storeDeals(tx, account, some)).length,
      { owner: userActor(account.userId) },
    );
  }
  return { accepted, duplicates: records.length - accepted };
}

async function readInTurns(records: readonly DealRecord[], { currency }: Account): Promise<Deal[]> {
  const faults = new Faults();
  const deals: Deal[] = [];
  for (let from = 0; from < records.length; from += DEALS_PER_TURN) {
    if (from > 0) await nextTurn();
    const some = records.slice(from, from + DEALS_PER_TURN);
    deals.push(...readDeals(some, currency, { at: '', from }, faults));
  }
  if (!faults.isEmpty) throw invalid(faults.list);
  return deals;
}

/**
 * Stores the new ones among an account's deals, and sends them to the live side. Throws `notFound`
 * if the account was deleted, `conflict` if its currency is no longer that of `account`, in which
 * the deals are.
 * @param importNumber the import that brings them
 */
export async function storeDeals(
  tx: ChangeTransaction,
  account: Account,
  deals: readonly Deal[],
  importNumber?: number,
): Promise<Deal[]> {
  const { number, currency } = await held(tx, account);
  if (currency !== account.currency)
    throw conflict(`The deals are in ${account.currency}, the account is in ${currency}`);
  const stored = await insertNewDeals(tx, number, deals, importNumber);
  await tellDeals(tx, number, stored);
  return stored;
}

/**
 * Sends new deals without a snapshot to their account's live state. Call it even without new deals:
 * those stored before must be in the journal before they are acknowledged again.
 */
export async function tellDeals(
  tx: ChangeTransaction,
  accountNumber: number,
  deals: readonly Deal[],
): Promise<void> {
  await tx.tell(accountNumber, { deals: deals.map((deal) => entryDealOf(0, deal)) });
}
