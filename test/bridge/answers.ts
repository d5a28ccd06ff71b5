import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { Client } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import type { Desk } from './desk.ts';
import { type Breach, expectedBreaches, expectedHours, type Hour } from './expected.ts';

type Trade = Record<string, unknown> & { _id: string; closeTime: string };
type Told = Breach & {
  kind: string;
  sequenceNumber: number;
  revises?: number;
  stillExceeded?: boolean;
};
type RunningHour = Hour & { brokerTime?: string };

const RANGE = { start: '2000-01-01 00:00:00', end: '2030-01-01 00:00:00' };
/** Trades of a page. */
const PAGE = 1000;

/** Plimsoll's answers about one account, compared with its desk. */
export class Answers {
  readonly accountId: string;
  readonly #drawdown: number;
  client: Client;

  /** `drawdown` is the limit of the account's tracker, a part of the balance at a date's start. */
  constructor(client: Client, accountId: string, drawdown: number) {
    this.client = client;
    this.accountId = accountId;
    this.#drawdown = drawdown;
  }

  /** The server's address has changed. */
  follow(server: string): void {
    this.client = new Client(server, this.client.token);
  }

  async trades(): Promise<Trade[]> {
    const range = `${RANGE.start}/${RANGE.end}`;
    const path = `/users/current/accounts/${this.accountId}/historical-trades/${range}`;
    const found: Trade[] = [];
    for (;;) {
      const page = `${path}?offset=${found.length}`;
      const { trades } = await this.client.asOfNow<{ trades: Trade[] }>(page);
      found.push(...trades);
      if (trades.length < PAGE) return found;
    }
  }

  hours(): Promise<RunningHour[]> {
    const range = `startTime=${RANGE.start}&endTime=${RANGE.end}&realTime=true`;
    const path = `/users/current/accounts/${this.accountId}/equity-chart?${range}`;
    return this.client.asOfNow<RunningHour[]>(path);
  }

  /** Breaches by the facts known now: the published ones, as revised later. */
  async breaches(): Promise<Breach[]> {
    const path = `/users/current/tracker-events/stream?wait=0&accountId=${this.accountId}`;
    const answer = await this.client.get<Told[]>(path);
    assert.equal(answer.status, 200);
    const standing = new Map<number, Breach>();
    for (const { kind, sequenceNumber, revises, stillExceeded, ...measured } of answer.body) {
      const { startBrokerTime, brokerTime, absoluteDrawdown } = measured;
      if (kind === 'revision' && !stillExceeded) standing.delete(revises ?? 0);
      else if (kind === 'drawdown' || kind === 'revision')
        standing.set(revises ?? sequenceNumber, { startBrokerTime, brokerTime, absoluteDrawdown });
    }
    return [...standing.values()].sort((a, b) => (a.brokerTime < b.brokerTime ? -1 : 1));
  }

  /** Trades, hours and breaches are those of the desk. */
  async compare(desk: Desk): Promise<void> {
    await this.#reached(desk);
    await this.#compareTrades(desk);
    const hours = await this.hours();
    const expected = expectedHours(desk.moments);
    assert.deepEqual(hours.map(boundsOf), expected.map(boundsOf));
    hours.forEach((hour, index) => {
      assertClose(hour.averageBalance, expected[index]?.averageBalance);
      assertClose(hour.averageEquity, expected[index]?.averageEquity);
    });
    await this.#compareBreaches(desk);
  }

  /** Likewise if snapshots were thinned out: of hours only the extremes. */
  async compareThinned(desk: Desk): Promise<void> {
    await this.#reached(desk);
    await this.#compareTrades(desk);
    const expected = expectedHours(desk.moments);
    assert.deepEqual((await this.hours()).map(extremesOf), expected.map(extremesOf));
    await this.#compareBreaches(desk);
  }

  /** Plimsoll has folded the newest snapshot. */
  async #reached(desk: Desk): Promise<void> {
    const lastTime = formatBrokerTime(desk.moments.at(-1)?.timeMs ?? 0);
    await until(async () => (await this.hours()).at(-1)?.brokerTime === lastTime);
  }

  async #compareTrades(desk: Desk): Promise<void> {
    const trades = await this.trades();
    const times = trades.map(({ closeTime }) => closeTime);
    assert.deepEqual(times, times.toSorted(), 'trades come in the order of their closing');
    const expected = desk.trades.map(({ id, ...trade }) => ({
      _id: `${this.accountId}+${id}`,
      ...trade,
    }));
    assert.deepEqual(trades.map(likeDesk).sort(byId), expected.sort(byId));
  }

  async #compareBreaches(desk: Desk): Promise<void> {
    const expected = expectedBreaches(desk, this.#drawdown);
    await until(async () => isDeepStrictEqual(await this.breaches(), expected)).catch(() => {});
    assert.deepEqual(await this.breaches(), expected);
  }
}

const byId = (a: { _id: string }, b: { _id: string }): number => (a._id < b._id ? -1 : 1);

function likeDesk({ _id, type, volume, profit, openTime, closeTime }: Trade) {
  return { _id, type, volume, profit, openTime, closeTime };
}

function extremesOf({ startBrokerTime, minEquity, maxEquity, minBalance, maxBalance }: Hour) {
  return { startBrokerTime, minEquity, maxEquity, minBalance, maxBalance };
}

function boundsOf(hour: Hour) {
  const { startBalance, startEquity, lastBalance, lastEquity } = hour;
  return { ...extremesOf(hour), startBalance, startEquity, lastBalance, lastEquity };
}

function assertClose(actual: number, expected: number | undefined): void {
  const isClose = expected !== undefined && Math.abs(actual - expected) < 0.0001;
  assert.ok(isClose, `an average is ${actual}, expected ${expected}`);
}
