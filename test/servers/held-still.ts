import { readdir, readFile } from 'node:fs/promises';
import { until } from './until.ts';

/**
 * Once a process that was told to stop does nothing more: a call under way, of that moment or one
 * before, ends first.
 */
export const heldStill = (pid: number | undefined): Promise<void> =>
  until(() => isStill(pid), `process ${pid} held still`);

/** None of its threads runs, or waits for the disk; or it is gone. */
async function isStill(pid: number | undefined): Promise<boolean> {
  const tasks = `/proc/${pid}/task`;
  const threads = await readdir(tasks).catch(() => []);
  const states = await Promise.all(
    threads.map(async (thread) => {
      const line = await readFile(`${tasks}/${thread}/stat`, 'utf8').catch(() => '');
      return line.slice(line.lastIndexOf(')') + 2)[0] ?? 'X';
    }),
  );
  return states.every((state) => 'TXZ'.includes(state));
}
