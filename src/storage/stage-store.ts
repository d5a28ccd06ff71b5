import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Deal } from '../domain/deal.ts';
import type { Row, Sql, Transaction } from './database.ts';

/** The fold of an account's trades, as of one of its deals. */
export type FoldStage = { last: Pick<Deal, 'id' | 'timeMs'>; foldState: string };

/** Stores a stage. The caller holds historyLock. */
export async function insertStage(
  tx: Transaction,
  accountNumber: number,
  { last, foldState }: FoldStage,
): Promise<void> {
  await tx.run(
    'insert into fold_stage (account_number, time_ms, deal_id, fold_state) values ($1, $2, $3, $4)',
    [accountNumber, last.timeMs, last.id, foldState],
  );
}

/** Deletes all stages, because the fold starts again. The caller holds historyLock. */
export async function deleteStages(tx: Transaction, accountNumber: number): Promise<void> {
  await tx.run('delete from fold_stage where account_number = $1', [accountNumber]);
}

/** The newest stage at a deal of this moment or before. */
export async function findStage(
  sql: Sql,
  accountNumber: number,
  timeMs: BrokerTimeMs,
): Promise<FoldStage | undefined> {
  const row = await sql.get<Row & { time_ms: number; deal_id: string; fold_state: string }>(
    `select time_ms, deal_id, fold_state from fold_stage
     where account_number = $1 and time_ms <= $2 order by time_ms desc, deal_id desc limit 1`,
    [accountNumber, timeMs],
  );
  return row && { last: { timeMs: row.time_ms, id: row.deal_id }, foldState: row.fold_state };
}
