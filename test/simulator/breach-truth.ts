import {
  ACTION_COLUMNS,
  actionOf,
  type BreachAction,
} from '../../src/storage/breach-action-store.ts';
import type { Row } from '../../src/storage/database.ts';
import type { SqliteConnection } from '../../src/storage/drivers/sqlite-connection.ts';
import { type Change, type PlatformChange, REFUSAL } from './simulated-platform.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { Machine, World } from './world.ts';

/** So long what a process has looked up before a request may be out of date: see Claims.fresh. */
const FRESH_MS = 1000;
/** A round of the workers, and an attempt, take less. */
const ROUND_MS = 10_000;

const WORDS = {
  disable: 'disableTrading',
  enable: 'enableTrading',
  close: 'closePositions',
} as const;
const OPEN = ['waiting', 'running'];

/** Remembers actions that went with their account. */
export const BREACH_GUARDS = `
  create table sim_gone (id integer, account_number integer, state text);
  create trigger sim_action_gone after delete on breach_action begin
    insert into sim_gone values (old.id, old.account_number, old.state);
  end;
`;

type Lived = { fromMs: number; untilMs: number };

/** The promises about actions, by what the platform was asked for and by the stored rows. */
export class BreachTruth {
  readonly #world: World;
  readonly #server: SimulatedServer;
  readonly #accounts = new Map<number, Lived & { login: number }>();
  /** Trackers with actions, by account and id. */
  readonly #trackers = new Map<string, Lived>();
  #offSinceMs = Infinity;

  constructor(world: World, server: SimulatedServer) {
    this.#world = world;
    this.#server = server;
  }

