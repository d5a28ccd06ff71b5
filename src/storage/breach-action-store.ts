import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { BreachActionWord } from '../domain/live/tracker-definition.ts';
import type { Sql, Transaction } from './database.ts';
import { flag, plain, RecordTable } from './record-table.ts';
import { places, Where } from './sql-text.ts';

/**
 * waiting: to be done, or tried again. escalated: a person has to look. dry-run: it would have been
 * done. stopped: its tracker was deleted, or its enrolment withdrawn, before.
 */
export type BreachActionState =
  | 'waiting'
  | 'running'
  | 'done'
  | 'escalated'
  | 'dry-run'
  | 'stopped';

/** What is to be done on a platform because of a breach: see insertEvent, which stores it. */
export type BreachAction = {
  id: number;
  accountNumber: number;
  /** Whose actions they are: a tracker's, or those of an enrolment's rule. */
  trackerId: string;
  /** What the event is of, and which of its events it is: see subjectOf. */
  subjectId: string;
  startTimeMs: number;
  /** In the tracker's list. */
  place: number;
  userId: string;
  /** Of the breach. */
  timeMs: BrokerTimeMs;
  action: BreachActionWord;
  groupName: string | null;
  isDryRun: boolean;
  state: BreachActionState;
  attempts: number;
  /** How often it was taken up: only the newest taker may note what came of it. */
  fence: number;
  dueAtMs: number;
  leasedUntilMs: number;
  message: string | null;
  createdAtMs: number;
  endedAtMs: number | null;
};

const ACTION = new RecordTable<BreachAction>('breach_action', {
  id: plain('id'),
  accountNumber: plain('account_number'),
  trackerId: plain('tracker_id'),
  subjectId: plain('subject_id'),
  startTimeMs: plain('start_time_ms'),
  place: plain('place'),
  userId: plain('user_id'),
  timeMs: plain('time_ms'),
  action: plain('action'),
  groupName: plain('group_name'),
  isDryRun: flag('is_dry_run'),
  state: plain('state'),
  attempts: plain('attempts'),
  fence: plain('fence'),
  dueAtMs: plain('due_at_ms'),
  leasedUntilMs: plain('leased_until_ms'),
  message: plain('message'),
  createdAtMs: plain('created_at_ms'),
  endedAtMs: plain('ended_at_ms'),
});

/** An action as its row has it. */
export const actionOf = ACTION.read;

const IS_OPEN = "state in ('waiting', 'running')";

/** How far ahead a pause and a lease reach at most: what lies further was noted by a wrong clock. */
export type Horizon = { pauseMs: number; leaseMs: number };

/** What may be taken up now of any but some accounts, oldest first. */
export async function listDueActions(
  sql: Sql,
  nowMs: number,
  { pauseMs, leaseMs }: Horizon,
  limit: number,
  except: readonly number[],
): Promise<BreachAction[]> {
  const others =
    except.length === 0 ? '' : `and account_number not in (${places(5, except.length)})`;
  const rows = await sql.all(
    `select * from breach_action where ${IS_OPEN}
       and (due_at_ms <= $1 or due_at_ms > $2)
       and (leased_until_ms <= $1 or leased_until_ms > $3) ${others}
     order by id limit $4`,
    [nowMs, nowMs + pauseMs, nowMs + leaseMs, limit, ...except],
  );
  return rows.map(ACTION.read);
}

/** Takes an action up that nobody took up since it was read; undefined where somebody did. */
export async function takeAction(
  tx: Transaction,
  { id, fence }: BreachAction,
  leasedUntilMs: number,
): Promise<BreachAction | undefined> {
  const row = await tx.get(
    `update breach_action set state = 'running', fence = fence + 1, attempts = attempts + 1,
       leased_until_ms = $3
     where id = $1 and fence = $2 and ${IS_OPEN}
       and exists (select 1 from breach_action_switch where enabled = 1) returning *`,
    [id, fence, leasedUntilMs],
  );
  return row && ACTION.read(row);
}

/** Holds an action longer; false when another process has taken it up. */
export async function holdAction(
  tx: Transaction,
  { id, fence }: BreachAction,
  leasedUntilMs: number,
): Promise<boolean> {
  const changed = await tx.run(
    `update breach_action set leased_until_ms = $3
     where id = $1 and fence = $2 and state = 'running'`,
    [id, fence, leasedUntilMs],
  );
  return changed > 0;
}

