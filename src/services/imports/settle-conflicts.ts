import type { ImportRecord } from '../../contract/operations/statements.ts';
import { parseBrokerTime } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { moneyDigits, toUnits, toVolume } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { findDeals, listPositionDeals, replaceDeal } from '../../storage/deal-store.ts';
import { historyLock, noteDealsChanged } from '../../storage/history-store.ts';
import {
  findImport,
  listImports,
  type StatementImport,
  updateImport,
} from '../../storage/import-store.ts';
import { CONFLICT_SIDES, type ConflictSide } from '../../words/deals.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { notFound, unavailable } from '../errors.ts';
import { IMPORTS_MAX, type ImportOutcome, presentImport } from './present-import.ts';
import type { Conflict } from './witnesses.ts';

/**
 * Decides which figure of a position counts where two sources differ; it can be decided again.
 * Trades and statistics are recomputed if the figure changes. Throws `notFound`.
 */
export async function settleConflict(
  context: Context,
  principal: Principal,
  { accountId, importId, place }: { accountId: string; importId: string; place: number },
  keep: ConflictSide,
): Promise<ImportRecord> {
  const account = await accessAccount(context, principal, accountId);
  return context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(historyLock(number));
    const found = await findImport(tx, number, importId);
    const conflict = found && conflictsOf(found)[place];
    if (!found || !conflict) throw notFound('Conflict');
    if (found.state !== 'stored') throw unavailable('The import is being stored or taken back', 5);
    if (conflict.kept !== keep && !(await applyFigure(tx, account, conflict, keep)))
      throw notFound('The deal that they differ in');
    const settledAt = new Date(context.now()).toISOString();
    const after = withConflict(found, place, { ...conflict, kept: keep, settledAt });
    await updateImport(tx, after);
    const { dealId, positionId, field, stored, stated } = conflict;
    const details = { importId, dealId, positionId, field, stored, stated, kept: keep };
    return {
      result: presentImport(after),
      audit: [{ action: 'conflict.settled', userId, accountId, details }],
    };
  });
}

/**
 * Without a decision, the figures of a removed import give way to those of the remaining sources.
 */
export async function yieldFigures(
  tx: Transaction,
  account: Account,
  leaving: StatementImport,
): Promise<void> {
  const all = await listImports(tx, account.number, IMPORTS_MAX, 0);
  for (const one of all) {
    const isLeaving = one.number === leaving.number;
    let after = one;
    for (const [place, conflict] of conflictsOf(one).entries()) {
      if (conflict.settledAt !== undefined) continue;
      const [stored, stated] = CONFLICT_SIDES;
      const [own, other] = isLeaving ? [stated, stored] : [stored, stated];
      const isOfLeaving = isLeaving || conflict.storedBy === leaving.id;
      if (!isOfLeaving || conflict.kept !== own) continue;
      await applyFigure(tx, account, conflict, other);
      after = withConflict(after, place, { ...conflict, kept: other });
    }
    if (after !== one) await updateImport(tx, after);
  }
}

const conflictsOf = ({ record }: StatementImport): readonly Conflict[] =>
  (record as ImportOutcome).conflicts;

const withConflict = (
  one: StatementImport,
  place: number,
  conflict: Conflict,
): StatementImport => ({
  ...one,
  record: { ...one.record, conflicts: conflictsOf(one).with(place, conflict) },
});

/** Writes one side's figure into the counting deal; false if that is gone. */
async function applyFigure(
  tx: Transaction,
  { number, currency }: Account,
  conflict: Conflict,
  side: ConflictSide,
): Promise<boolean> {
  const [deal] = await findDeals(tx, number, [conflict.dealId]);
  if (!deal) return false;
  for (const changed of await changedDeals(tx, number, deal, conflict, side, moneyDigits(currency)))
    await replaceDeal(tx, number, changed);
  await noteDealsChanged(tx, number, true);
  return true;
}

async function changedDeals(
  tx: Transaction,
  accountNumber: number,
  deal: Deal,
  { field, ...figures }: Conflict,
  side: ConflictSide,
  digits: number,
): Promise<Deal[]> {
  const text = figures[side];
  const other = figures[side === 'stored' ? 'stated' : 'stored'];
  switch (field) {
    case 'money': {
      // Either may include costs: their difference is that of the profit.
      const more = toUnits(Number(text), digits) - toUnits(Number(other), digits);
      return [{ ...deal, profit: deal.profit + more }];
    }
    case 'volume': {
      const [before, volume] = [deal.volume, toVolume(Number(text))];
      const { positionId } = deal;
      const own = positionId ? await listPositionDeals(tx, accountNumber, [positionId]) : [];
      const entries = own.filter(({ entry }) => entry === 'DEAL_ENTRY_IN');
      const [entry, ...more] = entries;
      const isWhole = entry !== undefined && more.length === 0 && entry.volume === before;
      return [{ ...deal, volume }, ...(isWhole ? [{ ...entry, volume }] : [])];
    }
    case 'closeTime':
      return [{ ...deal, timeMs: parseBrokerTime(text) ?? deal.timeMs }];
    case 'price':
      return [{ ...deal, price: Number(text) }];
  }
}
