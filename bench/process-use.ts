import { readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Milliseconds of CPU that a process has used so far, in hundredths of a second (proc(5)). */
export const cpuMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/stat`);

/** The same of its first thread alone, which is the one of Node's loop. */
export const loopMsOf = (pid: number): number => cpuMsIn(`/proc/${pid}/task/${pid}/stat`);

function cpuMsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  // The name, in brackets, may hold spaces; after it the state is the third field of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export function residentBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** The most that was resident since the process began, or since it was counted anew. */
export function peakBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** Files, and so connections, that a process of this user may have open. */
export function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}
