import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { compareDeals, type Deal, isUnknown, moneyOf } from '../../domain/deal.ts';
import { held } from '../../services/accounts/access-account.ts';
import type { ChangeTransaction } from '../../services/changes.ts';
import { tellDeals } from '../../services/deals/record-deals.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Sql, Transaction } from '../../storage/database.ts';
import { deleteDealRow, findDeals, insertDeals, listDeals } from '../../storage/deal-store.ts';
import { historyLock, noteDealsChanged, readHistory } from '../../storage/history-store.ts';

const PAGE = 1000;

/** fromMs ≤ time of a deal < toMs. */
export type DealRange = { fromMs: BrokerTimeMs; toMs: BrokerTimeMs };

export type Reconciled = { added: Deal[]; changed: number; removed: number };

/**
 * Makes the account's stored deals of [fromMs, toMs) equal to its platform's: new ones are added,
 * edited ones replaced (even if their time moved into the range), and those no longer on the
 * platform are removed, including deals that clients sent: for an account that is read through a
 * platform, the platform is the truth. Unless `isWhole`, none are removed. Runs in the caller's
 * transaction.
 */
export async function reconcileDeals(
  tx: ChangeTransaction,
  account: Account,
  range: DealRange,
  platformDeals: readonly Deal[],
  isWhole: boolean = true,
): Promise<Reconciled> {
  const { number } = await held(tx, account);
  await tx.lock(historyLock(number));
  const { fresh, edited, ...diff } = await diffDeals(tx, number, range, platformDeals);
  const gone = isWhole ? diff.gone : [];
  for (const id of [...gone, ...edited.map((deal) => deal.id)]) await deleteDealRow(tx, number, id);
  const inserted = await insertDeals(tx, number, [...fresh, ...edited].sort(compareDeals));
  // A deal not inserted exists outside the range: it moved.
  const moved = fresh.filter((deal) => !inserted.has(deal.id));
  for (const deal of moved) await deleteDealRow(tx, number, deal.id);
  await insertDeals(tx, number, moved);
  const added = fresh.filter((deal) => inserted.has(deal.id)).sort(compareDeals);
  const changed = edited.length + moved.length;
  await noteChange(tx, number, added, changed + gone.length > 0);
  await tellDeals(tx, number, added);
  return { added, changed, removed: gone.length };
}

/** How the platform's deals of a range differ from the stored ones. */
export async function diffDeals(
  sql: Sql,
  accountNumber: number,
  range: DealRange,
  platformDeals: readonly Deal[],
): Promise<{ gone: string[]; fresh: Deal[]; edited: Deal[] }> {
  const stored = await storedDeals(sql, accountNumber, range);
  const wanted = new Map(platformDeals.map((deal) => [deal.id, deal]));
  const gone = [...stored.keys()].filter((id) => !wanted.has(id));
  // A p4 order that closed in the range brings its opening deal, of any age.
  const outside = platformDeals.filter(
    ({ timeMs }) => timeMs < range.fromMs || timeMs >= range.toMs,
  );
  const ids = outside.map(({ id }) => id);
  for (const deal of await findDeals(sql, accountNumber, ids)) stored.set(deal.id, deal);
  const fresh: Deal[] = [];
  const edited: Deal[] = [];
  for (const deal of wanted.values()) {
    const known = stored.get(deal.id);
    if (!known) fresh.push(deal);
    else if (!isSame(known, deal)) edited.push(deal);
  }
  return { gone, fresh, edited };
}

async function storedDeals(
  sql: Sql,
  accountNumber: number,
  { fromMs, toMs }: DealRange,
): Promise<Map<string, Deal>> {
  const stored = new Map<string, Deal>();
  let after = { timeMs: fromMs, id: '' };
  for (;;) {
    const page = await listDeals(sql, accountNumber, after, PAGE);
    for (const deal of page) if (deal.timeMs < toMs) stored.set(deal.id, deal);
    const last = page.at(-1);
    if (!last || page.length < PAGE || last.timeMs >= toMs) return stored;
    after = last;
  }
}

/** Trades are folded again, unless the only change is deals after the last one. */
async function noteChange(
  tx: Transaction,
  accountNumber: number,
  added: readonly Deal[],
  othersChanged: boolean,
): Promise<void> {
  const [first] = added;
  if (!first && !othersChanged) return;
  const { last } = await readHistory(tx, accountNumber);
  const isLate = first !== undefined && last !== undefined && compareDeals(first, last) <= 0;
  await noteDealsChanged(tx, accountNumber, othersChanged || isLate);
}

const FIELDS = [
  'positionId',
  'type',
  'entry',
  'symbol',
  'volume',
  'volumeClosed',
  'price',
  'magic',
  'stopLoss',
  'takeProfit',
  'positionPrice',
  'positionTimeMs',
  'profit',
  'swap',
  'commission',
  'fee',
  'timeMs',
  'digits',
  'contractSize',
  'comment',
] as const satisfies readonly (keyof Deal)[];

/** A deal of unknown kind keeps the effect found when it was stored. */
const isSame = (stored: Deal, told: Deal): boolean =>
  isUnknown(stored) && isUnknown(told)
    ? stored.timeMs === told.timeMs && [0, moneyOf(told)].includes(moneyOf(stored))
    : FIELDS.every((field) => stored[field] === told[field]);
