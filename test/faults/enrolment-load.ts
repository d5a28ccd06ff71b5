import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { EnrolmentDefinition, Phase } from '../../src/domain/programs/program-definition.ts';
import type { Client } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import {
  begunWithFeed,
  closesInFeed,
  OracleEnrolment,
  type OracleFigures,
} from '../simulation/oracle-enrolment.ts';
import { oracleItems } from '../simulation/oracle-items.ts';
import { Random } from '../simulation/random.ts';
import { type SimulatedAccount, simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { simulatedEnrolment } from '../simulation/simulated-enrolments.ts';
import { admissible, simulateFeed } from '../simulation/simulated-feed.ts';
import { isReached, type ToldEnrolment } from '../simulation/told-ends.ts';
import { type FeedBatch, moneyToWire, type WireDeal } from '../simulation/wire.ts';
import { chunksOf, joined } from './risk-feed.ts';

/** Enrolments whose rows travel in one request. */
const ENROLMENTS_PER_REQUEST = 40;
const CALLS_AT_ONCE = 8;
/** More than a busy machine answers: it is out of order. */
const MOST_UNAVAILABLE = 200;

export type EnrolmentLoadOptions = {
  seed: number;
  enrolments: number;
  startUtcMs: number;
  days: number;
  /** Mean minutes between two snapshots of an account. */
  pace: number;
};

type Enrolled = {
  account: SimulatedAccount;
  definition: EnrolmentDefinition;
  batches: FeedBatch[];
  sends: FeedBatch[];
  id: string;
};
type Details = {
  state: string;
  isDisputed: boolean;
  figures?: Record<string, number>;
  transitions: {
    state: string;
    brokerTime: string;
    rule?: string;
    sequenceNumber?: number;
    cause?: number;
  }[];
};

/**
 * A desk of enrolments as the server sees it: accounts on all clocks, each in a phase of its own,
 * whose snapshots and deals come late, twice and out of order. The server's answers are compared
 * with the rule book.
 */
export class EnrolmentLoad {
  /** Requests that were answered 503, and sent again. */
  unavailable = 0;
  readonly #client: Client;
  readonly #enrolled: Enrolled[];

  constructor(client: Client, { seed, enrolments, startUtcMs, days, pace }: EnrolmentLoadOptions) {
    this.#client = client;
    this.#enrolled = Array.from({ length: enrolments }, (_, index) => {
      const random = new Random(seed * 1_000_000 + index);
      const among = simulatedAccounts(seed, 4, 0, startUtcMs, `desk-${index}`);
      const account = random.pick(among);
      const feed = {
        seed: seed * 1_000_000 + index,
        accounts: [account],
        startUtcMs,
        days,
        faults: 'deals' as const,
      };
      const fed = simulateFeed({ ...feed, pace, ruins: index % 5 === 0 });
      const batches = [...admissible(fed)];
      const items = oracleItems(batches, account.id, account.clock);
      const definition = begunWithFeed(simulatedEnrolment(random, startUtcMs), items);
      return { account, definition, batches, sends: [...joined(batches)], id: '' };
    });
  }

  async setUp(): Promise<void> {
    await nextTurn();
    await each(this.#enrolled, async (enrolled) => {
      const { account, definition } = enrolled;
      const { id, clock } = account;
      const fields = { platform: 'p5', login: '1', broker: 'Simulated', currency: 'USD' };
      const made = { id, name: id, leverage: 100, brokerClock: clock, ...fields };
      await this.#post('/users/current/accounts', made);
      const program = { name: id, phases: [phaseToWire(definition.phase)] };
      const { id: programId } = await this.#post<{ id: string }>(
        '/users/current/programs',
        program,
      );
      const { startTimeMs, initialBalance } = definition;
      enrolled.id = (
        await this.#post<{ id: string }>(`/users/current/accounts/${id}/enrolments`, {
          ...{ programId, initialBalance: moneyToWire(initialBalance) },
          ...(startTimeMs === undefined ? {} : { startBrokerTime: formatBrokerTime(startTimeMs) }),
        })
      ).id;
    });
  }

  /** Sends everything, each account's part in order; how many snapshots that were. */
  async run(): Promise<number> {
    let sent = 0;
    const rounds = Math.max(...this.#enrolled.map(({ sends }) => sends.length));
    for (let round = 0; round < rounds; round += 1) {
      const sends = this.#enrolled.flatMap((enrolled) => enrolled.sends[round] ?? []);
      const snapshots = sends.flatMap((send) => (send.kind === 'snapshots' ? [send] : []));
      await each(sends, async (send) => {
        if (send.kind === 'snapshots') return;
        const path = `/users/current/accounts/${send.accountId}/deals`;
        await this.#post(path, send.deals.map(dealToWire));
      });
      await each(chunksOf(snapshots, ENROLMENTS_PER_REQUEST), async (chunk) => {
        const rows = chunk.flatMap((send) => send.snapshots);
        sent += rows.length;
        await this.#post(
          '/users/current/snapshots',
          rows.map(({ deals, ...row }) => (deals ? { ...row, deals: deals.map(dealToWire) } : row)),
        );
      });
    }
    return sent;
  }

  /** Compares every enrolment with the rule book; how many ended in which way. */
  async verify(): Promise<Map<string, number>> {
    const ends = new Map<string, number>();
    // All of them before the first request: they take the thread for long, and connections end
    // meanwhile.
    const oracles = new Map(this.#enrolled.map((enrolled) => [enrolled, oracleOf(enrolled)]));
    await nextTurn();
    await each([...oracles], async ([enrolled, oracle]) => {
      const word = await this.#compare(enrolled, oracle);
      ends.set(word, (ends.get(word) ?? 0) + 1);
    });
    return ends;
  }

  async #compare(
    { account, definition, id }: Enrolled,
    { oracle, figures: atTheEnd }: Expected,
  ): Promise<string> {
    const { end } = oracle;
    const what = `${account.id}: ${JSON.stringify(definition)}`;
    const path = `/users/current/accounts/${account.id}/enrolments/${id}?realTime=true`;
    let details: Details | undefined;
    await until(async () => {
      details = await this.#client.asOfNow<Details>(path);
      const isNumbered = details.transitions.every((one) => one.sequenceNumber !== undefined);
      return isNumbered && isReached(toldOf(details), oracle);
    }, `${what}: what the rule book has`);
    for (const transition of details?.transitions ?? []) {
      const isCaused = LOSS_RULES.includes(transition.rule ?? '');
      assert.equal(transition.cause !== undefined, isCaused, `${what}: its cause`);
    }
    const { balance: _b, equity: _e, ...figures } = details?.figures ?? {};
    if (details?.state === 'running')
      assert.deepEqual(figures, details.figures ? figuresToWire(atTheEnd) : {}, what);
    return `${end?.to ?? 'running'} ${oracle.ruleOf(end) ?? ''}`.trim();
  }

  /**
   * Sends until it is acknowledged, like every client: 503 means retry, and that it may have been
   * done. An account is created once by its id, a feed is accepted once by its key; an unused
   * program or enrolment may be left over.
   */
  async #post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'idempotency-key': randomUUID() };
    for (let isAgain = false; ; isAgain = true) {
      const answer = await this.#client.callOnce<T>('POST', path, body, headers);
      const { status } = answer;
      if (status < 300 || (isAgain && status === 409)) return answer.body;
      assert.equal(status, 503, `${path}: ${status} ${JSON.stringify(answer.body)}`);
      this.unavailable += 1;
      assert.ok(this.unavailable < MOST_UNAVAILABLE, `${path} is not answered`);
      await sleep(Number(answer.headers.get('retry-after')) * 1000);
    }
  }
}

