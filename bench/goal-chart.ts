import { brief } from './measure.ts';
import { ratioScale } from './ratio-scale.ts';
import type { Result } from './row.ts';

const WIDTH = 860;
const LEFT = 470;
const RIGHT = 40;
const TOP = 40;
const LINE = 20;
const x = ratioScale(LEFT, WIDTH - RIGHT);
const COLOURS = { met: '#3d7a3d', missed: '#b03060' };

/** How many times better than its goal each figure is: what misses it is left of 1. */
export function drawGoals(results: readonly Result[]): string {
  const shown = results.filter(({ goal }) => Number(goal.slice(2)) > 0);
  const height = TOP + shown.length * LINE + 10;
  const grid = [0.1, 0.5, 1, 2, 10, 100].map(
    (times) =>
      `<line x1="${x(times)}" y1="${TOP - 8}" x2="${x(times)}" y2="${height - 8}" stroke="${times === 1 ? '#888' : '#ddd'}"/>
<text x="${x(times)}" y="${TOP - 14}" text-anchor="middle">${times} ×</text>`,
  );
  const rows = shown.map((result, place) => rowOf(result, TOP + (place + 0.5) * LINE));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" role="img">
<title>How many times better than its goal each figure is</title>
<rect width="${WIDTH}" height="${height}" fill="white"/>
${grid.join('\n')}
${rows.join('\n')}
</svg>
`;
}

function rowOf({ name, against, ratio, spread, goal, met }: Result, y: number): string {
  const most = Number(goal.slice(2));
  const better = (each: number): number => (goal.startsWith('≥') ? each / most : most / each);
  const [from, to] = spread.map((each) => x(better(each)).toFixed(1));
  const colour = met ? COLOURS.met : COLOURS.missed;
  const words = `${name}: ${brief(ratio)} of ${against}, goal ${goal}`.replaceAll('&', '&amp;');
  return `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${name}</text>
<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="${colour}" stroke-width="2"/>
<circle cx="${x(better(ratio)).toFixed(1)}" cy="${y}" r="4" fill="${colour}"><title>${words}</title></circle>`;
}
