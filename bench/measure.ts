import type { Bench, Goal, Result } from './row.ts';

export type Samples = readonly number[];

export function median(samples: Samples): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The sample that a share of all are at most as great as. */
export function percentile(samples: Samples, share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/**
 * Measures each contestant once a round, in turns, so that what else the machine does meets all of
 * them alike. Every second round goes backwards. A first round, not counted, warms up.
 */
export async function interleave<Name extends string>(
  { rounds, quick, progress }: Bench,
  contestants: Record<Name, (round: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = quick ? 1 : 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 1 ? names : names.toReversed()) {
      const value = await contestants[name](round);
      progress(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${name} ${brief(value)}`);
      if (round > 0) samples[name].push(value);
    }
  }
  return samples;
}

export const brief = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));

/** A line of the table from samples that were taken in the same rounds. */
export function judge(
  name: string,
  unit: string,
  samples: Samples,
  peer: { name: string; samples: Samples },
  goal: Goal,
): Result {
  const ratios = samples.map((value, round) => value / (peer.samples[round] ?? Number.NaN));
  const ratio = median(ratios);
  const isAtLeast = 'atLeast' in goal;
  return {
    name,
    value: median(samples),
    unit,
    against: peer.name,
    againstValue: median(peer.samples),
    ratio,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    goal: isAtLeast ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
    met: isAtLeast ? ratio >= goal.atLeast : ratio <= goal.atMost,
  };
}

/** Milliseconds that a piece of work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** The median of so many times, one after the other, in milliseconds. */
export async function medianMs(times: number, work: (turn: number) => Promise<unknown>) {
  const samples: number[] = [];
  while (samples.length < times) samples.push(await timed(() => work(samples.length)));
  return median(samples);
}
