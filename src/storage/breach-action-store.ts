import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type {
  ActionConfirmation,
  ActionMoment,
  BreachActionState,
  BreachActionWord,
} from '../words/actions.ts';
import type { EventKind } from '../words/events.ts';
import { type Claim, isUnclaimed } from './claim-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import type { EventSubject } from './event-store.ts';
import { flag, json, plain, RecordTable } from './record-table.ts';
import { places, Where } from './sql-text.ts';
import { startsThose } from './tracker-action-store.ts';

/** Figures in currency. */
type SeenAccount = { balance: number; equity: number; atMs: number };

/** An action on a platform because of a breach: see insertEvent, which stores it. */
export type BreachAction = {
  id: number;
  accountNumber: number;
  /** The tracker, or the rule of an enrolment, that has the action. */
  trackerId: string;
  /** The event: see subjectOf. */
  subjectId: string;
  startTimeMs: number;
  round: number;
  /** Its place in the tracker's list. */
  place: number;
  userId: string;
  /** Time of the breach. */
  timeMs: BrokerTimeMs;
  action: BreachActionWord;
  groupName: string | null;
  isDryRun: boolean;
  /** What started it. */
  moment: ActionMoment;
  /** What it still waits for. */
  confirm: ActionConfirmation;
  /** The account as the platform showed it before anything was done. */
  seen: SeenAccount | null;
  state: BreachActionState;
  attempts: number;
  dueAtMs: number;
  /** UTC: when the period of its event ends, the moment of `reset`; null if it has no end. */
  periodEndMs: number | null;
  /** The platform showed its effect before anything was done for it. */
  isFound: boolean;
  message: string | null;
  createdAtMs: number;
  endedAtMs: number | null;
};

/** When an action could be done at the earliest: with its event, or at the reset after it. */
export const startedAtMs = ({
  moment,
  createdAtMs,
  periodEndMs,
}: Pick<BreachAction, 'moment' | 'createdAtMs' | 'periodEndMs'>): number =>
  moment === 'reset' ? Math.max(createdAtMs, periodEndMs ?? 0) : createdAtMs;

const ACTION = new RecordTable<BreachAction>('breach_action', {
  id: plain('id'),
  accountNumber: plain('account_number'),
  trackerId: plain('tracker_id'),
  subjectId: plain('subject_id'),
  startTimeMs: plain('start_time_ms'),
  round: plain('round'),
  place: plain('place'),
  userId: plain('user_id'),
  timeMs: plain('time_ms'),
  action: plain('action'),
  groupName: plain('group_name'),
  isDryRun: flag('is_dry_run'),
  moment: plain('moment'),
  confirm: plain('confirm'),
  seen: json('seen'),
  state: plain('state'),
  attempts: plain('attempts'),
  dueAtMs: plain('due_at_ms'),
  periodEndMs: plain('period_end_ms'),
  isFound: flag('is_found'),
  message: plain('message'),
  createdAtMs: plain('created_at_ms'),
  endedAtMs: plain('ended_at_ms'),
});

/** Reads an action from its row. */
export const actionOf = ACTION.read;
export const ACTION_COLUMNS = ACTION.list;

const isOpen = (table: string): string => `${table}.state in ('waiting', 'running')`;
const IS_OPEN = isOpen('breach_action');

/** The longest pause before another attempt. */
export const MAX_ACTION_PAUSE_MS = 60_000;

/**
 * Whether an action may be started at the time $1. It waits for those before it in the list of its
 * event, also while they pause; a reset for all else of its event: what it gives back has to be
 * taken or given up before. One whose process ended during it is due, too. A pause that ends later
 * than the longest one was set by a wrong clock, so it counts as over.
 */
export const isDueAction = (table: string): string =>
  `(${isOpen(table)} and (${table}.state = 'running' or (
     (${table}.due_at_ms <= $1 or ${table}.due_at_ms - ${MAX_ACTION_PAUSE_MS} > $1)
     and (${table}.moment <> 'reset' or ${table}.period_end_ms <= $1)
     and not exists (
       select 1 from breach_action earlier where earlier.account_number = ${table}.account_number
         and earlier.tracker_id = ${table}.tracker_id
         and earlier.start_time_ms = ${table}.start_time_ms and earlier.round = ${table}.round
         and ${isOpen('earlier')}
         and case when earlier.moment = ${table}.moment then earlier.place < ${table}.place
           else ${table}.moment = 'reset' end))))`;