type Expected = { oracle: OracleEnrolment; figures: OracleFigures };

const LOSS_RULES = ['dailyLoss', 'maximumLoss'];

const toldOf = ({ state, isDisputed, transitions }: Details): ToldEnrolment => ({
  ends: transitions.map(({ state: to, rule }) => ({ to, rule })),
  isOpen: isDisputed || state === 'running',
  isDisputed,
});

function oracleOf({ account, definition, batches }: Enrolled): Expected {
  const items = oracleItems(batches, account.id, account.clock);
  const oracle = new OracleEnrolment(definition, account.clock, items);
  return { oracle, figures: oracle.figuresAt(Infinity) };
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
}

/** The feed's sells close positions; all others open some. */
const dealToWire = (deal: WireDeal): object =>
  deal.entry === undefined || closesInFeed(deal) ? deal : { ...deal, entry: 'DEAL_ENTRY_IN' };

function phaseToWire({ rules, objectives, ...rest }: Phase): object {
  const toWire = (
    one: object & { amount?: number | undefined; lockAbove?: number | undefined },
  ) => ({
    ...one,
    ...(one.amount === undefined ? {} : { amount: moneyToWire(one.amount) }),
    ...(one.lockAbove === undefined ? {} : { lockAbove: moneyToWire(one.lockAbove) }),
  });
  return { ...rest, rules: rules.map(toWire), objectives: objectives.map(toWire) };
}

function figuresToWire(figures: OracleFigures): Record<string, number> {
  const { profit, equityProfit, total, winning, best, today, paidOut, ...days } = figures;
  const known = Object.entries({ profit, equityProfit, paidOut }).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, moneyToWire(amount)] as const],
  );
  return {
    ...Object.fromEntries(known),
    ...{ dealsProfit: moneyToWire(total), winningDays: moneyToWire(winning) },
    ...{ bestDay: moneyToWire(best), today: moneyToWire(today), ...days },
  };
}
