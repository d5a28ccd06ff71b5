import {
  type ImportRecord,
  type ImportSummary,
  MAX_WARNING,
} from '../../contract/operations/statements.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import type { Summary } from '../../statements/outcome/summary.ts';
import type { StatementHead } from '../../statements/thread/messages.ts';
import type { Account } from '../../storage/account-store.ts';
import type { StatementImport } from '../../storage/import-store.ts';
import type { Conflict } from './witnesses.ts';

/** The most imports of an account. */
export const IMPORTS_MAX = 1000;

/** The stored text for users about an import: its record without the fields of its own row. */
export type ImportOutcome = Omit<ImportRecord, 'id' | 'importedAt' | 'state'>;

export function describeImport(
  head: StatementHead,
  { account, warnings }: { account: Pick<Account, 'currency'>; warnings: string[] },
  added: number,
  { conflicts, conflicting }: Found = { conflicts: [], conflicting: 0 },
): ImportOutcome {
  const { summary, stated, reconciliation, carriedInBalance } = head;
  const digits = moneyDigits(account.currency);
  const plain = (money: Money): number => fromUnits(money, digits);
  return {
    ...(head.fileName ? { fileName: head.fileName } : {}),
    kind: head.kind,
    deals: summary.deals,
    added,
    trades: summary.trades,
    closingDeals: summary.closingDeals,
    balanceOperations: summary.balanceOperations,
    openPositions: head.openPositions.length,
    netProfit: plain(summary.netProfit),
    deposits: plain(summary.deposits),
    withdrawals: plain(summary.withdrawals),
    balance: plain(stated.balance ?? summary.balance),
    ...(carriedInBalance ? { carriedIn: plain(carriedInBalance) } : {}),
    currency: stated.currency ?? account.currency,
    ...timesOf(summary),
    reconciliation,
    readings: head.readings,
    conflicts,
    warnings: [
      ...warnings,
      ...conflictWords(conflicting),
      ...head.warnings.map(({ message }) => message),
    ].map((warning) => warning.slice(0, MAX_WARNING)),
  };
}

/** Differences from other sources of the same positions. */
type Found = { conflicts: Conflict[]; conflicting: number };

const conflictWords = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${count} figures of positions differ from what another source stated: the more trusted ` +
          'source was kept, and conflicts names both',
      ];

function timesOf({
  firstTimeMs,
  lastTimeMs,
}: Summary): Pick<ImportRecord, 'firstTime' | 'lastTime'> {
  return firstTimeMs === undefined || lastTimeMs === undefined
    ? {}
    : { firstTime: formatBrokerTime(firstTimeMs), lastTime: formatBrokerTime(lastTimeMs) };
}

type Kept = { id: string; importedAt: string; state: StatementImport['state'] };

export function presentImport({
  id,
  createdAtMs,
  state,
  record,
}: StatementImport): ImportRecord & Kept {
  const importedAt = new Date(createdAtMs).toISOString();
  return { id, importedAt, state, ...(record as ImportOutcome) };
}

export function presentImportSummary(statementImport: StatementImport): ImportSummary {
  const { id, importedAt, state, kind, deals, added, netProfit, balance, currency, ...rest } =
    presentImport(statementImport);
  const { firstTime, lastTime, fileName, reconciliation, warnings, conflicts } = rest;
  return {
    ...(fileName === undefined ? {} : { fileName }),
    ...{ id, importedAt, state, kind, deals, added, netProfit, balance, currency },
    ...(firstTime === undefined ? {} : { firstTime }),
    ...(lastTime === undefined ? {} : { lastTime }),
    differences: reconciliation.differences.length,
    warnings: warnings.length,
    conflicts: conflicts.filter(({ settledAt }) => settledAt === undefined).length,
  };
}