/**
 * An action that may be started, and the platform it concerns: '' if there is none. Of a deleted
 * account neither id nor login are known.
 */
export type DueAction = BreachAction & {
  platform: string;
  userId: string;
  accountId: string | undefined;
  login: string | undefined;
};

/** Profiles of one server share it. */
const PLATFORM = "coalesce(profile.server, profile.id, '')";
const USER = "coalesce(account.user_id, '')";
const WITH_PLATFORM = `select breach_action.*, ${PLATFORM} as platform, ${USER} as user_id,
    account.id as account_id, account.login from breach_action
  left join account on account.number = breach_action.account_number
  left join provisioning_profile profile on profile.id = account.profile_id`;

const dueActionOf = (
  row: Row & { platform?: string; user_id?: string; account_id?: string; login?: string },
): DueAction => ({
  ...ACTION.read(row),
  platform: row.platform ?? '',
  userId: row.user_id ?? '',
  accountId: row.account_id ?? undefined,
  login: row.login ?? undefined,
});

/**
 * Actions that are due, oldest first: the next one of each account that no process works on, except
 * on some platforms.
 */
export async function listDueActions(
  sql: Sql,
  nowMs: number,
  limit: number,
  except: { platforms: readonly string[]; users: readonly string[] },
): Promise<DueAction[]> {
  const noneOf = (column: string, first: number, values: readonly string[]): string =>
    values.length === 0 ? '' : `and ${column} not in (${places(first, values.length)})`;
  const { platforms, users } = except;
  const others = `${noneOf(PLATFORM, 3, platforms)} ${noneOf(USER, 3 + platforms.length, users)}`;
  const rows = await sql.all(
    `${WITH_PLATFORM} where ${isDueAction('breach_action')} ${others}
       and ${isUnclaimed('breach-action', 'breach_action.account_number')} and not exists (
         select 1 from breach_action other
         where other.account_number = breach_action.account_number
           and ${isDueAction('other')} and other.id < breach_action.id)
     order by breach_action.id limit $2`,
    [nowMs, limit, ...platforms, ...users],
  );
  return rows.map(dueActionOf);
}

/**
 * Begins an attempt at an action, for the process that has claimed its account. Undefined if it has
 * changed meanwhile, or actions are switched off.
 */
export async function beginAction(
  tx: Transaction,
  { id, state, attempts, dueAtMs }: BreachAction,
): Promise<BreachAction | undefined> {
  const row = await tx.get(
    `update breach_action set state = 'running', attempts = attempts + 1
     where id = $1 and state = $2 and attempts = $3 and due_at_ms = $4
       and exists (select 1 from breach_action_switch where enabled = 1)
     returning ${ACTION.list}`,
    [id, state, attempts, dueAtMs],
  );
  return row && ACTION.read(row);
}

/** Whether there is still reason to do an action. */
export type Standing = {
  /** No other process has started it. */
  isHeld: boolean;
  isSwitchedOn: boolean;
  /** Its owner still has actions, its breach was not revised away, nor its enrolment reinstated. */
  isWanted: boolean;
  /** Undefined if the account is gone. */
  login: string | undefined;
  /** Undefined without one. */
  profileId: string | undefined;
};

export async function readActionStanding(
  sql: Sql,
  { id }: Pick<BreachAction, 'id'>,
  { fence }: Pick<Claim, 'fence'>,
): Promise<Standing> {
  const row = await sql.get<Record<string, number | string | null>>(
    `select (select count(*) from claim where claim.fence = $2) as held,
       (select enabled from breach_action_switch) as enabled,
       (select count(*) from tracker_action wanted
        where wanted.account_number = breach_action.account_number
          and wanted.tracker_id = breach_action.tracker_id and not exists (
            select 1 from tracker_event where account_number = breach_action.account_number
              and tracker_event.tracker_id = breach_action.subject_id and kind = 'revision'
              and breach_action.moment <> 'reset'
              and tracker_event.start_time_ms = breach_action.start_time_ms
              and revised_kind = case breach_action.moment when 'breach' then 'drawdown'
                else breach_action.moment end
              and revised_round = breach_action.round
              and still_exceeded = 0)
          and not exists (select 1 from tracker_event later
            where later.account_number = breach_action.account_number
              and later.tracker_id = breach_action.subject_id and later.kind = 'enrolment'
              and later.start_time_ms > breach_action.start_time_ms)) as wanted,
       account.login, account.profile_id
     from breach_action left join account on account.number = breach_action.account_number
     where breach_action.id = $1`,
    [id, fence],
  );
  return {
    isHeld: Number(row?.held ?? 0) > 0,
    isSwitchedOn: row?.enabled === 1,
    isWanted: Number(row?.wanted ?? 0) > 0,
    login: row?.login === null ? undefined : row?.login?.toString(),
    profileId: row?.profile_id === null ? undefined : row?.profile_id?.toString(),
  };
}

