import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import { numberOf, Where } from './sql-text.ts';

/** An event that a webhook did not take. */
export type DeadLetter = {
  webhookId: string;
  sequenceNumber: number;
  attempts: number;
  failedAtMs: number;
  lastResult: string;
  /** When it is sent again; null unless requested. */
  dueAtMs: number | null;
};

const DEAD_LETTER = new RecordTable<DeadLetter>('webhook_dead_letter', {
  webhookId: plain('webhook_id'),
  sequenceNumber: plain('sequence_number'),
  attempts: plain('attempts'),
  failedAtMs: plain('failed_at_ms'),
  lastResult: plain('last_result'),
  dueAtMs: plain('due_at_ms'),
});

export async function writeDeadLetter(sql: Sql, letter: DeadLetter): Promise<void> {
  await sql.run(
    `${DEAD_LETTER.insert()} on conflict (webhook_id, sequence_number)
     ${DEAD_LETTER.replace('webhook_id', 'sequence_number')}`,
    DEAD_LETTER.values(letter),
  );
}

export async function deleteDeadLetter(
  sql: Sql,
  webhookId: string,
  sequenceNumber: number,
): Promise<void> {
  await sql.run('delete from webhook_dead_letter where webhook_id = $1 and sequence_number = $2', [
    webhookId,
    sequenceNumber,
  ]);
}

/** Those to be sent again, in order of number. */
export const listDueDeadLetters = (
  sql: Sql,
  webhookId: string,
  limit: number,
): Promise<DeadLetter[]> =>
  DEAD_LETTER.all(
    sql,
    `where webhook_id = $1 and due_at_ms is not null
     order by sequence_number limit $2`,
    [webhookId, limit],
  );

/** Those with smaller numbers, newest first. */
export const listDeadLetters = (
  sql: Sql,
  webhookId: string,
  before: number,
  limit: number,
): Promise<DeadLetter[]> =>
  DEAD_LETTER.all(
    sql,
    `where webhook_id = $1 and sequence_number < $2
     order by sequence_number desc limit $3`,
    [webhookId, before, limit],
  );

/** Schedules dead letters to be sent again, one or all; returns how many. */
export async function replayDeadLetters(
  tx: Transaction,
  webhookId: string,
  nowMs: number,
  sequenceNumber?: number,
): Promise<number> {
  const where = new Where().equal('webhook_id', webhookId).equal('sequence_number', sequenceNumber);
  const count = await tx.run(
    `update webhook_dead_letter set due_at_ms = ${where.place(nowMs)} where ${where}`,
    where.params,
  );
  await tx.run(
    'update webhook set due_at_ms = $2 where id = $1 and due_at_ms > $2 and attempts > 0',
    [webhookId, nowMs],
  );
  return count;
}

export const countDeadLetters = (sql: Sql): Promise<number> =>
  numberOf(sql, 'select count(*) as letters from webhook_dead_letter');