  /** Notes what has come and gone by a commit. */
  async observe(sql: SqliteConnection): Promise<void> {
    const { nowMs } = this.#world;
    const accounts = await sql.all<Row & { number: number; login: string }>(
      'select number, login from account',
    );
    for (const { number, login } of accounts) {
      if (this.#accounts.has(number)) continue;
      this.#accounts.set(number, { login: Number(login), fromMs: nowMs, untilMs: Infinity });
    }
    endAll(this.#accounts, new Set(accounts.map(({ number }) => number)), nowMs);
    const acting = await sql.all<Row & { account_number: number; tracker_id: string }>(
      'select distinct account_number, tracker_id from tracker_action',
    );
    const keys = new Set(acting.map((one) => `${one.account_number} ${one.tracker_id}`));
    for (const key of keys) {
      if (!this.#trackers.has(key)) this.#trackers.set(key, { fromMs: nowMs, untilMs: Infinity });
    }
    endAll(this.#trackers, keys, nowMs);
    const isOn = (await sql.get<{ enabled: number }>('select enabled from breach_action_switch'))
      ?.enabled;
    this.#offSinceMs = isOn ? Infinity : Math.min(this.#offSinceMs, nowMs);
  }

  /** A process asks the platform for a change: it must hold an action that needs it. */
  async checkSent({ name }: Machine, login: number, change: Change): Promise<void> {
    const world = this.#world;
    const { nowMs, utcMs } = world;
    const fail = (reason: string): void =>
      world.fail(`${name} sends ${change} of ${login} ${reason}`);
    const of = this.#accountOf(login);
    if (!of || of.account.untilMs < nowMs - FRESH_MS) return fail('of an account that is gone');
    if (of.account.untilMs < nowMs) return;
    const held = await this.#server.read(
      'get',
      "select 1 from claim where kind = 'breach-action' and key = $1 and holder like $2",
      [`${of.number}`, `${name}-%`],
    );
    if (!held) return fail('for an account that it has not claimed');
    const rows = await this.#server.read(
      'all',
      `select ${ACTION_COLUMNS} from breach_action where account_number = $1 and state = 'running'`,
      [of.number],
    );
    const running = (rows as Row[]).map(actionOf).find(({ action }) => action === WORDS[change]);
    if (!running) return fail('for no action that runs');
    if (running.moment === 'reset' && utcMs < (running.periodEndMs ?? Infinity))
      return fail('before the reset');
    if (this.#offSinceMs < nowMs - FRESH_MS) return fail('though actions are switched off');
    const tracker = this.#trackers.get(`${of.number} ${running.trackerId}`);
    if (!tracker || tracker.untilMs < nowMs - FRESH_MS) fail('for a tracker that is gone');
  }

  /** Actions that should be over by now, and are not. */
  async unfinished(): Promise<string[]> {
    const { utcMs } = this.#world;
    const due = ({ moment, periodEndMs }: BreachAction): boolean =>
      moment !== 'reset' || (periodEndMs ?? Infinity) < utcMs - ROUND_MS;
    const rows = await this.#actions();
    const open = rows.filter((row) => OPEN.includes(row.state) && due(row));
    const swept = await this.#server.writer.all('select number from removed_account');
    return [...open.map(nameOf), ...swept.map(() => 'deleted accounts are not swept')];
  }

  async judge(changes: readonly PlatformChange[]): Promise<void> {
    const [unfinished] = await this.unfinished();
    if (unfinished !== undefined) return this.#world.fail(`never finished: ${unfinished}`);
    const rows = await this.#actions();
    for (const action of rows) this.#world.count(`actions: ${action.action} ${action.state}`);
    for (const [number, { login, untilMs }] of this.#accounts) {
      if (untilMs !== Infinity) continue;
      const own = rows.filter(({ accountNumber }) => accountNumber === number);
      this.#judgeAccount(
        own,
        changes.filter((each) => each.login === login),
      );
    }
    await this.#judgeAudit(rows);
    for (const table of ['breach_action', 'incident', 'incident_entry', 'tracker_action']) {
      const [left] = await this.#server.writer.all<Row>(
        `select account_number from ${table}
         where account_number not in (select number from account) limit 1`,
      );
      if (left)
        this.#world.fail(`${table} has rows of account ${left.account_number}, which is gone`);
    }
  }

  /** Each change is of one action, in its time; what is done was seen; what ends otherwise may. */
  #judgeAccount(rows: readonly BreachAction[], changes: readonly PlatformChange[]): void {
    const ofAction = new Map<number, PlatformChange>();
    for (const change of changes) {
      const { change: word, atMs, by } = change;
      // Whichever ends first has had its change.
      const byEnd = rows.toSorted((a, b) => (a.endedAtMs ?? Infinity) - (b.endedAtMs ?? Infinity));
      const own = byEnd.find(
        (row) =>
          row.action === WORDS[word] &&
          (word === 'close' || !ofAction.has(row.id)) &&
          Math.max(row.createdAtMs, row.moment === 'reset' ? (row.periodEndMs ?? Infinity) : 0) <=
            atMs + 1 &&
          atMs <= (row.endedAtMs ?? Infinity) + 1,
      );
      const ban = own?.moment === 'reset' && rows.find((one) => bans(one, own, atMs));
      if (ban) this.#world.fail(`${by} has enabled trading at ${atMs} despite ${nameOf(ban)}`);
      if (own) ofAction.set(own.id, change);
      else
        this.#world.fail(`${by} has done ${word} at ${atMs} for no action of ${rows.map(nameOf)}`);
    }
    for (const row of rows) {
      const wrong = this.#faultOf(row, rows, changes, ofAction);
      if (wrong !== undefined) this.#world.fail(`${nameOf(row)} ${wrong}`);
    }
  }

