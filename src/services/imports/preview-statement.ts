import type { ImportRecord } from '../../contract/operations/statements.ts';
import type { Deal } from '../../domain/deal.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { StatementHead } from '../../statements/thread/messages.ts';
import type { StatementReading } from '../../statements/thread/reading-threads.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { hasOtherDeals } from '../../storage/deal-store.ts';
import type { Changes } from '../changes.ts';
import type { Context } from '../context.ts';
import { presentDeal } from '../deals/present-deal.ts';
import { describeImport } from './present-import.ts';
import { type OwnerOptions, settleOwner } from './settle-owner.ts';
import { Witnesses } from './witnesses.ts';

/** Deals in a preview. */
export const FIRST_DEALS = 10;
/** An id that no import has. */
const NO_IMPORT = 0;

/**
 * The answer of an import of the report, with its first deals; nothing is stored. Throws like the
 * import.
 */
export async function previewStatement(
  { database, changes }: Context,
  account: Account,
  { head, pages }: Pick<StatementReading, 'head' | 'pages'>,
  options: OwnerOptions,
): Promise<ImportRecord> {
  const owner = await tried(changes, (tx) => settleOwner(tx, account, head.stated, options));
  const witnesses = new Witnesses(owner.account, NO_IMPORT);
  const isAlone = !(await hasOtherDeals(database, account.number, NO_IMPORT));
  const first: Deal[] = [];
  let added = 0;
  for await (const deals of pages()) {
    first.push(...deals.slice(0, FIRST_DEALS - first.length));
    added += isAlone
      ? deals.length
      : (await tried(changes, (tx) => witnesses.admit(tx, deals))).fresh.length;
    witnesses.endPage();
    await nextTurn();
  }
  const digits = moneyDigits(owner.account.currency);
  return {
    ...describeImport(head, owner, added, witnesses),
    ...presentFirst(first, digits, head.table),
  };
}

/** The beginning of a file. */
export const presentFirst = (
  first: readonly Deal[],
  digits: number,
  table: StatementHead['table'],
): Pick<ImportRecord, 'first' | 'table'> => ({
  first: first.map((deal) => presentDeal(deal, digits)),
  ...(table ? { table } : {}),
});

/** Ends the transaction without a trace, with its findings. */
class Tried<Found> extends Error {
  readonly found: Found;

  constructor(found: Found) {
    super('Nothing of a preview is stored');
    this.found = found;
  }
}

async function tried<Found>(
  changes: Changes,
  work: (tx: Transaction) => Promise<Found>,
): Promise<Found> {
  let tried: Tried<Found> | undefined;
  try {
    await changes.record(async (tx) => {
      tried = new Tried(await work(tx));
      throw tried;
    });
  } catch (error) {
    if (error !== tried) throw error;
  }
  if (!tried) throw new Error('Invariant: a preview ends its transaction itself');
  return tried.found;
}
