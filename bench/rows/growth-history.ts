import { setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { storeDeals } from '../data/deals.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { timed } from '../measure.ts';
import { serve } from '../servers/plimsoll.ts';

/** The share of one token. */
const ASKING_AT_ONCE = 16;
const POLL_EVERY_MS = 5;
/** Times of deals: after all that are stored, and before them. */
const NEW_MS = Date.UTC(2024, 0, 1);
const LATE_MS = Date.UTC(2017, 0, 1);
const PAGE = '/historical-trades/2000-01-01%2000:00:00/9000-01-01%2000:00:00?limit=1000';

type Figure = 'metrics' | 'symbol' | 'comment' | 'range' | 'together' | 'page' | 'late' | 'waited';

/** What one more deal, and one that comes late, cost a history that grows. */
export const growthHistory = growthRow<Figure>({
  name: 'growth-history',
  what: 'statistics and pages after one deal more, of 10⁴ to 10⁶ deals',
  ...{ largest: 1_000_000, of: 'deals' },
  laws: {
    metrics: { what: 'metrics after one more', unit: 'ms', ratio: 1.5 },
    symbol: { what: 'metrics of a symbol', unit: 'ms', ratio: 1.5 },
    comment: { what: 'metrics of a comment', unit: 'ms', ratio: 1.5 },
    range: { what: 'metrics of five years', unit: 'ms', ratio: 1.5 },
    together: { what: `metrics after one more, ${ASKING_AT_ONCE} ask`, unit: 'ms', ratio: 1.5 },
    page: { what: 'first page after one more', unit: 'ms', ratio: 1.5 },
    late: { what: 'a late deal, for each deal', unit: 'µs', ratio: 1.5 },
    waited: { what: 'longest wait beside a late deal', unit: 'ms', ratio: 10, most: 500 },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
): Promise<Round<Figure>> {
  const { address } = await serve(stack, kind, async (database) => {
    await storeUser(database);
    const [account] = await database.transaction((tx) => storeAccounts(tx, 1));
    await storeDeals(database, account?.number ?? 0, size / 2);
  });
  const history = new History(address, accountId(0));
  await history.settled('/metrics');
  return async () => {
    await history.post(NEW_MS);
    const metrics = await timed(() => history.settled('/metrics'));
    const symbol = await timed(() => history.settled('/metrics?symbol=GBPUSD'));
    const comment = await timed(() => history.settled('/metrics?comment=grid'));
    const range = await timed(() => history.settled('/metrics?from=2018-02-01&to=2023-02-01'));
    await history.post(NEW_MS);
    const ask = () => history.settled('/metrics');
    const together = await timed(() => Promise.all(Array.from({ length: ASKING_AT_ONCE }, ask)));
    await history.post(NEW_MS);
    const page = await timed(() => history.settled(PAGE));
    const { lateMs, waited } = await comeLate(history);
    return {
      metrics,
      symbol,
      comment,
      range,
      together,
      page,
      late: (lateMs * 1000) / size,
      waited,
    };
  };
}

/** Until a late deal is in the statistics, and how long another read waited meanwhile. */
async function comeLate(history: History): Promise<{ lateMs: number; waited: number }> {
  await history.post(LATE_MS);
  let isDone = false;
  let waited = 0;
  const settled = timed(() => history.settled('/metrics')).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const poll = async () => (await history.ask('/trackers')).arrayBuffer();
    waited = Math.max(waited, await timed(poll));
    await sleep(POLL_EVERY_MS);
  }
  return { lateMs: await settled, waited };
}

class History {
  readonly #address: string;
  readonly #account: string;
  #posted = 0;

  constructor(address: string, account: string) {
    this.#address = address;
    this.#account = account;
  }

  async post(timeMs: number): Promise<void> {
    const id = crypto.randomUUID();
    const brokerTime = formatBrokerTime(timeMs + 1000 * ++this.#posted);
    const deal = { id, type: 'DEAL_TYPE_INTEREST', profit: 1, brokerTime };
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
