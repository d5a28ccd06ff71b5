import fc from 'fast-check';

/**
 * fast-check for property tests. `npm test` tries the same cases each time, so that what fails
 * there was changed; `PLIMSOLL_TEST_SEED=$RANDOM npm test -- FILE` looks for others. Whatever that
 * finds is mended, and stays as a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_122) });

export { fc };
