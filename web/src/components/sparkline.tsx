const WIDTH = 120;
const HEIGHT = 28;
/** The time that the width spans. */
const HOURS = 72;
/** Over longer silence no line is drawn, as in the large chart. */
const BREAK_HOURS = 6;

/** A value, and how many hours ago it was. */
export type SparkPoint = { value: number; hoursAgo: number };

/**
 * The course of a value in the last three days, without scales; its colour shows whether it ended
 * above its start.
 */
export function Sparkline(props: { points: readonly SparkPoint[]; label: string }) {
  const points = props.points.filter(({ hoursAgo }) => hoursAgo <= HOURS);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return <span className="sparkline" />;
  const values = points.map(({ value }) => value);
  const lowest = Math.min(...values);
  const spread = Math.max(...values) - lowest || 1;
  const place = ({ value, hoursAgo }: SparkPoint): string => {
    const x = (1 - hoursAgo / HOURS) * WIDTH;
    const y = HEIGHT - 2 - ((value - lowest) / spread) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const tone = last.value > first.value ? 'up' : last.value < first.value ? 'down' : 'flat';
  return (
    <svg
      className={`sparkline sparkline-${tone}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      {unbroken(points).map((stretch) => (
        <polyline key={stretch[0]?.hoursAgo} points={stretch.map(place).join(' ')} />
      ))}
    </svg>
  );
}

function unbroken(points: readonly SparkPoint[]): SparkPoint[][] {
  const stretches: SparkPoint[][] = [];
  let before: SparkPoint | undefined;
  for (const point of points) {
    if (!before || before.hoursAgo - point.hoursAgo > BREAK_HOURS) stretches.push([]);
    stretches.at(-1)?.push(point);
    before = point;
  }
  return stretches;
}
