import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'moved-clock-preload.ts')).href;

/**
 * The environment of a server whose clock is off by so much from its start on or, with
 * `onSignal`, moves by so much whenever its process gets SIGUSR2.
 */
export const movedClock = (byMs: number, { onSignal = false } = {}): Record<string, string> => ({
  NODE_OPTIONS: `--import=${PRELOAD}`,
  MOVED_CLOCK_MS: String(byMs),
  ...(onSignal ? {} : { MOVED_CLOCK_AT_START: '1' }),
});
