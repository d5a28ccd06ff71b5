import { often } from '../needs.ts';
import { simulateClaims } from './claim-simulation.ts';
import { inRandomWorlds } from './random-worlds.ts';

inRandomWorlds('a job is done by one process at a time, and always by one', {
  simulate: simulateClaims,
  options: ['--claims'],
  forMs: often(2_000, 5_000),
  leastRuns: 5,
});
