import { readFileSync, readlinkSync } from 'node:fs';
import { type LocalProcesses, NO_LOCAL_PROCESSES } from '../claims/local-processes.ts';

/** Fields of /proc/PID/stat after the name (proc_pid_stat(5), where they are counted from 3 on). */
const START_TIME = 22 - 3;

/**
 * Processes of this machine as Linux shows them. A process is identified by the scope of its number
 * (one boot of one kernel and one namespace of processes), by the number, and by its start time, as
 * numbers are reused. Processes in other containers or on other machines are invisible here. A
 * paused process has not ended, nor has one that was not waited for yet. Without such a /proc,
 * nothing is known.
 */
export function linuxProcesses(): LocalProcesses {
  const place = placeOfThis();
  const started = place && startOf(process.pid);
  if (!place || !started) return NO_LOCAL_PROCESSES;
  return {
    own: `${place} ${process.pid} ${started}`,
    hasEnded: (mark) => {
      if (!mark.startsWith(`${place} `)) return false;
      const [pid, start] = mark.slice(place.length + 1).split(' ');
      return hasEnded(Number(pid), start);
    },
  };
}

/** The scope in which process numbers and start times mean the same as here. */
function placeOfThis(): string | undefined {
  // A /proc mounted elsewhere numbers processes differently from the system calls.
  if (read('/proc/self/stat')?.split(' ', 1)[0] !== String(process.pid)) return undefined;
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
  const processes = target('/proc/self/ns/pid');
  // Linux before 5.6 has none: then all start times count as equal.
  const times = target('/proc/self/ns/time') ?? '-';
  return boot && processes && `${boot} ${processes} ${times}`;
}

function hasEnded(pid: number, started: string | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    // Sends nothing. Unlike /proc it does not hide the processes of other users.
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
  const now = startOf(pid);
  return now !== undefined && now !== started;
}

/** In ticks of the kernel since the boot; undefined if not shown. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in brackets, may contain spaces and brackets.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME];
}

const read = (file: string): string | undefined => orNothing(() => readFileSync(file, 'utf8'));
const target = (link: string): string | undefined => orNothing(() => readlinkSync(link));

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
