import { setFlagsFromString } from 'node:v8';

/** How much a heap may grow, by what is no longer needed, until it is collected. */
const GROWTH_PERCENT = 50;

/**
 * Bounds how much memory garbage takes, in the heaps of all threads. By itself V8 lets a heap grow
 * up to fourfold on a machine that has memory: a burst of long answers then costs as much again as
 * all that is in use. Call it before there are heaps to speak of.
 */
export const boundHeapGrowth = (): void =>
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
