import { type BrokerTimeMs, formatBrokerTime } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import type { Money } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import { deleteDealsFrom, sumMoneyBefore } from '../../storage/deal-store.ts';
import { noteDealsChanged } from '../../storage/history-store.ts';
import type { ChangeTransaction } from '../changes.ts';
import { storeDeals } from '../deals/record-deals.ts';
import { invalidParameter } from '../errors.ts';

/** Ids of the balance operations that stand for what a broker's report left out before it began. */
export const CARRIED_IN = 'carried-in:';

/**
 * Makes the account's balance before a report's first deal what the report says. The report lists
 * all that came after, so an older report's carried-in balance within its range goes; what earlier
 * deals do not explain is booked as one balance operation just before the first deal. Again, it
 * books nothing. Throws `validation` when the amount is beyond those that can be held exactly.
 */
export async function bookCarriedInBalance(
  tx: ChangeTransaction,
  account: Account,
  firstTimeMs: BrokerTimeMs,
  carriedIn: Money,
): Promise<void> {
  const replaced = await deleteDealsFrom(tx, account.number, CARRIED_IN, firstTimeMs);
  if (replaced > 0) await noteDealsChanged(tx, account.number, true);
  const missing = carriedIn - (await sumMoneyBefore(tx, account.number, firstTimeMs));
  if (missing === 0) return;
  if (!Number.isSafeInteger(missing)) {
    const message = 'The deals before the report sum up to more than can be held exactly';
    throw invalidParameter('body', message);
  }
  const deal: Deal = {
    id: `${CARRIED_IN}${formatBrokerTime(firstTimeMs)}`,
    type: 'DEAL_TYPE_BALANCE',
    volume: 0,
    profit: missing,
    swap: 0,
    commission: 0,
    fee: 0,
    timeMs: firstTimeMs - 1,
    comment: 'Balance carried in: the report starts here',
  };
  await storeDeals(tx, account, [deal]);
}
