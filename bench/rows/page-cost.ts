import type { Database } from '../../src/storage/database.ts';
import { storeTrades } from '../data/trades.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { askWithWrk } from '../load/wrk.ts';
import { interleave, judge, median } from '../measure.ts';
import type { Bench, BenchRow, Growth, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const SMALL = 1000;
const PAGE = 1000;

/** What a page of trades costs does not grow with the account's history. */
export const pageCost: BenchRow = {
  name: 'page-cost',
  what: 'a page of 1 000 trades of 10³ to 10⁶ trades (10⁷ with --full)',
  needs: ['wrk'],
  run: async (bench) => {
    const results: Result[] = [];
    for (const kind of bench.databases) results.push(await runOn(bench, kind));
    return results;
  },
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const large = bench.full ? 10_000_000 : bench.quick ? 100_000 : 1_000_000;
  const sizes = [SMALL, 10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= large);
  bench.progress(`  filling accounts of up to ${large} trades on ${kind}`);
  const { address } = await serve(
    stack,
    kind,
    async (database) => {
      await storeUser(database);
      await database.transaction((tx) => storeAccounts(tx, sizes.length));
      for (const [account, size] of sizes.entries()) await storeTrades(database, [account], size);
    },
    { PLIMSOLL_PAGE_CACHE_MB: '0' },
  );
  const millisecondsOf = (account: number, size: number) => async (): Promise<number> => {
    const path = `return "/users/current/accounts/${accountId(account)}/historical-trades/2000-01-01%2000:00:00/9000-01-01%2000:00:00?offset=" .. (n * 7919 * 250 % ${size - PAGE + 1})`;
    const load = { address, connections: 4, seconds: bench.seconds, token: TOKEN, path };
    return 1000 / (await askWithWrk(load));
  };
  const samples: Record<string, number[]> = await interleave<string>(
    bench,
    Object.fromEntries(
      sizes.map((size, account) => [`${size} trades`, millisecondsOf(account, size)]),
    ),
  );
  const name = `a page of ${large.toLocaleString('en-US')} trades, ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`;
  const peer = { name: 'itself at 1 000 trades', samples: samples[`${SMALL} trades`] ?? [] };
  const growth: Growth = {
    of: `page of trades, ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
    unit: 'ms',
    points: sizes.map((size) => [size, median(samples[`${size} trades`] ?? [])]),
  };
  const own = samples[`${large} trades`] ?? [];
  return { ...judge(name, 'ms', own, peer, { atMost: 1.3 }), growth: [growth] };
}
