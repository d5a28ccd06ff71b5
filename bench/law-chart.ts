/**
 * node bench/law-chart.ts results.json … > docs/growth-laws.svg
 *
 * Draws for each law of growth, from the JSON of benchmark runs, how many times the cost at the
 * smallest size that at the largest is: a law that holds stays left of its mark.
 */
import { readFileSync } from 'node:fs';
import { brief } from './measure.ts';
import { ratioScale } from './ratio-scale.ts';
import type { Result } from './row.ts';

const WIDTH = 860;
const LEFT = 400;
const RIGHT = 90;
const TOP = 40;
const LINE = 22;
const COLOURS = { SQLite: '#1f5f8b', PostgreSQL: '#c2571a' };

type Dot = { on: keyof typeof COLOURS; ratio: number; limit: number; sizes: string };

const laws = new Map<string, Dot[]>();
for (const file of process.argv.slice(2)) {
  for (const { growth, ratio, goal } of JSON.parse(readFileSync(file, 'utf8')) as Result[]) {
    const [line] = growth ?? [];
    const named = /^(.*), (SQLite|PostgreSQL)$/.exec(line?.of ?? '');
    if (!line || !named) continue;
    const [, what = '', on] = named;
    const [first, last] = [line.points[0], line.points.at(-1)];
    const sizes = `${brief(first?.[1] ?? 0)} → ${brief(last?.[1] ?? 0)} ${line.unit}`;
    const dot = { on: on as Dot['on'], ratio, limit: Number(goal.replace('≤ ', '')), sizes };
    laws.set(what, [...(laws.get(what) ?? []), dot]);
  }
}

const HEIGHT = TOP + laws.size * LINE + 30;
const x = ratioScale(LEFT, WIDTH - RIGHT);

const grid = [0.1, 0.5, 1, 2, 10, 100].map(
  (ratio) =>
    `<line x1="${x(ratio)}" y1="${TOP - 8}" x2="${x(ratio)}" y2="${HEIGHT - 24}" stroke="${ratio === 1 ? '#888' : '#ddd'}"/>
<text x="${x(ratio)}" y="${TOP - 14}" text-anchor="middle">${ratio} ×</text>`,
);

const rows = [...laws].map(([what, dots], place) => {
  const y = TOP + (place + 0.5) * LINE;
  const limit = x(dots[0]?.limit ?? 1);
  const circles = dots.map(
    ({ on, ratio, sizes }) =>
      `<circle cx="${x(ratio).toFixed(1)}" cy="${y}" r="5" fill="${COLOURS[on]}"><title>${on}: ${sizes}</title></circle>`,
  );
  return `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${what}</text>
<line x1="${limit}" y1="${y - 8}" x2="${limit}" y2="${y + 8}" stroke="#b03060" stroke-width="2"/>
${circles.join('\n')}`;
});

const legend = Object.entries(COLOURS).map(
  ([on, colour], place) =>
    `<circle cx="${LEFT + place * 90}" cy="${HEIGHT - 8}" r="5" fill="${colour}"/>
<text x="${LEFT + 10 + place * 90}" y="${HEIGHT - 4}">${on}</text>`,
);

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>Cost at the largest size, relative to the smallest</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>
${grid.join('\n')}
${rows.join('\n')}
${legend.join('\n')}
<text x="${LEFT + 200}" y="${HEIGHT - 4}" fill="#b03060">| at most</text>
</svg>`);
