import { Histogram, type Registry } from 'prom-client';

/** Work that blocks the event loop for twice this time is never missed. */
const EVERY_MS = 10;

/**
 * Measures how late timers fire: requests wait as long. Counts are never reset, so that the worst
 * delay is seen however rarely it is read. Returns a function that ends it.
 */
export function measureLoopDelay(registry: Registry): () => void {
  const seconds = new Histogram({
    name: 'plimsoll_event_loop_delay_seconds',
    help: 'How long work held the event loop, sampled a hundred times a second',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  let dueMs = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    seconds.observe(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
