import { loadavg } from 'node:os';
import type { Database } from '../src/storage/database.ts';
import { brief, judge, median } from './measure.ts';
import { labelOf, onDatabases } from './on-databases.ts';
import type { Bench, BenchRow, Result } from './row.ts';

/** Largest ratio of what should not grow at all: machines are not that even. */
const MOST_RATIO = 2;
/** Of the largest size. */
const PARTS = [0.01, 0.1, 1];

/** A figure that does not grow with the size; of work that does, what a unit of it costs. */
type Law = {
  what: string;
  unit: string;
  /** Of the largest size to the smallest, at most. */
  ratio?: number;
  /** At the largest size, at most. */
  most?: number;
};

/** A round of the same work; its figures by their names. */
export type Round<Figure extends string> = () => Promise<Record<Figure, number>>;

export type Growth<Figure extends string> = {
  name: string;
  what: string;
  /** The largest size, and what it counts. */
  largest: number;
  of: string;
  /** The sizes as parts of the largest, smallest first; else a hundredth, a tenth and all. */
  parts?: readonly number[];
  laws: Record<Figure, Law>;
  /** Makes a world of a size, which goes with the stack. */
  open(
    stack: AsyncDisposableStack,
    kind: Database['kind'],
    size: number,
    bench: Bench,
  ): Promise<Round<Figure>>;
};

/**
 * The same work in three worlds that differ in size only, in turns, after a round that warms up: a
 * line of the table for each law, and one for each bound. With --quick it does not warm up, and
 * compares the smallest with the largest.
 */
export function growthRow<Figure extends string>(growth: Growth<Figure>): BenchRow {
  const { name, what } = growth;
  return { name, what, run: onDatabases((bench, kind) => runOn(bench, kind, growth)) };
}

async function runOn<Figure extends string>(
  bench: Bench,
  kind: Database['kind'],
  { largest, of, parts = PARTS, laws, open }: Growth<Figure>,
): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const names = Object.keys(laws) as Figure[];
  const worlds: { size: number; round: Round<Figure>; found: Record<Figure, number>[] }[] = [];
  for (const part of bench.quick ? [parts[0] ?? 0, parts.at(-1) ?? 0] : parts) {
    const size = Math.ceil(largest * part * bench.share);
    bench.progress(`  filling ${size} ${of} on ${kind}`);
    worlds.push({ size, round: await open(stack, kind, size, bench), found: [] });
  }
  for (let round = bench.quick ? 1 : 0; round <= bench.rounds; round += 1) {
    for (const world of round % 2 === 1 ? worlds : worlds.toReversed()) {
      const found = await world.round();
      const shown = names.map((name) => `${name} ${brief(found[name])} ${laws[name].unit}`);
      const load = loadavg()[0]?.toFixed(1);
      const which = round === 0 ? 'warm-up' : `round ${round}`;
      bench.progress(`  ${which}, ${world.size} ${of}, load ${load}: ${shown.join(', ')}`);
      if (round > 0) world.found.push(found);
    }
  }
  return names.flatMap((name) => {
    const measured = worlds.map(({ size, found }) => ({
      ...{ size, values: found.map((figures) => figures[name]) },
    }));
    return resultsOf(laws[name], measured, { of, kind });
  });
}

type Measured = { size: number; values: number[] };

function resultsOf(
  { what, unit, ratio = MOST_RATIO, most }: Law,
  measured: readonly Measured[],
  { of, kind }: { of: string; kind: Database['kind'] },
): Result[] {
  const [smallest, largest] = [measured[0], measured.at(-1)];
  if (!smallest || !largest) return [];
  const words = ({ size }: Measured): string => `${size.toLocaleString('en-US')} ${of}`;
  const name = `${what}, ${words(largest)}, ${labelOf(kind)}`;
  const peer = { name: `itself at ${words(smallest)}`, samples: smallest.values };
  const points = measured.map(({ size, values }): [number, number] => [size, median(values)]);
  const law = judge(name, unit, largest.values, peer, { atMost: ratio });
  const growth = [{ of: `${what}, ${labelOf(kind)}`, unit, points }];
  if (most === undefined) return [{ ...law, growth }];
  const bound = { name: 'at most', samples: largest.values.map(() => most) };
  return [{ ...law, growth }, judge(name, unit, largest.values, bound, { atMost: 1 })];
}
