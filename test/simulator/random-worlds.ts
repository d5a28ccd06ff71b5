import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seedOr } from '../seed.ts';
import { type Outcome, Template } from './simulation.ts';

type Worlds = {
  simulate: (template: Template, seed: number) => Promise<Outcome>;
  /** What `npm run simulate` has to be given for such worlds. */
  options: readonly string[];
  /** As long as a test run has for it; `--minutes 60` of `npm run simulate` takes more. */
  forMs: number;
  /** The least for a slow machine. */
  leastRuns: number;
};

/** Tests a promise in random worlds; `npm run simulate` tries others. */
export function inRandomWorlds(
  promise: string,
  { simulate, options, forMs, leastRuns }: Worlds,
): void {
  const first = seedOr(970_000_000);
  it(`${promise}, from seed ${first} on`, async (t) => {
    const template = await Template.make();
    t.after(() => template.remove());
    const endMs = performance.now() + forMs;
    let seed = first;
    for (; seed < first + leastRuns || performance.now() < endMs; seed += 1) {
      const { failure } = await simulate(template, seed);
      const again = ['npm run simulate --', ...options, `--seed ${seed} --runs 1 --tell`].join(' ');
      assert.equal(failure, undefined, `seed ${seed}; live through it again: ${again}`);
    }
    t.diagnostic(`${seed - first} worlds from seed ${first} on`);
  });
}
