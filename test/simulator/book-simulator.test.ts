import { often } from '../needs.ts';
import { simulateBooks } from './book-simulation.ts';
import { inRandomWorlds } from './random-worlds.ts';

inRandomWorlds('trades and statistics are those of their deals', {
  simulate: simulateBooks,
  options: ['--books'],
  forMs: often(2_000, 5_000),
  leastRuns: 10,
});
