/** Called with the progress of the work, 0–1. */
export type Progress = (doneShare: number) => void;

/** A step's part of the whole work. */
export const partOf =
  (progress: Progress, from: number, to: number): Progress =>
  (doneShare) =>
    progress(from + (to - from) * Math.min(1, doneShare));