/** Notes what came of an attempt; false when another process has taken the action up. */
export async function settleAction(
  tx: Transaction,
  { id, fence }: BreachAction,
  outcome: Pick<BreachAction, 'state' | 'attempts' | 'dueAtMs' | 'message' | 'endedAtMs'>,
): Promise<boolean> {
  const { state, attempts, dueAtMs, message, endedAtMs } = outcome;
  const changed = await tx.run(
    `update breach_action set state = $3, attempts = $4, due_at_ms = $5, message = $6,
       ended_at_ms = $7, leased_until_ms = 0
     where id = $1 and fence = $2 and state = 'running'`,
    [id, fence, state, attempts, dueAtMs, message, endedAtMs],
  );
  return changed > 0;
}

/** What an event had done, in the order of its list: see subjectOf. */
export async function readActionsOf(
  sql: Sql,
  accountNumber: number,
  [subjectId, startTimeMs]: readonly [string, number],
): Promise<BreachAction[]> {
  const rows = await sql.all(
    `select * from breach_action where account_number = $1 and subject_id = $2 and start_time_ms = $3
     order by place`,
    [accountNumber, subjectId, startTimeMs],
  );
  return rows.map(ACTION.read);
}

export type ListedAction = { action: BreachAction; sequenceNumber: number | undefined };

/** A user's actions whose ids come before a number, newest first, with the events' numbers. */
export async function listActions(
  sql: Sql,
  filter: { userId: string; accountNumber?: number | undefined; state?: string | undefined },
  before: number,
  limit: number,
): Promise<ListedAction[]> {
  const where = new Where()
    .equal('breach_action.user_id', filter.userId)
    .equal('breach_action.account_number', filter.accountNumber)
    .equal('breach_action.state', filter.state);
  where.and(`breach_action.id < ${where.place(before)}`);
  const rows = await sql.all(
    `select breach_action.*, event.sequence_number from breach_action
     left join tracker_event event on event.account_number = breach_action.account_number
       and event.tracker_id = breach_action.subject_id and event.kind in ('drawdown', 'enrolment')
       and event.start_time_ms = breach_action.start_time_ms
     where ${where} order by breach_action.id desc limit ${where.place(limit)}`,
    where.params,
  );
  return rows.map((row) => ({
    action: ACTION.read(row),
    sequenceNumber: row.sequence_number === null ? undefined : Number(row.sequence_number),
  }));
}

/** Has a user's escalated actions done from the start, those named or all; their ids. */
export async function retryActions(
  tx: Transaction,
  userId: string,
  ids: readonly number[] | undefined,
): Promise<number[]> {
  const where = new Where().equal('user_id', userId).and("state = 'escalated'").oneOf('id', ids);
  const rows = await tx.all<{ id: number }>(
    `update breach_action set state = 'waiting', attempts = 0, due_at_ms = 0, ended_at_ms = null
     where ${where} returning id`,
    where.params,
  );
  return rows.map(({ id }) => id);
}

export async function readSwitch(sql: Sql): Promise<boolean> {
  const row = await sql.get<{ enabled: number }>('select enabled from breach_action_switch');
  return row?.enabled === 1;
}

/** False when it stood like this already. */
export async function setSwitch(tx: Transaction, enabled: boolean): Promise<boolean> {
  const value = enabled ? 1 : 0;
  const sql = 'update breach_action_switch set enabled = $1 where enabled <> $1';
  return (await tx.run(sql, [value])) > 0;
}

/** How many are not done, of a user or of all. */
export async function countActions(
  sql: Sql,
  userId?: string,
): Promise<{ open: number; escalated: number }> {
  const where = new Where().equal('user_id', userId);
  const row = await sql.get<{ open: number; escalated: number }>(
    `select count(case when ${IS_OPEN} then 1 end) as open,
       count(case when state = 'escalated' then 1 end) as escalated
     from breach_action where (${IS_OPEN} or state = 'escalated') and ${where}`,
    where.params,
  );
  return { open: row?.open ?? 0, escalated: row?.escalated ?? 0 };
}
