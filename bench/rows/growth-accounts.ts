import type { Database } from '../../src/storage/database.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { growthRow, type Round } from '../growth.ts';
import { HttpClient } from '../http-client.ts';
import { median, timed } from '../measure.ts';
import { cpuMsOf } from '../process-use.ts';
import type { Bench } from '../row.ts';
import { serve, UNBOUNDED } from '../servers/plimsoll.ts';

const PER_ROUND = 200;
const QUICKLY = 50;
const BROKER_TIME = '2026-11-02 09:00:00.000';

/** What the next account costs a user who has many. */
export const growthAccounts = growthRow({
  name: 'growth-accounts',
  what: 'the next account, and its first snapshot, among 10³ to 10⁵',
  ...{ largest: 100_000, of: 'accounts' },
  laws: {
    create: { what: 'creating an account', unit: 'ms' },
    snapshot: { what: 'its first snapshot', unit: 'ms' },
    cpu: { what: "both, the server's processor", unit: 'ms' },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
  { quick }: Bench,
): Promise<Round<'create' | 'snapshot' | 'cpu'>> {
  const fill = (database: Database) => storeManyAccounts(database, size, 0);
  const { address, server } = await serve(stack, kind, fill, { PLIMSOLL_QUOTAS: UNBOUNDED });
  const http = stack.adopt(new HttpClient(), (client) => client.close());
  const post = (path: string, record: object) => () =>
    http.postJson(`${address}/users/current/${path}`, record);
  const pid = server.process.pid ?? 0;
  const perRound = quick ? QUICKLY : PER_ROUND;
  let created = 0;
  return async () => {
    const cpuMs = cpuMsOf(pid);
    const creations: number[] = [];
    const snapshots: number[] = [];
    for (let turn = 0; turn < perRound; turn += 1) {
      created += 1;
      const accountId = `new-${created}`;
      const snapshot = { accountId, brokerTime: BROKER_TIME, balance: 10_000, equity: 10_000 };
      creations.push(await timed(post('accounts', accountOf(accountId))));
      snapshots.push(await timed(post('snapshots', [snapshot])));
    }
    return {
      create: median(creations),
      snapshot: median(snapshots),
      cpu: (cpuMsOf(pid) - cpuMs) / perRound,
    };
  };
}

const accountOf = (id: string) => ({
  ...{ id, name: id, platform: 'p5', login: '1', broker: 'Bench', currency: 'USD' },
  ...{ leverage: 100, brokerClock: { zone: 'UTC', shiftHours: 0 } },
});
