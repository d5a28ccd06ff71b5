import type { Database } from '../../src/storage/database.ts';
import { closeTimeMsOf, storeTrades } from '../data/trades.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { GOALS } from '../goals.ts';
import { askWithWrk } from '../load/wrk.ts';
import { interleave, judge, median } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Growth, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const SMALL = 1000;
const PAGE = 1000;
const SIZES = [SMALL, 10_000, 100_000, 1_000_000, 10_000_000];
const ALL_TIME = '2000-01-01%2000:00:00/9000-01-01%2000:00:00';

/** What a page of trades costs does not grow with the account's history. */
export const pageCost: BenchRow = {
  name: 'page-cost',
  what: 'a page of 1 000 trades of 10³ to 10⁶ trades (10⁷ with --full)',
  needs: ['wrk'],
  run: onDatabases(runOn),
};

/**
 * Lua of the range that begins with trade `k`: by a number of trades to leave out, or by a time. At
 * 1 000 trades both are the first page, which is the only one of them that is full.
 */
const RANGES = {
  offset: `"/${ALL_TIME}?offset=" .. k`,
  time: `os.date("!/%Y-%m-%d%%20%H:%M:%S", ${closeTimeMsOf(0) / 1000} +
    k * ${(closeTimeMsOf(1) - closeTimeMsOf(0)) / 1000}) .. "/9000-01-01%2000:00:00?limit=${PAGE}"`,
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const large = bench.full ? 10_000_000 : bench.quick ? 100_000 : 1_000_000;
  const sizes = SIZES.filter((size) => size <= large);
  bench.progress(`  filling accounts of up to ${large} trades on ${kind}`);
  const { address } = await serve(
    stack,
    kind,
    async (database) => {
      await storeUser(database);
      const accounts = await database.transaction((tx) => storeAccounts(tx, sizes.length));
      for (const [index, account] of accounts.entries()) {
        await storeTrades(database, [account], sizes[index] ?? 0);
      }
    },
    { PLIMSOLL_PAGE_CACHE_MB: '0' },
  );
  /** Pages spread over the whole history, so their middle is the history's. */
  const millisecondsOf = (account: number, size: number, range: string) => (): Promise<number> => {
    const path = `local k = n * 7919 * 250 % ${size - PAGE + 1}
      return "/users/current/accounts/${accountId(account)}/historical-trades" .. ${range}`;
    const load = { address, connections: 4, seconds: bench.seconds, token: TOKEN, path };
    return askWithWrk(load).then((pagesASecond) => 1000 / pagesASecond);
  };
  const contestants = Object.entries(RANGES).flatMap(([by, range]) =>
    sizes.map((size, account) => [`${size} by ${by}`, millisecondsOf(account, size, range)]),
  );
  const samples: Record<string, number[]> = await interleave(
    bench,
    Object.fromEntries(contestants),
  );
  const label = labelOf(kind);
  return Object.keys(RANGES).map((by) => {
    const of = (size: number): number[] => samples[`${size} by ${by}`] ?? [];
    const name = `a page of ${large.toLocaleString('en-US')} trades by ${by}, ${label}`;
    const peer = { name: 'itself at 1 000 trades', samples: of(SMALL) };
    const growth: Growth = {
      of: `page of trades by ${by}, ${label}`,
      unit: 'ms',
      points: sizes.map((size) => [size, median(of(size))]),
    };
    return { ...judge(name, 'ms', of(large), peer, GOALS.manyTradesToFew), growth: [growth] };
  });
}
