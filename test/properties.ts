import fc from 'fast-check';

/**
 * fast-check for property tests. `npm test` tries the same cases each time, so that a failure there
 * comes from a change; `PLIMSOLL_TEST_SEED=$RANDOM npm test -- FILE` looks for others. Its findings
 * are fixed, and become tests of their own.
 */
fc.configureGlobal({ seed: Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_122) });

export { fc };
