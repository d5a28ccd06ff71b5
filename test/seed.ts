/**
 * The seed of what a test draws at random: the same each time, so that a failure of `npm test`
 * comes from a change. `PLIMSOLL_TEST_SEED=$RANDOM npm test -- FILE` looks for other cases; what it
 * finds becomes a test of its own.
 */
export const seedOr = (usual: number): number => Number(process.env.PLIMSOLL_TEST_SEED ?? usual);
