import { fileURLToPath } from 'node:url';

const { PLIMSOLL_TEST_BIN, PATH, NODE_COMPILE_CACHE } = process.env;

/** Started by users. */
export const STARTER = fileURLToPath(new URL('../../bin/plimsoll.js', import.meta.url));

/**
 * Started by tests: the server in a few files, which `npm test` builds first and which starts in a
 * third of the time; else the sources, as a checkout starts them.
 */
export const BIN = PLIMSOLL_TEST_BIN ?? STARTER;

/** The part of this process's environment that it gets. */
export const BARE_ENVIRONMENT = { PATH, NODE_COMPILE_CACHE };
