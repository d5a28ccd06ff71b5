import { setTimeout as sleep } from 'node:timers/promises';

/** Awaited states take moments; on a busy machine some seconds. */
const WITHIN_MS = 60_000;
/**
 * Waits end late by a tenth at most: asking without a pause takes the processor from the awaited
 * work.
 */
const SHARE = 0.1;
const PAUSE_MS = { least: 5, most: 100 };

type Reached = () => Promise<boolean> | boolean;

/**
 * Asks until a state is reached. Throws after a minute, naming the state; later only if the awaited
 * work yields to everything else on the machine.
 */
export function until(reached: Reached, state = 'the state', withinMs = WITHIN_MS): Promise<void> {
  const growing = (waitedMs: number): number =>
    Math.min(Math.max(waitedMs * SHARE, PAUSE_MS.least), PAUSE_MS.most);
  return ask(reached, state, growing, withinMs);
}

/**
 * Lets a time of the test's own pass until a state is reached: only the work at each step takes
 * real time.
 */
export function untilPassed(
  pass: () => Promise<unknown>,
  reached: Reached,
  state = 'the state',
): Promise<void> {
  const passed = async (): Promise<boolean> => {
    await pass();
    return reached();
  };
  return ask(passed, state, () => PAUSE_MS.least);
}

async function ask(
  reached: Reached,
  state: string,
  pauseMs: (waitedMs: number) => number,
  withinMs = WITHIN_MS,
): Promise<void> {
  const startMs = performance.now();
  while (!(await reached())) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > withinMs) {
      throw new Error(`${state} was not reached within ${withinMs / 1000} seconds`);
    }
    await sleep(pauseMs(waitedMs));
  }
}
