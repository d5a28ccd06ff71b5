import assert from 'node:assert/strict';
import { it } from 'node:test';
import { often } from '../needs.ts';
import { simulateBreaches } from './breach-simulation.ts';
import { Template } from './simulation.ts';

/** As long as a test run has for it; `npm run simulate -- --breaches --minutes 60` takes more. */
const FOR_MS = often(2_000, 5_000);
/** The least for a slow machine. */
const LEAST_RUNS = 5;
const SEED = Date.now() % 1_000_000_000;

it(`an action at a breach is done once, or told as not done, from seed ${SEED} on`, async (t) => {
  const template = await Template.make();
  t.after(() => template.remove());
  const endMs = performance.now() + FOR_MS;
  let seed = SEED;
  for (; seed < SEED + LEAST_RUNS || performance.now() < endMs; seed += 1) {
    const { failure } = await simulateBreaches(template, seed);
    const again = `npm run simulate -- --breaches --seed ${seed} --runs 1 --tell`;
    assert.equal(failure, undefined, `seed ${seed}; live through it again: ${again}`);
  }
  t.diagnostic(`${seed - SEED} worlds from seed ${SEED} on`);
});
