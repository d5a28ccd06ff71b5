import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { copyRows } from '../data/copies.ts';
import { storeDeals } from '../data/deals.ts';
import { growthRow, type Round } from '../growth.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import { timed } from '../measure.ts';
import { serve } from '../servers/plimsoll.ts';

/** Where the prober's snapshots of each round begin, far enough from each other. */
const PROBE_MS = Date.UTC(2024, 0, 1);
const MOST_WAIT_MS = 500;
const POLL_MS = 20;
const ROWS_OF_TEMPLATE = 2;

type Figure = 'answered' | 'longest' | 'each';

/** What a long history costs when its account is deleted. */
export const growthDeleteHistory = growthRow<Figure>({
  name: 'growth-delete-history',
  what: 'deletion of an account with 10⁴ to 10⁶ deals',
  ...{ largest: 1_000_000, of: 'deals' },
  laws: {
    answered: { what: 'a deletion, until it is answered', unit: 'ms' },
    longest: { what: 'longest wait of another user', unit: 'ms', ratio: 5, most: MOST_WAIT_MS },
    each: { what: 'until its rows are gone, for each deal', unit: 'µs' },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
): Promise<Round<Figure>> {
  const { address, database } = await serve(stack, kind, async () => {});
  const owner = await newUser(address);
  const order = await makeNeighbour(await newUser(address));
  let round = 0;
  return async () => {
    const id = await newAccount(owner);
    await fill(database, owner.userId, id, size);
    round += 1;
    const neighbour = new Neighbour({ ...order, startMs: PROBE_MS + round * DAY_MS });
    let answered = 0;
    let sweptMs = 0;
    const waits = await neighbour.during(
      (async () => {
        answered = await timed(() => owner.call('DELETE', `/users/current/accounts/${id}`));
        sweptMs = await timed(() => untilSwept(database));
      })(),
    );
    return { answered, longest: Math.max(...waits), each: (sweptMs * 1000) / size };
  };
}

async function fill(database: Database, userId: string, id: string, deals: number): Promise<void> {
  const account = await database.get<{ number: number }>(
    'select number from account where user_id = $1 and id = $2',
    [userId, id],
  );
  const number = account?.number ?? 0;
  await storeDeals(database, number, 1);
  const where = `account_number = ${number} and type in ('DEAL_TYPE_BUY', 'DEAL_TYPE_SELL')
    and length(id) < ${ROWS_OF_TEMPLATE}`;
  await copyRows(database, 'deal', where, deals / ROWS_OF_TEMPLATE, {
    id: `cast(1000000000 + i as text) || '-' || id`,
    time_ms: 'time_ms + 60000 * i',
  });
}

/** Until nothing is left of any deleted account. */
async function untilSwept(database: Database): Promise<void> {
  while (await database.get('select 1 as waits from removed_account limit 1')) await sleep(POLL_MS);
}