/** The event that started an action; undefined once it is gone. */
export async function readActionEvent(
  sql: Sql,
  { accountNumber, subjectId, startTimeMs, round, moment }: BreachAction,
): Promise<StoredEvent | undefined> {
  const row = await sql.get(
    `select ${EVENT_COLUMNS} from tracker_event where account_number = $1 and tracker_id = $2
       and start_time_ms = $3 and round = $4 and ${startsThose('kind', '$5')}`,
    [accountNumber, subjectId, startTimeMs, round, moment],
  );
  return row && eventOf(row);
}

/**
 * Notes what the platform showed before the actions of an event. If that confirms the breach, none
 * of them waits for it any more; a reset does, as another breach may disable trading meanwhile.
 */
export async function noteSeen(
  tx: Transaction,
  { accountNumber, subjectId, startTimeMs, round, moment }: BreachAction,
  { isConfirmed, balance, equity, atMs }: SeenAccount & { isConfirmed: boolean },
): Promise<void> {
  const isKept = isConfirmed && moment !== 'reset';
  const confirm = isKept ? ", confirm = replace(confirm, 'platform', 'none')" : '';
  await tx.run(
    `update breach_action set seen = $5 ${confirm}
     where account_number = $1 and subject_id = $2 and start_time_ms = $3 and round = $4
       and moment = $6 and ${IS_OPEN}`,
    [
      ...[accountNumber, subjectId, startTimeMs, round],
      ...[JSON.stringify({ balance, equity, atMs }), moment],
    ],
  );
}

/** Why trading may have to stay disabled at the reset after a breach. */
export type OtherBans = {
  /**
   * It was disabled already when the breach's own action came to it, and not by another breach
   * whose period lasted then and has ended by this reset.
   */
  isOlder: boolean;
  /**
   * Another breach has disabled it since, or is about to, and its period ends later, if at all: a
   * later one, or one whose action took until after this breach.
   */
  isLonger: boolean;
};

export async function readOtherBans(
  sql: Sql,
  { id, accountNumber, subjectId, startTimeMs, round, periodEndMs, createdAtMs }: BreachAction,
): Promise<OtherBans> {
  const row = await sql.get<{ older: number; longer: number }>(
    `select (select count(*) from breach_action own where account_number = $1 and subject_id = $2
         and start_time_ms = $3 and round = $4 and moment = 'breach'
         and action = 'disableTrading' and is_found = 1 and not exists (
           select 1 from breach_action ours where account_number = $1 and state = 'done'
             and action = 'disableTrading' and is_found = 0 and is_dry_run = 0
             and ended_at_ms <= own.ended_at_ms
             and period_end_ms > own.created_at_ms and period_end_ms <= $6
             and not exists (
               select 1 from breach_action where account_number = $1 and state = 'done'
                 and action = 'enableTrading'
                 and ended_at_ms between ours.ended_at_ms and own.ended_at_ms))) as older,
       (select count(*) from breach_action where account_number = $1
         and (id > $5 or ended_at_ms is null or ended_at_ms >= $7)
         and moment in ('breach', 'warning', 'passing') and action = 'disableTrading'
         and is_dry_run = 0 and state <> 'stopped'
         and (period_end_ms is null or period_end_ms > $6)) as longer`,
    [accountNumber, subjectId, startTimeMs, round, id, periodEndMs, createdAtMs],
  );
  return { isOlder: Number(row?.older) > 0, isLonger: Number(row?.longer) > 0 };
}

