import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { atLeisure, copyRows, learnSizes } from '../data/copies.ts';
import { storeDeals } from '../data/deals.ts';
import { growthRow, type Round } from '../growth.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import { timed } from '../measure.ts';
import { serve } from '../servers/plimsoll.ts';

/** Where the prober's snapshots of each round begin, far enough from each other. */
const PROBE_MS = Date.UTC(2024, 0, 1);
const MOST_WAIT_MS = 500;
const POLL_MS = 10;
const SETTLE_MS = 1000;
const ROWS_OF_TEMPLATE = 2;

type Figure = 'answered' | 'longest' | 'each';

/** What a long history costs when its account is deleted. */
export const growthDeleteHistory = growthRow<Figure>({
  name: 'growth-delete-history',
  what: 'deletion of an account with 10⁴ to 10⁶ deals',
  ...{ largest: 1_000_000, of: 'deals' },
  laws: {
    answered: { what: 'a deletion, until it is answered', unit: 'ms', ratio: 5, most: 100 },
    longest: { what: 'longest wait beside the removal', unit: 'ms', ratio: 5, most: MOST_WAIT_MS },
    each: { what: 'removing its rows, for each deal', unit: 'µs' },
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
    const number = await fill(database, owner.userId, id, size);
    round += 1;
    const neighbour = new Neighbour({ ...order, startMs: PROBE_MS + round * DAY_MS });
    let answered = 0;
    let sweptMs = 0;
    const waits = await neighbour.during(
      (async () => {
        answered = await timed(() => owner.call('DELETE', `/users/current/accounts/${id}`));
        // It goes right before the deals.
        await untilGone(database, `account_history where account_number = ${number}`);
        sweptMs = await timed(() => untilGone(database, 'removed_account'));
      })(),
    );
    return { answered, longest: Math.max(...waits), each: (sweptMs * 1000) / size };
  };
}

/** An account's deals, in a database that has nothing left to do for them; its number. */
async function fill(
  database: Database,
  userId: string,
  id: string,
  deals: number,
): Promise<number> {
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
  await learnSizes(database);
  if (database.kind === 'postgres') await atLeisure(database, 'checkpoint');
  await sleep(SETTLE_MS);
  return number;
}

/** Until a table has no row, or none for which something is true. */
async function untilGone(database: Database, from: string): Promise<void> {
  while (await database.get(`select 1 as there from ${from} limit 1`)) await sleep(POLL_MS);
}
