/** Told how far the work is, 0–1. */
export type Progress = (doneShare: number) => void;

/** The part of the whole that a step of the work is. */
export const partOf =
  (progress: Progress, from: number, to: number): Progress =>
  (doneShare) =>
    progress(from + (to - from) * Math.min(1, doneShare));