/** Ends an account's actions that are not over, also one that runs: its process may have died. */
export async function stopActions(
  tx: Transaction,
  accountNumber: number,
  nowMs: number,
): Promise<BreachAction[]> {
  const rows = await tx.all(
    `update breach_action set state = 'stopped', ended_at_ms = $2
     where account_number = $1 and ${IS_OPEN} returning ${ACTION.list}`,
    [accountNumber, nowMs],
  );
  return rows.map(ACTION.read);
}

/** Stores the outcome of an attempt; false if the action was ended with its account. */
export async function settleAction(
  tx: Transaction,
  { id }: BreachAction,
  outcome: Pick<
    BreachAction,
    'state' | 'attempts' | 'dueAtMs' | 'isFound' | 'message' | 'endedAtMs'
  >,
): Promise<boolean> {
  const { state, attempts, dueAtMs, isFound, message, endedAtMs } = outcome;
  const changed = await tx.run(
    `update breach_action set state = $2, attempts = $3, due_at_ms = $4, message = $5,
       ended_at_ms = $6, is_found = $7 where id = $1 and state = 'running'`,
    [id, state, attempts, dueAtMs, message, endedAtMs, isFound ? 1 : 0],
  );
  return changed > 0;
}

/** The actions of an event (see subjectOf), in the order of its list. */
export const readActionsOf = (
  sql: Sql,
  accountNumber: number,
  [subjectId, startTimeMs, round]: EventSubject,
  kind: EventKind,
): Promise<BreachAction[]> =>
  ACTION.all(
    sql,
    `where account_number = $1 and subject_id = $2 and start_time_ms = $3
       and round = $4 and ${startsThose('$5', 'moment')} order by place`,
    [accountNumber, subjectId, startTimeMs, round, kind],
  );

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
       and event.tracker_id = breach_action.subject_id
       and ${startsThose('event.kind', 'breach_action.moment')}
       and event.start_time_ms = breach_action.start_time_ms and event.round = breach_action.round
     where ${where} order by breach_action.id desc limit ${where.place(limit)}`,
    where.params,
  );
  return rows.map((row) => ({
    action: ACTION.read(row),
    sequenceNumber: row.sequence_number === null ? undefined : Number(row.sequence_number),
  }));
}

/**
 * Retries a user's escalated actions, some or all: whoever does so confirms the breach. Each retry
 * adds to the incident's entries, so those of an incident with too many are left. Returns the ids.
 */
export async function retryActions(
  tx: Transaction,
  userId: string,
  { ids, entriesBelow }: { ids: readonly number[] | undefined; entriesBelow: number },
): Promise<number[]> {
  const where = new Where().equal('user_id', userId).and("state = 'escalated'").oneOf('id', ids);
  where.and(`coalesce((select entries from incident
    where incident.account_number = breach_action.account_number
      and incident.time_ms = breach_action.time_ms), 0) < ${where.place(entriesBelow)}`);
  const rows = await tx.all<{ id: number }>(
    `update breach_action set state = 'waiting', confirm = 'none', attempts = 0, due_at_ms = 0,
       ended_at_ms = null
     where ${where} returning id`,
    where.params,
  );
  return rows.map(({ id }) => id);
}

export async function readSwitch(sql: Sql): Promise<boolean> {
  const row = await sql.get<{ enabled: number }>('select enabled from breach_action_switch');
  return row?.enabled === 1;
}

/** False if this was its state already. */
export async function setSwitch(tx: Transaction, enabled: boolean): Promise<boolean> {
  const value = enabled ? 1 : 0;
  const sql = 'update breach_action_switch set enabled = $1 where enabled <> $1';
  return (await tx.run(sql, [value])) > 0;
}

/** How many actions are not done, of a user or of all; those before their reset are not open. */
export async function countActions(
  sql: Sql,
  nowMs: number,
  userId?: string,
): Promise<{ open: number; escalated: number }> {
  const where = new Where().equal('user_id', userId);
  const now = where.place(nowMs);
  const row = await sql.get<{ open: number; escalated: number }>(
    `select (select count(*) from breach_action where ${IS_OPEN} and ${where}
         and (moment <> 'reset' or period_end_ms <= ${now})) as open,
       (select count(*) from breach_action where state = 'escalated' and ${where}) as escalated`,
    where.params,
  );
  return { open: row?.open ?? 0, escalated: row?.escalated ?? 0 };
}
