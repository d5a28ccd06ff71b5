import type { Row, Sql, Transaction } from './database.ts';
import { allIn } from './sql-text.ts';

/** How far an account's trades and statistics are computed from its deals. */
export type History = {
  /** Counts the changes of the account's deals. */
  dealVersion: number;
  /** The dealVersion of the stored trades; below zero while they, or their import, are partial. */
  tradeVersion: number;
  /** No import of the account is being stored or taken back. */
  isSettled: boolean;
  /** A deal arrived before the last one that was folded: fold from the start. */
  mustRebuild: boolean;
  /** Counts the changes that it was set for. */
  rebuilds: number;
  /** The last deal that was folded, in compareDeals order. */
  last: { timeMs: number; id: string } | undefined;
  tradeCount: number;
  /** Deals folded since the newest stage: see stage-store.ts. */
  unstagedDeals: number;
};

type HistoryRow = Row & {
  deal_version: number;
  trade_version: number;
  unsettled: number;
  must_rebuild: number;
  rebuilds: number;
  last_time_ms: number | null;
  last_deal_id: string | null;
  trade_count: number;
  unstaged_deals: number;
};

/** The initial history of an account. */
const NOTHING: History = {
  ...{ dealVersion: 0, tradeVersion: 0, isSettled: true },
  ...{ mustRebuild: false, rebuilds: 0, last: undefined, tradeCount: 0, unstagedDeals: 0 },
};

export const historyLock = (accountNumber: number): string => `history:${accountNumber}`;

export async function readHistory(sql: Sql, accountNumber: number): Promise<History> {
  const row = await sql.get<HistoryRow>(
    `select deal_version, trade_version, unsettled, must_rebuild, rebuilds, last_time_ms,
       last_deal_id, trade_count, unstaged_deals
     from account_history where account_number = $1`,
    [accountNumber],
  );
  if (!row) return NOTHING;
  return {
    dealVersion: row.deal_version,
    tradeVersion: row.trade_version,
    isSettled: row.unsettled === 0,
    mustRebuild: row.must_rebuild === 1,
    rebuilds: row.rebuilds,
    last:
      row.last_time_ms === null || row.last_deal_id === null
        ? undefined
        : { timeMs: row.last_time_ms, id: row.last_deal_id },
    tradeCount: row.trade_count,
    unstagedDeals: row.unstaged_deals,
  };
}

/** The folds of trades and statistics as of the last folded deal, as texts. */
export type FoldTexts = { foldState: string; metricsState: string };

export async function readFoldTexts(
  sql: Sql,
  accountNumber: number,
): Promise<FoldTexts | undefined> {
  const row = await sql.get<{ fold_state: string | null; metrics_state: string | null }>(
    'select fold_state, metrics_state from account_history where account_number = $1',
    [accountNumber],
  );
  return row?.fold_state && row.metrics_state
    ? { foldState: row.fold_state, metricsState: row.metrics_state }
    : undefined;
}

export type HistoryVersions = Pick<History, 'dealVersion' | 'tradeVersion' | 'isSettled'>;

/** The versions of the stored histories. */
export async function readHistoryVersions(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<Map<number, HistoryVersions>> {
  type Versions = Row & {
    account_number: number;
    deal_version: number;
    trade_version: number;
    unsettled: number;
  };
  const rows = await allIn<Versions>(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, deal_version, trade_version, unsettled from account_history
       where account_number in (${list})`,
  );
  return new Map(
    rows.map((row) => [
      row.account_number,
      {
        dealVersion: row.deal_version,
        tradeVersion: row.trade_version,
        isSettled: row.unsettled === 0,
      },
    ]),
  );
}

/** Notes that deals changed. The caller holds historyLock. */
export async function noteDealsChanged(
  tx: Transaction,
  accountNumber: number,
  mustRebuild: boolean,
): Promise<void> {
  await tx.run(
    `insert into account_history
       (account_number, deal_version, trade_version, unsettled, must_rebuild, rebuilds,
       trade_count, unstaged_deals)
     values ($1, 1, 0, 0, $2, $2, 0, 0)
     on conflict (account_number) do update set
       deal_version = account_history.deal_version + 1,
       must_rebuild = case when $2 = 1 then 1 else account_history.must_rebuild end,
       rebuilds = account_history.rebuilds + $2`,
    [accountNumber, mustRebuild ? 1 : 0],
  );
}

/** Counts an import being stored or taken back. The caller holds historyLock. */
export async function countUnsettled(
  tx: Transaction,
  accountNumber: number,
  change: 1 | -1,
): Promise<void> {
  await tx.run(
    `insert into account_history
       (account_number, deal_version, trade_version, unsettled, must_rebuild, rebuilds,
       trade_count, unstaged_deals)
     values ($1, 0, 0, $2, 0, 0, 0, 0)
     on conflict (account_number) do update set unsettled = account_history.unsettled + $2`,
    [accountNumber, change],
  );
}

/** Notes the tradeVersion while trades change over several transactions, under historyLock. */
export async function noteComputing(
  tx: Transaction,
  accountNumber: number,
  tradeVersion: number,
): Promise<void> {
  await tx.run('update account_history set trade_version = $2 where account_number = $1', [
    accountNumber,
    tradeVersion,
  ]);
}

/** The stored result of a fold that has reached a deal. */
export type StoredFold = Omit<History, 'dealVersion' | 'mustRebuild' | 'rebuilds' | 'isSettled'> &
  FoldTexts;

/** Stores the progress of a fold. The caller holds historyLock. */
export async function saveFold(
  tx: Transaction,
  accountNumber: number,
  fold: StoredFold,
): Promise<void> {
  await tx.run(
    `update account_history set trade_version = $2, must_rebuild = 0, last_time_ms = $3,
       last_deal_id = $4, fold_state = $5, metrics_state = $6, trade_count = $7,
       unstaged_deals = $8
     where account_number = $1`,
    [
      accountNumber,
      fold.tradeVersion,
      fold.last?.timeMs ?? null,
      fold.last?.id ?? null,
      fold.foldState,
      fold.metricsState,
      fold.tradeCount,
      fold.unstagedDeals,
    ],
  );
}

/** The folds of those accounts that have a complete one. */
export async function readFoldStates(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await allIn<{ account_number: number; fold_state: string }>(
    sql,
    accountNumbers,
    (ids) =>
      `select account_number, fold_state from account_history
       where fold_state is not null and trade_version > 0 and account_number in (${ids})`,
  );
  return new Map(rows.map((row) => [row.account_number, row.fold_state]));
}
