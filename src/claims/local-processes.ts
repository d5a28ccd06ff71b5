/**
 * What a process can know of others on its machine. A mark identifies one process: no other has the
 * same, on any machine, at any time.
 */
export interface LocalProcesses {
  /** The mark of this process; undefined if others could not tell by it that it has ended. */
  readonly own: string | undefined;
  /** True if the process of a mark has certainly ended; false if that cannot be seen from here. */
  hasEnded(mark: string): boolean;
}

/** Knows nothing of other processes. */
export const NO_LOCAL_PROCESSES: LocalProcesses = { own: undefined, hasEnded: () => false };
