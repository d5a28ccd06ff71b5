const WIDTH = 120;
const HEIGHT = 28;

/** The course of a value without scales; its colour shows whether it ended above its start. */
export function Sparkline(props: { values: number[]; label: string }) {
  const { values } = props;
  const [first] = values;
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) {
    return <span className="sparkline" />;
  }
  const lowest = Math.min(...values);
  const spread = Math.max(...values) - lowest || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - ((value - lowest) / spread) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const tone = last > first ? 'up' : last < first ? 'down' : 'flat';
  return (
    <svg
      className={`sparkline sparkline-${tone}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
