/** Over longer silence no line is drawn, as in the large chart. */
const BREAK_HOURS = 6;

/** A value, and how many hours ago it was. */
export type SparkPoint = { value: number; hoursAgo: number };

/** Unbroken lines; a point alone is a line of no length, which round ends make a dot. */
export function sparkLines(points: readonly SparkPoint[]): SparkPoint[][] {
  const lines: SparkPoint[][] = [];
  let before: SparkPoint | undefined;
  for (const point of points) {
    if (!before || before.hoursAgo - point.hoursAgo > BREAK_HOURS) lines.push([]);
    lines.at(-1)?.push(point);
    before = point;
  }
  return lines.map((line) => (line.length === 1 ? [...line, ...line] : line));
}
