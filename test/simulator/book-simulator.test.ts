import assert from 'node:assert/strict';
import { it } from 'node:test';
import { often } from '../needs.ts';
import { simulateBooks } from './book-simulation.ts';
import { Template } from './simulation.ts';

/** As long as a test run has for it; `npm run simulate -- --books --minutes 60` takes more. */
const FOR_MS = often(2_000, 5_000);
/** The least for a slow machine. */
const LEAST_RUNS = 10;
const SEED = Date.now() % 1_000_000_000;

it(`trades and statistics are those of their deals, from seed ${SEED} on`, async (t) => {
  const template = await Template.make();
  t.after(() => template.remove());
  const endMs = performance.now() + FOR_MS;
  let seed = SEED;
  for (; seed < SEED + LEAST_RUNS || performance.now() < endMs; seed += 1) {
    const { failure } = await simulateBooks(template, seed);
    const again = `npm run simulate -- --books --seed ${seed} --runs 1 --tell`;
    assert.equal(failure, undefined, `seed ${seed}; live through it again: ${again}`);
  }
  t.diagnostic(`${seed - SEED} worlds from seed ${SEED} on`);
});
