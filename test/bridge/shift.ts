import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { Answers } from './answers.ts';
import { Desk } from './desk.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type Fields, ScriptedTerminal } from './scripted-terminal.ts';
import type { Platform } from './terminal-build.ts';

export const LOGIN = 700_001;
/** The tracker's threshold, a part of the balance at the start of a date. */
const DRAWDOWN = 0.05;
/** A terminal's counter of milliseconds, which soon overflows. */
const FIRST_COUNT_MS = 2 ** 32 - 60_000;
const COUNT_WRAPS_MS = 2 ** 32;
/** Longer than the Expert Advisor's own rest between two tries. */
const LONGEST_REST_MS = 61_000;
const MAX_TIMERS_TO_DRAIN = 500;
/**
 * How long the terminal waits for an answer, instead of the Expert Advisor's four seconds: the
 * delay of a busy machine must not matter.
 */
export const PATIENCE_MS = 60_000;

export type ShiftOptions = {
  startTime?: string;
  offsetHours?: number;
  brokerClock?: { zone: string; shiftHours?: number };
};

/** One account: a desk that trades, a terminal that shows it, and Plimsoll behind a proxy. */
export class Shift {
  readonly desk: Desk;
  readonly proxy: FaultProxy;
  /** The terminal's state over restarts. */
  readonly folder: string;
  readonly inputs: Fields;
  readonly answers: Answers;
  /** The address in the terminal's list of allowed ones. */
  allowed: string;
  /** Whether new rows of the history appear at once. */
  showsHistory = true;
  /** Whether there are quotes, which bring the server's time. */
  isMarketOpen = true;
  terminal: ScriptedTerminal;
  #countMs = FIRST_COUNT_MS;
  #shownRows = 0;

  private constructor(
    parts: Pick<Shift, 'desk' | 'proxy' | 'folder' | 'inputs' | 'answers' | 'terminal'>,
  ) {
    this.desk = parts.desk;
    this.proxy = parts.proxy;
    this.folder = parts.folder;
    this.inputs = parts.inputs;
    this.answers = parts.answers;
    this.terminal = parts.terminal;
    this.allowed = parts.proxy.address;
  }

  /**
   * A user, an account with a tracker, a proxy before the server, and a terminal that has started.
   */
  static async open(
    t: TestContext,
    server: string,
    platform: Platform,
    options: ShiftOptions = {},
  ): Promise<Shift> {
    const { startTime = '2026-03-02 10:00:00', offsetHours = 2 } = options;
    const { brokerClock = { zone: 'Europe/Athens' } } = options;
    const user = await newUser(server);
    const account = { platform, login: String(LOGIN), brokerClock };
    const AccountId = await newAccount(user, account);
    const tracker = { name: 'Daily loss', period: 'date', relativeDrawdownThreshold: DRAWDOWN };
    const made = await user.post(`/users/current/accounts/${AccountId}/trackers`, tracker);
    assert.equal(made.status, 201);
    const AuthToken = await ingestToken(user, AccountId);
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-terminal-'));
    const terminal = await ScriptedTerminal.start(platform, folder);
    const proxy = await FaultProxy.start(server);
    const shift = new Shift({
      desk: new Desk(platform, startTime, offsetHours),
      answers: new Answers(user, AccountId, DRAWDOWN),
      inputs: { PlimsollUrl: proxy.address, AuthToken, AccountId, Login: LOGIN },
      proxy,
      folder,
      terminal,
    });
    t.after(() => shift.#close());
    await shift.#begin();
    return shift;
  }

  /** Time passes, the account's open positions change, and ticks and the timer come. */
  async look(seconds: number, floating = this.desk.floating): Promise<void> {
    this.pass(seconds);
    this.desk.floating = floating;
    this.desk.note();
    this.show();
    await this.terminal.call('timer');
  }

  pass(seconds: number): void {
    this.desk.timeMs += seconds * 1000;
    this.#count(seconds);
  }

  /** Time passes without a tick, then the timer comes. */
  async timer(seconds: number): Promise<void> {
    this.#count(seconds);
    await this.terminal.call('timer');
  }

  /** The terminal gets the desk's state. */
  show(): void {
    const { timeMs, balance, equity, rows } = this.desk;
    if (this.showsHistory) {
      for (const row of rows.slice(this.#shownRows)) this.terminal.tell('book', row);
      this.#shownRows = rows.length;
    }
    const money = { balance: balance / 100, equity: equity / 100 };
    this.terminal.tell('state', this.isMarketOpen ? { ...money, tick: timeMs / 1000 } : money);
  }

  /** The terminal is closed in order, or killed, and started again with the same files. */
  async restart(how: 'closed' | 'killed'): Promise<void> {
    if (how === 'killed') await this.terminal.kill();
    else {
      await this.terminal.call('deinit');
      await this.terminal.close();
    }
    this.terminal = await ScriptedTerminal.start(this.desk.platform, this.folder);
    await this.#begin();
  }

  /** No tick and no fault any more, until all waiting data are sent. */
  async drain(): Promise<void> {
    for (let timers = 0; timers < MAX_TIMERS_TO_DRAIN; timers += 1) {
      await this.timer(LONGEST_REST_MS / 1000);
      if (this.terminal.comment === 'Plimsoll: sending') return;
    }
    throw new Error(`The terminal does not come to an end: ${this.terminal.comment}`);
  }

  /** Sends waiting data, then compares Plimsoll's answers with the desk. */
  async verify(): Promise<void> {
    await this.drain();
    await this.answers.compare(this.desk);
  }

  /** The server has another address now. */
  follow(server: string): void {
    this.proxy.target = server;
    this.answers.follow(server);
  }

  /**
   * Fails if the Expert Advisor did something that its language forbids. The terminal goes first:
   * an aborted test may still be using it.
   */
  async #close(): Promise<void> {
    try {
      await this.terminal.close();
    } finally {
      await this.proxy.down();
      await rm(this.folder, { recursive: true });
    }
  }

  /** Sets the terminal up as its user and its broker would, and starts the Expert Advisor. */
  async #begin(): Promise<void> {
    this.#shownRows = 0;
    this.terminal.tell('input', this.inputs);
    this.terminal.tell('allow', { url: this.allowed });
    this.terminal.tell('symbol', { name: 'EURUSD', digits: 5, contract: 100_000 });
    this.terminal.tell('state', { login: LOGIN, count: this.#countMs, patience: PATIENCE_MS });
    this.show();
    assert.equal(await this.terminal.call('init'), 0, this.terminal.log.join('\n'));
  }

  #count(seconds: number): void {
    this.#countMs = (this.#countMs + seconds * 1000) % COUNT_WRAPS_MS;
    this.terminal.tell('state', { count: this.#countMs });
  }
}

async function ingestToken(user: Client & { userId: string }, accountId: string): Promise<string> {
  const path = `/admin/users/${user.userId}/tokens`;
  const body = { scopes: ['ingest'], accountIds: [accountId] };
  const made = await new Client(user.address, ADMIN_TOKEN).post<{ token: string }>(path, body);
  assert.equal(made.status, 201);
  return made.body.token;
}
