/**
 * Sends what a process has found to the one that started it, and lets go of that once it is
 * written: closing the channel at once would drop a long answer.
 */
export const sendLast = (answer: unknown): unknown =>
  process.send?.(answer, undefined, undefined, () => process.disconnect?.());
