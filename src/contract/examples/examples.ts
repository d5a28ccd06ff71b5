import { ACCOUNTS_EXAMPLES } from './accounts.ts';
import { EVENTS_EXAMPLES } from './events.ts';
import type { Example, Examples } from './example.ts';
import { OPERATORS_EXAMPLES } from './operators.ts';
import { PLATFORMS_EXAMPLES } from './platforms.ts';
import { PROGRAMS_EXAMPLES } from './programs.ts';
import { STATS_EXAMPLES } from './stats.ts';
import { TRACKERS_EXAMPLES } from './trackers.ts';

/** An example of every operation by its id; together they tell one story. */
export const EXAMPLES: Examples = {
  ...STATS_EXAMPLES,
  ...TRACKERS_EXAMPLES,
  ...PROGRAMS_EXAMPLES,
  ...EVENTS_EXAMPLES,
  ...PLATFORMS_EXAMPLES,
  ...ACCOUNTS_EXAMPLES,
  ...OPERATORS_EXAMPLES,
};

/** The deprecated forms of reads have the examples of the reads. */
export const exampleOf = (operationId: string): Example | undefined =>
  EXAMPLES[operationId.replace(/ByPost$/, '')];
