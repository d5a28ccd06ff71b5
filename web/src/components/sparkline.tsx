import { type SparkPoint, sparkLines } from './spark-lines.ts';

const WIDTH = 120;
const HEIGHT = 28;
/** The time that the width spans. */
const HOURS = 72;

/**
 * The course of a value in the last three days, without scales; its colour shows whether it ended
 * above its start.
 */
export function Sparkline(props: { points: readonly SparkPoint[]; label: string }) {
  const points = props.points.filter(({ hoursAgo }) => hoursAgo <= HOURS);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return <span className="sparkline" />;
  const values = points.map(({ value }) => value);
  const lowest = Math.min(...values);
  const spread = Math.max(...values) - lowest || 1;
  const place = ({ value, hoursAgo }: SparkPoint): string => {
    const x = 2 + (1 - hoursAgo / HOURS) * (WIDTH - 4);
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
      {sparkLines(points).map((line) => (
        <polyline key={line[0]?.hoursAgo} points={line.map(place).join(' ')} />
      ))}
    </svg>
  );
}
