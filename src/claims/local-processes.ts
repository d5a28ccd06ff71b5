/**
 * Knowledge of a process about others on its machine. A mark identifies one process, unique on all
 * machines and for ever.
 */
export interface LocalProcesses {
  /** The mark of this process; undefined if others could not see by it that it has ended. */
  readonly own: string | undefined;
  /** True if the process of a mark has certainly ended; false if that cannot be seen from here. */
  hasEnded(mark: string): boolean;
}

/** Knows no other processes. */
export const NO_LOCAL_PROCESSES: LocalProcesses = { own: undefined, hasEnded: () => false };
