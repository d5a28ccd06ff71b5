import { setTimeout as sleep } from 'node:timers/promises';

/** Whatever is waited for takes moments; on a busy machine some seconds. */
const WITHIN_MS = 60_000;
/** Waits end late by a tenth at most: asking without a pause takes the processor from what is waited for. */
const SHARE = 0.1;
const PAUSE_MS = { least: 5, most: 100 };

/** Asks again and again until a state is reached. Throws after a minute, naming the state. */
export async function until(
  reached: () => Promise<boolean> | boolean,
  state = 'the state',
): Promise<void> {
  const startMs = performance.now();
  while (!(await reached())) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > WITHIN_MS) throw new Error(`${state} was not reached within a minute`);
    await sleep(Math.min(Math.max(waitedMs * SHARE, PAUSE_MS.least), PAUSE_MS.most));
  }
}
