import { often } from '../needs.ts';
import { simulateBreaches } from './breach-simulation.ts';
import { inRandomWorlds } from './random-worlds.ts';

inRandomWorlds('an action at a breach is done once, or told as not done', {
  simulate: simulateBreaches,
  options: ['--breaches'],
  forMs: often(2_000, 5_000),
  leastRuns: 5,
});
