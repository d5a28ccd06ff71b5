import fc from 'fast-check';
import { seedOr } from './seed.ts';

/** fast-check for property tests. */
fc.configureGlobal({ seed: seedOr(20_261_122) });

export { fc };
