import { UnreadableStatement } from '../unreadable-statement.ts';

export type ReadLimits = {
  /** Processor time up to the head of the statement: a file that needs more is refused. */
  processorMs: number;
  /** Likewise by the clock, whatever else the machine does. */
  readMs: number;
  /** By the clock from the beginning, waiting for a thread included, to the last page taken. */
  totalMs: number;
  heapMb: number;
};

/** Requests get their outcome in time. */
export const READ_LIMITS: ReadLimits = {
  processorMs: 60_000,
  readMs: 90_000,
  totalMs: 180_000,
  heapMb: 1_024,
};

/**
 * For a command, which shows its progress: only the file's own processor time is tightly bounded.
 */
export const UNHURRIED: Partial<ReadLimits> = { readMs: 15 * 60_000, totalMs: 30 * 60_000 };

/** Ended by the clock: the machine is busy, and the file may be good. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
  constructor(ms: number) {
    super(`The statement was not read within ${ms / 1000} seconds`);
  }
}

const tooMuch = (expected: string, where: string): UnreadableStatement =>
  new UnreadableStatement(
    expected,
    `${where}. Export a shorter period at a time and import the parts one after the other`,
  );

export const tooLong = ({ processorMs }: ReadLimits): UnreadableStatement =>
  tooMuch(`a file that can be read in ${processorMs / 1000} seconds`, 'it takes longer');

/** The cause of the thread's end. */
export function failureOf(error: unknown, { heapMb }: ReadLimits): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY;
  return isMemory
    ? tooMuch(`a file that can be read in ${heapMb} MB of memory`, 'it needs more')
    : error;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
