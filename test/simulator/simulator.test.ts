import { often } from '../needs.ts';
import { inRandomWorlds } from './random-worlds.ts';
import { simulate } from './simulation.ts';

inRandomWorlds('the live side is right whatever goes wrong', {
  simulate,
  options: [],
  forMs: often(4_000, 15_000),
  leastRuns: 10,
});
