/*
 * Loaded before a server: its clock is off by MOVED_CLOCK_MS, and by as much again with each
 * SIGUSR2.
 */
const rightNow = Date.now.bind(Date);
const STEP_MS = Number(process.env.MOVED_CLOCK_MS);
let offMs = process.env.MOVED_CLOCK_AT_START === '1' ? STEP_MS : 0;
Date.now = () => rightNow() + offMs;
process.on('SIGUSR2', () => {
  offMs += STEP_MS;
});
