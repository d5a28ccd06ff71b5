import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { type Deal, isCredit, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import { tradesOf } from '../../domain/trades/trade-state.ts';
import { readStatement } from '../../statements/read-statement.ts';
import type { Statement } from '../../statements/statement.ts';
import { UnreadableStatement } from '../../statements/unreadable-statement.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Context } from '../context.ts';
import { DEALS_PER_TRANSACTION, storeDeals } from '../deals/record-deals.ts';
import { conflict, ServiceError, unavailable } from '../errors.ts';
import type { TradeComputer } from '../trades/trade-computer.ts';
import { bookCarriedInBalance } from './carried-in-balance.ts';

/** Files that are read or wait at a time; each may take its size several times over in memory. */
const MAX_IMPORTS = 4;

export type ImportedStatement = {
  kind: string;
  deals: number;
  added: number;
  trades: number;
  closingDeals: number;
  balanceOperations: number;
  openPositions: number;
  netProfit: number;
  deposits: number;
  withdrawals: number;
  balance: number;
  currency: string;
  firstTime?: string | undefined;
  lastTime?: string | undefined;
  stated: Record<string, number>;
  warnings: string[];
};

export type ImportOptions = {
  onProgress?: ((doneShare: number) => void) | undefined;
  /** Of a report in another currency than the account's: its amounts as they are, or nothing. */
  otherCurrency?: 'take' | 'refuse' | undefined;
};

let running = 0;

/**
 * Reads a report file and stores its deals, all or none, durable when it returns. A report that
 * lists only a part of the history has the balance carried in booked before its first deal.
 * Throws `validation` for a file that can't be read, `conflict` for one in another currency where that
 * is refused, `unavailable` while too many are being read.
 */
export async function importStatement(
  context: Context & { trades: TradeComputer },
  account: Account,
  file: Uint8Array,
  { onProgress, otherCurrency = 'take' }: ImportOptions = {},
): Promise<ImportedStatement> {
  if (running >= MAX_IMPORTS) throw unavailable('Other statements are being read', 5);
  running += 1;
  try {
    const imported = await context.trades.during(account, async () => {
      const digits = moneyDigits(account.currency);
      const statement = await read(file, digits, (share) => onProgress?.(share / 2));
      if (otherCurrency === 'refuse') requireCurrency(statement, account);
      const added = await store(context, account, statement, (share) =>
        onProgress?.(0.5 + share / 2),
      );
      return describe(statement, account, added);
    });
    // Whoever looks next finds the trades, or a computation on its way.
    await context.trades.current(account);
    return imported;
  } finally {
    running -= 1;
  }
}

async function read(
  file: Uint8Array,
  digits: number,
  onProgress: (doneShare: number) => void,
): Promise<Statement> {
  try {
    return await readStatement(file, { moneyDigits: digits, onProgress });
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error;
    const { expected, where, message } = error;
    throw new ServiceError('validation', `The file can not be read. ${message}`, {
      cause: error,
      details: [{ parameter: 'body', message, expected, where }],
    });
  }
}

/** Throws `conflict` for a report in another currency, before anything is stored. */
function requireCurrency({ account: stated }: Statement, { currency }: Account): void {
  if (stated.currency === undefined || stated.currency === currency) return;
  throw conflict(
    `The report is in ${stated.currency}, the account in ${currency}. Import it into an account in ${stated.currency}`,
  );
}

async function store(
  { changes }: Context,
  account: Account,
  { deals, carriedInBalance }: Statement,
  onProgress: (doneShare: number) => void,
): Promise<number> {
  let added = 0;
  for (let start = 0; start < deals.length; start += DEALS_PER_TRANSACTION) {
    const some = deals.slice(start, start + DEALS_PER_TRANSACTION);
    added += await changes.record(async (tx) => (await storeDeals(tx, account, some)).length);
    onProgress(start / deals.length);
    await nextTurn();
  }
  const [first] = deals;
  if (first && carriedInBalance !== undefined) {
    await changes.record((tx) => bookCarriedInBalance(tx, account, first.timeMs, carriedInBalance));
  }
  onProgress(1);
  return added;
}

function describe(statement: Statement, account: Account, added: number): ImportedStatement {
  const { deals, stated, warnings, carriedInBalance = 0 } = statement;
  const digits = moneyDigits(account.currency);
  const plain = (money: Money): number => fromUnits(money, digits);
  const sum = (some: Deal[]): Money => some.reduce((total, deal) => total + moneyOf(deal), 0);
  const executions = deals.filter(isTradeDeal);
  const operations = deals.filter((deal) => !isTradeDeal(deal));
  const transfers = operations.filter((deal) => deal.type === 'DEAL_TYPE_BALANCE');
  const currency = statement.account.currency ?? account.currency;
  const messages = warnings.map((warning) => warning.message);
  if (currency !== account.currency) {
    messages.push(
      `The report is in ${currency}, the account in ${account.currency}: amounts were taken as they are`,
    );
  }
  return {
    kind: statement.kind,
    deals: deals.length,
    added,
    trades: tradesOf(deals).filter(isTradeDeal).length,
    closingDeals: executions.filter((deal) => deal.entry !== 'DEAL_ENTRY_IN').length,
    balanceOperations: operations.length,
    openPositions: statement.openPositions.length,
    netProfit: plain(sum(executions)),
    deposits: plain(sum(transfers.filter((deal) => moneyOf(deal) > 0))),
    withdrawals: plain(-sum(transfers.filter((deal) => moneyOf(deal) < 0))),
    balance:
      stated.balance ?? plain(carriedInBalance + sum(deals.filter((deal) => !isCredit(deal)))),
    currency,
    firstTime: deals[0] && formatBrokerTime(deals[0].timeMs),
    lastTime: formatLast(deals),
    stated,
    warnings: messages,
  };
}

function formatLast(deals: readonly Deal[]): string | undefined {
  const last = deals.at(-1);
  return last && formatBrokerTime(last.timeMs);
}
