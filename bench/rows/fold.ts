import { forkTask } from '../forked.ts';
import { GOALS } from '../goals.ts';
import type { FoldAnswer, FoldSettings } from '../load/fold-task.ts';
import { interleave, judge, median } from '../measure.ts';
import type { Bench, BenchRow, Growth } from '../row.ts';

const SNAPSHOTS = 1_000_000;
const ACCOUNTS = [100, 1000, 10_000, 100_000];
const TRACKERS = [1, 3, 10, 50];

const runFold = (bench: Bench, accounts: number, trackers = 3): Promise<FoldAnswer> => {
  const snapshots = bench.quick ? SNAPSHOTS / 4 : SNAPSHOTS;
  const settings: FoldSettings = { accounts, trackers, snapshots };
  return forkTask<FoldAnswer>('load/fold-task.ts', settings, ['--expose-gc']);
};

/** What folding a snapshot costs does not grow with the number of accounts. */
export const foldCost: BenchRow = {
  name: 'fold-cost',
  what: 'the fold of a snapshot at 100 to 100 000 accounts, and at 1 to 50 trackers',
  async run(bench) {
    const costOf = (accounts: number, trackers?: number) => async (): Promise<number> =>
      (await runFold(bench, accounts, trackers)).nanosecondsEach;
    const byAccounts = ACCOUNTS.map((count) => [`${count} accounts`, costOf(count)] as const);
    const byTrackers = TRACKERS.map((count) => [`${count} trackers`, costOf(1000, count)] as const);
    const contestants = Object.fromEntries([...byAccounts, ...byTrackers]);
    const samples: Record<string, number[]> = await interleave<string>(bench, contestants);
    const growthBy = (word: string, sizes: readonly number[]): Growth => ({
      of: `fold of a snapshot by ${word}`,
      unit: 'ns',
      points: sizes.map((size) => [size, median(samples[`${size} ${word}`] ?? [])]),
    });
    const peer = { name: 'itself at 100 accounts', samples: samples['100 accounts'] ?? [] };
    const name = 'fold of a snapshot at 100 000 accounts';
    const own = samples['100000 accounts'] ?? [];
    const growth = [growthBy('accounts', ACCOUNTS), growthBy('trackers', TRACKERS)];
    return [{ ...judge(name, 'ns', own, peer, GOALS.manyAccountsToFew), growth }];
  },
};

const ALLOWED_BYTES = 2048;

const FIRST_ACCOUNTS = 100_000;
const ALL_ACCOUNTS = 300_000;

/**
 * Memory of the engine for an account with three trackers, without what HTTP and caches take: what
 * each of 200 000 more takes. The first ones take the room to work in as well, once for all.
 */
export const accountMemory: BenchRow = {
  name: 'memory',
  what: 'resident memory of a tracked account with 3 trackers',
  async run(bench) {
    const samples = await interleave(bench, {
      memory: async () => {
        const first = await runFold(bench, FIRST_ACCOUNTS);
        const all = await runFold(bench, ALL_ACCOUNTS);
        const [whole, live] = [first.residentBytesEach, first.liveBytesEach].map(Math.round);
        bench.progress(
          `  each of the first ones ${whole} bytes with that room, ${live} of them live`,
        );
        const bytes =
          all.residentBytesEach * ALL_ACCOUNTS - first.residentBytesEach * FIRST_ACCOUNTS;
        return bytes / (ALL_ACCOUNTS - FIRST_ACCOUNTS);
      },
    });
    const peer = { name: '2 KB', samples: samples.memory.map(() => ALLOWED_BYTES) };
    return [judge('memory of a tracked account', 'bytes', samples.memory, peer, GOALS.withinBound)];
  },
};
