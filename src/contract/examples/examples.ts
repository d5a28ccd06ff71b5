import type { Examples } from './example.ts';

/** An example of every operation by its id; together they tell one story. */
export const EXAMPLES: Examples = {};
