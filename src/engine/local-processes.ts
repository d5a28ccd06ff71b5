/**
 * What a process can know of others on its machine. A mark names a process for good: no other one,
 * here or elsewhere, before or after, has the same.
 */
export interface LocalProcesses {
  /** The mark of this process; undefined where nobody could tell that it is dead. */
  readonly own: string | undefined;
  /** Whether it is certain that the process of a mark has ended. False of what cannot be seen from here. */
  hasEnded(mark: string): boolean;
}

/** Where nothing can be known. */
export const NO_LOCAL_PROCESSES: LocalProcesses = { own: undefined, hasEnded: () => false };
