/*
 * Loaded before a server: its clock is off by MOVED_CLOCK_MS, and by as much again with each
 * SIGUSR2; so is its stopwatch, as if time had passed. With MOVED_CLOCK_PASSES_ONLY the stopwatch
 * alone.
 */
const rightNow = Date.now.bind(Date);
const rightElapsed = performance.now.bind(performance);
const STEP_MS = Number(process.env.MOVED_CLOCK_MS);
let offMs = process.env.MOVED_CLOCK_AT_START === '1' ? STEP_MS : 0;
let passedMs = 0;
Date.now = () => rightNow() + offMs;
performance.now = () => rightElapsed() + passedMs;
process.on('SIGUSR2', () => {
  if (process.env.MOVED_CLOCK_PASSES_ONLY !== '1') offMs += STEP_MS;
  passedMs += Math.max(0, STEP_MS);
});
