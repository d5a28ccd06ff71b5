import type { ChildProcess } from 'node:child_process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const children = new Map<ChildProcess, NodeJS.Signals>();
let isArmed = false;

/**
 * Ends a process that a test has started when the test's own process ends, be it by a signal, as
 * the test runner sends it to a file that hangs.
 */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  arm();
  children.set(child, signal);
  child.once('exit', () => children.delete(child));
}

function arm(): void {
  if (isArmed) return;
  isArmed = true;
  process.once('exit', endAll);
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      endAll();
      process.kill(process.pid, signal);
    });
  }
}

function endAll(): void {
  for (const [child, signal] of children) child.kill(signal);
}
