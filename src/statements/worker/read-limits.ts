import { UnreadableStatement } from '../unreadable-statement.ts';

export type ReadLimits = {
  /** Time of a processor to the head of the statement: a file that takes more is refused. */
  processorMs: number;
  /** The same by the clock, whatever else the machine does. */
  readMs: number;
  /** By the clock from the beginning, waiting for a thread included, to the last page taken. */
  totalMs: number;
  heapMb: number;
};

/** Whoever waits for an answer is told in time what becomes of the file. */
export const READ_LIMITS: ReadLimits = {
  processorMs: 60_000,
  readMs: 90_000,
  totalMs: 180_000,
  heapMb: 1_024,
};

/** For a command, which shows how far it is: only what the file itself takes is bounded closely. */
export const UNHURRIED: Partial<ReadLimits> = { readMs: 15 * 60_000, totalMs: 30 * 60_000 };

/** The clock ended it: the machine has other things to do, and the file may be good. */
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

/** Of what ended the thread. */
export function failureOf(error: unknown, { heapMb }: ReadLimits): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY;
  return isMemory
    ? tooMuch(`a file that can be read in ${heapMb} MB of memory`, 'it needs more')
    : error;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
