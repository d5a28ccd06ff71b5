/** What was held over time: minutes, and values in the unit. */
export type Course = { of: string; unit: 'MB' | ''; points: [number, number][] };

const WIDTH = 760;
const PANEL = 110;
const [LEFT, TOP, RIGHT] = [60, 24, 20];
const COLOUR = '#1f5f8b';

/** A panel for each course, from 0 up, one below the other over the same time. */
export function drawSoak(courses: readonly Course[]): string {
  const minutes = Math.max(...courses.flatMap(({ points }) => points.map(([minute]) => minute)));
  const x = (minute: number): string =>
    (LEFT + (minute / minutes) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const panels = courses.map(({ of, unit, points }, place) => {
    const top = place * PANEL + TOP;
    const floor = top + PANEL - 2 * TOP;
    const most = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
    const y = (value: number): string => (floor - (value / most) * (PANEL - 2 * TOP)).toFixed(1);
    const line = points.map(([minute, value]) => `${x(minute)},${y(value)}`).join(' ');
    const last = points.at(-1)?.[1] ?? 0;
    const label = `${of}: ${last.toFixed(unit === '' ? 0 : 1)} ${unit}`.trim();
    return `<text x="${LEFT}" y="${top - 6}" font-weight="bold">${label}</text>
<line x1="${LEFT}" y1="${floor}" x2="${WIDTH - RIGHT}" y2="${floor}" stroke="#888"/>
<text x="${LEFT - 8}" y="${floor + 4}" text-anchor="end">0</text>
<text x="${LEFT - 8}" y="${top + 8}" text-anchor="end">${most.toFixed(0)}</text>
<polyline points="${line}" fill="none" stroke="${COLOUR}" stroke-width="1.5"/>`;
  });
  const height = courses.length * PANEL + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>What the server held over ${minutes.toFixed(0)} minutes</title>
<rect width="${WIDTH}" height="${height}" fill="white"/>
${panels.join('\n')}
<text x="${WIDTH - RIGHT}" y="${height - 8}" text-anchor="end">${minutes.toFixed(0)} minutes</text>
</svg>
`;
}
