import { Faults } from '../../contract/faults.ts';
import type { DealRecord } from '../../contract/operations/deals.ts';
import type { Deal } from '../../domain/deal.ts';
import { moneyDigits } from '../../domain/money.ts';
import { readDeal } from '../../ingest/read-deals.ts';
import { deleteDealRow, findDeals, replaceDeal } from '../../storage/deal-store.ts';
import { historyLock, noteDealsChanged } from '../../storage/history-store.ts';
import { type Account, accessAccount, held } from '../accounts/access-account.ts';
import { type AuditNote, actorOf, type ChangeTransaction } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { presentDeal } from './present-deal.ts';

/**
 * Replaces the fields of a deal that clients can send; those that only platforms and reports state
 * stay. Trades and statistics are recomputed; live trackers keep their findings. Throws `notFound`,
 * `validation`.
 */
export async function correctDeal(
  context: Context,
  principal: Principal,
  accountId: string,
  record: DealRecord,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  const digits = moneyDigits(account.currency);
  const faults = new Faults();
  const corrected = readDeal(record, digits, '', faults);
  if (!faults.isEmpty) throw invalid(faults.list);
  await change(context, principal, account, record.id, async (tx, number, before) => {
    const { volumeClosed, positionPrice, positionTimeMs } = before;
    await replaceDeal(tx, number, { volumeClosed, positionPrice, positionTimeMs, ...corrected });
    const details = { from: presentDeal(before, digits), to: presentDeal(corrected, digits) };
    return { action: 'deal.corrected', details };
  });
}

/** Deletes a deal; trades and statistics are recomputed. Throws `notFound`. */
export async function deleteDeal(
  context: Context,
  principal: Principal,
  accountId: string,
  dealId: string,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  await change(context, principal, account, dealId, async (tx, number, before) => {
    await deleteDealRow(tx, number, dealId);
    const deal = presentDeal(before, moneyDigits(account.currency));
    return { action: 'deal.deleted', details: { deal } };
  });
}

async function change(
  { changes }: Context,
  principal: Principal,
  account: Account,
  dealId: string,
  work: (tx: ChangeTransaction, number: number, before: Deal) => Promise<AuditNote>,
): Promise<void> {
  await changes.make(actorOf(principal), async (tx) => {
    const { number, userId, id: accountId } = await held(tx, account);
    await tx.lock(historyLock(number));
    const [before] = await findDeals(tx, number, [dealId]);
    if (!before) throw notFound('Deal');
    const note = await work(tx, number, before);
    await noteDealsChanged(tx, number, true);
    return { result: undefined, audit: [{ ...note, userId, accountId }] };
  });
}
