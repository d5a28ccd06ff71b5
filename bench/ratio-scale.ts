const LEAST = 0.1;
const MOST = 100;

/** Where a ratio stands between two edges, on a logarithmic scale from a tenth to a hundred. */
export const ratioScale =
  (left: number, right: number) =>
  (ratio: number): number => {
    const part = Math.log(Math.min(Math.max(ratio, LEAST), MOST) / LEAST) / Math.log(MOST / LEAST);
    return left + part * (right - left);
  };
