import { stat } from 'node:fs';

const EVERY_MS = 1000;
/** Jobs not answered yet: more of them would wake no other threads. */
const MAX_ASKED = 10;

/**
 * Gives Node's thread pool a job each second. The pool waits for files, names of hosts, compression
 * and password hashes, and its threads sleep on a condition variable. That of glibc before 2.41 may
 * lose a wake-up (https://sourceware.org/bugzilla/show_bug.cgi?id=25847): all threads keep sleeping
 * although a job waits, until the next job. In an otherwise idle process, that is for ever. Does
 * not keep the process alive.
 */
export function keepThreadPoolAwake(): void {
  let asked = 0;
  const ask = (): void => {
    if (asked >= MAX_ASKED) return;
    asked += 1;
    stat('/', () => {
      asked -= 1;
    });
  };
  setInterval(ask, EVERY_MS).unref();
}
