import { setTimeout as sleep } from 'node:timers/promises';

/** Whatever is waited for takes moments; on a busy machine some seconds. */
const WITHIN_MS = 60_000;
const PAUSE_MS = 5;

/** Asks again and again until a state is reached. Throws after a minute, naming the state. */
export async function until(
  reached: () => Promise<boolean> | boolean,
  state = 'the state',
): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!(await reached())) {
    if (performance.now() > endMs) throw new Error(`${state} was not reached within a minute`);
    await sleep(PAUSE_MS);
  }
}