  #faultOf(
    row: BreachAction,
    rows: readonly BreachAction[],
    changes: readonly PlatformChange[],
    ofAction: ReadonlyMap<number, PlatformChange>,
  ): string | undefined {
    const { state, action, message, endedAtMs } = row;
    if (state === 'done' && action !== 'closePositions') {
      const wasSo = isTradingWithin(changes, row.createdAtMs, endedAtMs ?? 0);
      return wasSo.has(action === 'enableTrading') ? undefined : 'is not what the platform showed';
    }
    if (state === 'stopped') {
      const tracker = this.#trackers.get(`${row.accountNumber} ${row.trackerId}`);
      return tracker?.untilMs === Infinity ? 'was stopped, and its tracker is there' : undefined;
    }
    if (state !== 'escalated' || message?.includes(REFUSAL)) return undefined;
    const taking = rows.find((one) => isOfEvent(one, row) && one.action === 'disableTrading');
    if (message?.includes('disabled already')) {
      const lasted = rows.some((one) => taking && lastsUntil(one, taking, row, changes));
      const isAlone = !rows.some(
        (one) => one !== taking && one.action === 'disableTrading' && overlaps(one, taking ?? row),
      );
      if (!lasted && !(taking && ofAction.has(taking.id) && isAlone)) return undefined;
      return 'says that others had disabled it';
    }
    const isLonger = rows.some(
      (one) =>
        one.action === 'disableTrading' && (one.periodEndMs ?? Infinity) > (row.periodEndMs ?? 0),
    );
    if (message?.includes('another breach') && isLonger) return undefined;
    return 'needs a person for no reason';
  }

  /** Each outcome is told once, also of an account that was deleted. */
  async #judgeAudit(rows: readonly BreachAction[]): Promise<void> {
    const { writer } = this.#server;
    const gone = await writer.all<Row & { id: number; state: string }>('select * from sim_gone');
    const entries = await writer.all<Row & { action: string; details: string }>(
      "select action, details from audit_entry where action like 'breach-action.%'",
    );
    const told = new Map<number, string[]>();
    for (const { action, details } of entries) {
      const { breachActionId: id } = JSON.parse(details) as { breachActionId: number };
      told.set(id, [...(told.get(id) ?? []), action]);
    }
    const over = rows.filter(({ state }) => !OPEN.includes(state));
    for (const { id, state } of [...over, ...gone]) {
      const words = told.get(id) ?? [];
      const isOpen = OPEN.includes(state);
      if (words.length === 1 && (isOpen || words[0] === `breach-action.${state}`)) continue;
      this.#world.fail(
        `action ${id} is ${state}, and was told as ${words.join(', ') || 'nothing'}`,
      );
    }
  }

  #accountOf(login: number) {
    for (const [number, account] of this.#accounts) {
      if (account.login === login) return { number, account };
    }
    return undefined;
  }

  async #actions(): Promise<BreachAction[]> {
    const rows = await this.#server.writer.all(
      `select ${ACTION_COLUMNS} from breach_action
       where account_number in (select number from account) order by id`,
    );
    return rows.map(actionOf);
  }
}

function endAll<K>(lives: Map<K, Lived>, living: ReadonlySet<K>, nowMs: number): void {
  for (const [key, life] of lives) {
    if (!living.has(key)) life.untilMs = Math.min(life.untilMs, nowMs);
  }
}

/** Whether trading was enabled, and whether it was disabled, in some part of a time. */
function isTradingWithin(
  changes: readonly PlatformChange[],
  fromMs: number,
  untilMs: number,
): Set<boolean> {
  const found = new Set<boolean>();
  let [isTrading, sinceMs] = [true, 0];
  for (const { change, atMs } of changes) {
    if (change === 'close') continue;
    if (sinceMs <= untilMs && atMs >= fromMs) found.add(isTrading);
    [isTrading, sinceMs] = [change === 'enable', atMs];
  }
  if (sinceMs <= untilMs) found.add(isTrading);
  return found;
}

/** Whether an action, begun long before a reset and not over when its breach came, bans longer. */
const bans = (one: BreachAction, reset: BreachAction, atMs: number): boolean =>
  one.action === 'disableTrading' &&
  one.state !== 'stopped' &&
  one.createdAtMs < atMs - ROUND_MS / 2 &&
  (one.endedAtMs ?? Infinity) >= reset.createdAtMs &&
  (one.periodEndMs ?? Infinity) > (reset.periodEndMs ?? Infinity);

/** A breach had taken trading before another did, for no longer than until the other's reset. */
const lastsUntil = (
  one: BreachAction,
  taking: BreachAction,
  reset: BreachAction,
  changes: readonly PlatformChange[],
): boolean =>
  one.action === 'disableTrading' &&
  one.state === 'done' &&
  !one.isFound &&
  (one.endedAtMs ?? 0) <= (taking.endedAtMs ?? 0) &&
  (one.periodEndMs ?? 0) > taking.createdAtMs &&
  (one.periodEndMs ?? Infinity) <= (reset.periodEndMs ?? 0) &&
  !changes.some(
    ({ change, atMs }) =>
      change === 'enable' && atMs >= (one.endedAtMs ?? 0) && atMs <= (taking.endedAtMs ?? 0),
  );

/** Then nobody can tell whose a change was. */
const overlaps = (a: BreachAction, b: BreachAction): boolean =>
  a.createdAtMs <= (b.endedAtMs ?? Infinity) && b.createdAtMs <= (a.endedAtMs ?? Infinity);

const isOfEvent = (a: BreachAction, b: BreachAction): boolean =>
  a.subjectId === b.subjectId && a.startTimeMs === b.startTimeMs && a.round === b.round;

const nameOf = ({ id, action, state, accountNumber, message }: BreachAction): string =>
  `action ${id} (${action} of account ${accountNumber}, ${state}: ${message})`;
