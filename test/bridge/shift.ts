import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { ADMIN_TOKEN, Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { Desk } from './desk.ts';
import { expectedBreaches, expectedHours, type Hour } from './expected.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type Fields, ScriptedTerminal } from './scripted-terminal.ts';
import type { Platform } from './terminal-build.ts';

const LOGIN = 700_001;
/** The tracker's threshold, a part of the balance at the start of a date. */
const DRAWDOWN = 0.05;
/** The counter of milliseconds of a terminal, which soon begins anew. */
const FIRST_COUNT_MS = 2 ** 32 - 60_000;
const COUNT_WRAPS_MS = 2 ** 32;
/** Longer than the Expert Advisor rests between two tries of its own accord. */
const LONGEST_REST_MS = 61_000;
const MAX_TIMERS_TO_DRAIN = 500;

export type ShiftOptions = {
  startTime?: string;
  offsetHours?: number;
  brokerClock?: { zone: string; shiftHours?: number };
};

type Trade = Record<string, unknown> & { _id: string; closeTime: string };
type Event = { startBrokerTime: string; brokerTime: string; absoluteDrawdown: number };

/** One account: a desk that trades, a terminal that shows it, and Plimsoll behind a proxy. */
export class Shift {
  readonly desk: Desk;
  readonly proxy: FaultProxy;
  readonly folder: string;
  readonly accountId: string;
  readonly inputs: Fields;
  readonly token: string;
  /** The address that the terminal's list of allowed ones has. */
  allowed: string;
  /** Whether new rows of the history show at once. */
  showsHistory = true;
  /** Whether there are quotes, which bring the server's time. */
  isMarketOpen = true;
  terminal: ScriptedTerminal;
  /** Of the user whose account it is. */
  reader: Client;
  #countMs = FIRST_COUNT_MS;
  #shownRows = 0;

  private constructor(
    desk: Desk,
    proxy: FaultProxy,
    folder: string,
    inputs: Fields,
    reader: Client,
    terminal: ScriptedTerminal,
  ) {
    this.desk = desk;
    this.proxy = proxy;
    this.folder = folder;
    this.inputs = inputs;
    this.accountId = String(inputs.AccountId);
    this.token = String(inputs.AuthToken);
    this.allowed = proxy.address;
    this.reader = reader;
    this.terminal = terminal;
  }

  /** A user, an account with a tracker, a proxy before the server, and a terminal that has started. */
  static async open(
    t: TestContext,
    server: string,
    platform: Platform,
    options: ShiftOptions = {},
  ): Promise<Shift> {
    const { startTime = '2026-03-02 10:00:00', offsetHours = 2 } = options;
    const { brokerClock = { zone: 'Europe/Athens' } } = options;
    const reader = await newUser(server);
    const fields = { platform, login: String(LOGIN), brokerClock };
    const accountId = await newAccount(reader, fields);
    const tracker = { name: 'Daily loss', period: 'date', relativeDrawdownThreshold: DRAWDOWN };
    const made = await reader.post(`/users/current/accounts/${accountId}/trackers`, tracker);
    assert.equal(made.status, 201);
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-terminal-'));
    const token = await ingestToken(reader, accountId);
    const terminal = await ScriptedTerminal.start(platform, folder);
    const proxy = await FaultProxy.start(server);
    const own = { PlimsollUrl: proxy.address, AuthToken: token, AccountId: accountId };
    const desk = new Desk(platform, startTime, offsetHours);
    const inputs = { ...own, Login: LOGIN };
    const shift = new Shift(desk, proxy, folder, inputs, reader, terminal);
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
    this.rest(seconds * 1000);
  }

  /** Time passes without a tick. */
  rest(milliseconds: number): void {
    this.#countMs = (this.#countMs + milliseconds) % COUNT_WRAPS_MS;
    this.terminal.tell('state', { count: this.#countMs });
  }

  /** The terminal gets to know what the desk shows. */
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

  /** No tick and no fault any more, until all that waits is sent. */
  async drain(): Promise<void> {
    for (let timers = 0; timers < MAX_TIMERS_TO_DRAIN; timers += 1) {
      this.rest(LONGEST_REST_MS);
      await this.terminal.call('timer');
      if (this.terminal.comment === 'Plimsoll: sending') return;
    }
    throw new Error(`The terminal does not come to an end: ${this.terminal.comment}`);
  }

  /** Sends what waits, then compares trades, hours and events with what the desk did. */
  async verify(): Promise<void> {
    await this.drain();
    await this.#reached();
    await this.compareTrades();
    const hours = (await this.hours()).map(withoutRunning);
    const expected = expectedHours(this.desk.moments);
    assert.deepEqual(hours.map(withoutAverages), expected.map(withoutAverages));
    hours.forEach((hour, index) => {
      assertClose(hour.averageBalance, expected[index]?.averageBalance);
      assertClose(hour.averageEquity, expected[index]?.averageEquity);
    });
    await this.#compareBreaches();
  }

  /** The same where snapshots were thinned out: all but averages and what an hour begins and ends with. */
  async verifyThinned(): Promise<void> {
    await this.#reached();
    await this.compareTrades();
    const expected = expectedHours(this.desk.moments);
    assert.deepEqual((await this.hours()).map(extremesOf), expected.map(extremesOf));
    await this.#compareBreaches();
  }

  async compareTrades(): Promise<void> {
    const trades = await this.trades();
    const times = trades.map(({ closeTime }) => closeTime);
    assert.deepEqual(times, times.toSorted(), 'trades come in the order of their closing');
    const expected = this.desk.trades.map(({ id, ...trade }) => ({
      _id: `${this.accountId}+${id}`,
      ...trade,
    }));
    assert.deepEqual(trades.map(likeDesk).sort(byId), expected.sort(byId));
  }

  async trades(): Promise<Trade[]> {
    const range = '2000-01-01 00:00:00/2030-01-01 00:00:00';
    const path = `/users/current/accounts/${this.accountId}/historical-trades/${range}`;
    const found: Trade[] = [];
    for (;;) {
      const answer = await this.reader.get<{ trades: Trade[] }>(`${path}?offset=${found.length}`);
      if (answer.status === 202) continue;
      assert.equal(answer.status, 200);
      found.push(...answer.body.trades);
      if (answer.body.trades.length < 1000) return found;
    }
  }

  async hours(): Promise<(Hour & { brokerTime?: string })[]> {
    const range = 'startTime=2000-01-01 00:00:00&endTime=2030-01-01 00:00:00&realTime=true';
    const path = `/users/current/accounts/${this.accountId}/equity-chart?${range}`;
    const answer = await this.reader.get<Hour[]>(path);
    assert.equal(answer.status, 200);
    return answer.body;
  }

  async breaches(): Promise<Event[]> {
    const path = `/users/current/drawdown-events/stream?wait=0&accountId=${this.accountId}`;
    const answer = await this.reader.get<Event[]>(path);
    return answer.body.map(({ startBrokerTime, brokerTime, absoluteDrawdown }) => ({
      startBrokerTime,
      brokerTime,
      absoluteDrawdown,
    }));
  }

  /**
   * Fails when the Expert Advisor did what its language forbids. The terminal goes first: a test that
   * was given up may still be using it.
   */
  async #close(): Promise<void> {
    try {
      await this.terminal.close();
    } finally {
      await this.proxy.down();
      await rm(this.folder, { recursive: true });
    }
  }

  /** The server has another address now. */
  follow(server: string): void {
    this.proxy.target = server;
    this.reader = new Client(server, this.reader.token);
  }

  /** Sets the terminal up as its user and its broker would, and starts the Expert Advisor. */
  async #begin(): Promise<void> {
    this.#shownRows = 0;
    this.terminal.tell('input', this.inputs);
    this.terminal.tell('allow', { url: this.allowed });
    this.terminal.tell('symbol', { name: 'EURUSD', digits: 5, contract: 100_000 });
    this.terminal.tell('state', { login: LOGIN, count: this.#countMs });
    this.show();
    assert.equal(await this.terminal.call('init'), 0, this.terminal.log.join('\n'));
  }

  /** Plimsoll has folded the newest snapshot. */
  async #reached(): Promise<void> {
    const lastTime = formatBrokerTime(this.desk.moments.at(-1)?.timeMs ?? 0);
    await until(async () => (await this.hours()).at(-1)?.brokerTime === lastTime);
  }

  async #compareBreaches(): Promise<void> {
    const { moments, transfers } = this.desk;
    const expected = expectedBreaches(moments, transfers, DRAWDOWN);
    await until(async () => (await this.breaches()).length >= expected.length);
    assert.deepEqual(await this.breaches(), expected);
  }
}

async function ingestToken(user: Client & { userId: string }, accountId: string): Promise<string> {
  const path = `/admin/users/${user.userId}/tokens`;
  const body = { scopes: ['ingest'], accountIds: [accountId] };
  const made = await new Client(user.address, ADMIN_TOKEN).post<{ token: string }>(path, body);
  assert.equal(made.status, 201);
  return made.body.token;
}

const byId = (a: { _id: string }, b: { _id: string }): number => (a._id < b._id ? -1 : 1);

function likeDesk({ _id, type, volume, profit, openTime, closeTime }: Trade) {
  return { _id, type, volume, profit, openTime, closeTime };
}

function withoutRunning(hour: Hour): Hour {
  const { brokerTime, duration, balanceSum, equitySum, balance, equity, endBrokerTime, ...kept } =
    hour as Hour & Record<string, unknown>;
  return kept;
}

function extremesOf({ startBrokerTime, minEquity, maxEquity, minBalance, maxBalance }: Hour) {
  return { startBrokerTime, minEquity, maxEquity, minBalance, maxBalance };
}

function withoutAverages({ averageBalance, averageEquity, ...kept }: Hour) {
  return kept;
}

function assertClose(actual: number, expected: number | undefined): void {
  const isClose = expected !== undefined && Math.abs(actual - expected) < 0.0001;
  assert.ok(isClose, `an average is ${actual}, expected ${expected}`);
}
