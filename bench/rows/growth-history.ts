import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { storeDeals } from '../data/deals.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { brief, judge, median } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import { residentBytesOf } from '../process-use.ts';
import type { Bench, BenchRow, Growth, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

/** The share of one token. */
const ASKING_AT_ONCE = 16;
const POLL_EVERY_MS = 5;
const MEGABYTE = 1024 * 1024;

/** What one more deal, and one that comes late, cost a history that grows. */
export const growthHistory: BenchRow = {
  name: 'growth-history',
  what: 'statistics and pages after one deal more, of 10⁴ to 10⁶ deals (10⁵ with --quick)',
  run: onDatabases(runOn),
};

type Measures = Record<'metrics' | 'page' | 'late' | 'waited' | 'idle', number[]>;
const noMeasures = (): Measures => ({ metrics: [], page: [], late: [], waited: [], idle: [] });

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const sizes = bench.quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
  bench.progress(`  filling histories of up to ${sizes.at(-1)} deals on ${kind}`);
  const { address, server } = await serve(stack, kind, async (database) => {
    await storeUser(database);
    const accounts = await database.transaction((tx) => storeAccounts(tx, sizes.length));
    for (const [index, { number }] of accounts.entries())
      await storeDeals(database, number, (sizes[index] ?? 0) / 2);
  });
  const histories = sizes.map((size, index) => ({
    ...{ size, history: new History(address, accountId(index)), measures: noMeasures() },
  }));
  for (const { size, history } of histories) {
    const first = await timed(() => history.settled('/metrics'));
    bench.progress(`  ${size} deals folded for the first time: ${brief(first)} ms`);
  }
  for (let round = 1; round <= bench.rounds; round += 1)
    for (const { size, history, measures } of histories) {
      await measure(history, measures);
      const { metrics, page, late, waited } = measures;
      const [m = 0, p = 0, l = 0, w = 0] = [metrics, page, late, waited].map((of) => of.at(-1));
      bench.progress(
        `  round ${round}, ${size} deals: metrics ${brief(m)} ms, page ${brief(p)} ms, late deal ${brief(l)} ms, another user waited ${brief(w)} ms`,
      );
    }
  const large = histories.at(-1);
  if (large) {
    await large.history.post(crypto.randomUUID(), NEW_MS);
    const asked = Array.from({ length: ASKING_AT_ONCE }, () => large.history.settled('/metrics'));
    const together = await timed(() => Promise.all(asked));
    const residentBytes = residentBytesOf(server.process.pid ?? 0);
    bench.progress(
      `  ${ASKING_AT_ONCE} ask at once: ${brief(together)} ms, ${brief(residentBytes / MEGABYTE)} MB`,
    );
  }
  return resultsOf(kind, histories);
}

/** Times of deals: after all that are stored, and before them. */
const NEW_MS = Date.UTC(2024, 0, 1);
const LATE_MS = Date.UTC(2017, 0, 1);

class History {
  readonly #address: string;
  readonly #account: string;
  #posted = 0;

  constructor(address: string, account: string) {
    this.#address = address;
    this.#account = account;
  }

  async post(id: string, timeMs: number): Promise<void> {
    const brokerTime = new Date(timeMs + 1000 * ++this.#posted).toISOString().replace('T', ' ');
    const deal = { id, type: 'DEAL_TYPE_INTEREST', profit: 1, brokerTime: brokerTime.slice(0, 23) };
    const answer = await this.ask('/deals', { method: 'POST', body: JSON.stringify([deal]) });
    if (!answer.ok) throw new Error(`POST deals: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  /** Asks until trades and statistics are there. */
  async settled(path: string): Promise<void> {
    for (;;) {
      const answer = await this.ask(path);
      await answer.arrayBuffer();
      if (answer.status === 200) return;
      if (answer.status !== 202) throw new Error(`GET ${path}: ${answer.status}`);
      await sleep(POLL_EVERY_MS);
    }
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#address}/users/current/accounts/${this.#account}${path}`, {
      ...init,
      headers: { 'auth-token': TOKEN, 'content-type': 'application/json' },
    });
  }
}

const PAGE = '/historical-trades/2000-01-01%2000:00:00/9000-01-01%2000:00:00?limit=1000';

async function measure(history: History, measures: Measures): Promise<void> {
  const poll = () => timed(async () => (await history.ask('/trackers')).arrayBuffer());
  const idle: number[] = [];
  for (let count = 0; count < 50; count += 1) idle.push(await poll());
  measures.idle.push(Math.max(...idle));
  await history.post(crypto.randomUUID(), NEW_MS);
  measures.metrics.push(await timed(() => history.settled('/metrics')));
  await history.post(crypto.randomUUID(), NEW_MS);
  measures.page.push(await timed(() => history.settled(PAGE)));
  await history.post(crypto.randomUUID(), LATE_MS);
  let isDone = false;
  let longest = 0;
  const settled = timed(() => history.settled('/metrics')).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    longest = Math.max(longest, await poll());
    await sleep(POLL_EVERY_MS);
  }
  measures.late.push(await settled);
  measures.waited.push(longest);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

type Measured = { size: number; measures: Measures };

function resultsOf(kind: Database['kind'], histories: readonly Measured[]): Result[] {
  const label = labelOf(kind);
  const [small, large] = [histories[0], histories.at(-1)];
  if (!small || !large) return [];
  const size = large.size.toLocaleString('en-US');
  const perDeal = ({ size: deals, measures }: Measured) => measures.late.map((ms) => ms / deals);
  const peer = (of: (history: Measured) => number[]) => ({
    name: 'itself at 10 000 deals',
    samples: of(small),
  });
  const grown = (name: string, of: (history: Measured) => number[]): Growth => ({
    ...{ of: `${name}, ${label}`, unit: 'ms' },
    points: histories.map((history) => [history.size, median(of(history))]),
  });
  return [
    {
      ...judge(
        `metrics of ${size} deals after one more, ${label}`,
        'ms',
        large.measures.metrics,
        peer(({ measures }) => measures.metrics),
        { atMost: 1.5 },
      ),
      growth: [grown('metrics after one more deal', ({ measures }) => measures.metrics)],
    },
    {
      ...judge(
        `first page of ${size} deals after one more, ${label}`,
        'ms',
        large.measures.page,
        peer(({ measures }) => measures.page),
        { atMost: 1.5 },
      ),
      growth: [grown('first page after one more deal', ({ measures }) => measures.page)],
    },
    judge(`a late deal of ${size}, for each deal, ${label}`, 'ms', perDeal(large), peer(perDeal), {
      atMost: 1.5,
    }),
    judge(
      `another read while a late deal of ${size} is folded, longest wait, ${label}`,
      'ms',
      large.measures.waited,
      { name: 'the same before it', samples: large.measures.idle },
      { atMost: 10 },
    ),
  ];
}
