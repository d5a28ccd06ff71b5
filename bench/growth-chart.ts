/**
 * node bench/growth-chart.ts results.json … > docs/growth.svg
 *
 * Draws what grows with what, from the JSON of benchmark runs: both axes logarithmic, each line
 * relative to its first point, so that flat means flat whatever the unit.
 */
import { readFileSync } from 'node:fs';
import { brief } from './measure.ts';
import type { Growth, Result } from './row.ts';

const WIDTH = 760;
const LEFT = 60;
const BOTTOM = 40;
const TOP = 20;
const LEGEND = 250;
const LEGEND_LINE = 38;
const COLOURS = [
  ...['#1f5f8b', '#c2571a', '#3d7a3d', '#7b4a9e', '#8a6d1d'],
  ...['#555555', '#0f8f8f', '#b03060', '#6b8e23', '#4169e1'],
];

const lines: Growth[] = process.argv
  .slice(2)
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Result[])
  .flatMap(({ growth = [] }) => growth);
const HEIGHT = Math.max(420, TOP + lines.length * LEGEND_LINE + BOTTOM + 20);

const largest = Math.max(...lines.flatMap(({ points }) => points.map(([size]) => size)));
const ratios = lines.flatMap((line) => line.points.map((point) => relative(line, point[1])));
const highest = 10 ** Math.max(1, Math.ceil(Math.log10(Math.max(...ratios))));
const lowest = 0.5;

function relative({ points }: Growth, value: number): number {
  return value / (points[0]?.[1] ?? Number.NaN);
}

const x = (size: number): number =>
  LEFT + (Math.log10(size) / Math.log10(largest)) * (WIDTH - LEFT - LEGEND);
const y = (ratio: number): number =>
  TOP + (1 - Math.log10(ratio / lowest) / Math.log10(highest / lowest)) * (HEIGHT - TOP - BOTTOM);

function grid(): string {
  const parts: string[] = [];
  for (let size = 1; size <= largest; size *= 10) {
    parts.push(
      `<line x1="${x(size)}" y1="${TOP}" x2="${x(size)}" y2="${HEIGHT - BOTTOM}" stroke="#ddd"/>`,
      `<text x="${x(size)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${size.toLocaleString('en-US')}</text>`,
    );
  }
  for (const ratio of [0.5, 1, 2, 5, 10, 20, 50, 100].filter((value) => value <= highest)) {
    const isGoal = ratio === 1;
    parts.push(
      `<line x1="${LEFT}" y1="${y(ratio)}" x2="${WIDTH - LEGEND}" y2="${y(ratio)}" stroke="${isGoal ? '#888' : '#ddd'}"/>`,
      `<text x="${LEFT - 8}" y="${y(ratio) + 4}" text-anchor="end">${ratio} ×</text>`,
    );
  }
  return parts.join('\n');
}

function lineOf(line: Growth, index: number): string {
  const colour = COLOURS[index % COLOURS.length];
  const at = line.points.map(([size, value]) => [x(size), y(relative(line, value))] as const);
  const path = at.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join(' ');
  const dots = at.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3" fill="${colour}"/>`);
  const [first, last] = [line.points[0]?.[1] ?? 0, line.points.at(-1)?.[1] ?? 0];
  const legendY = TOP + 20 + index * LEGEND_LINE;
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>
${dots.join('\n')}
<text x="${WIDTH - LEGEND + 16}" y="${legendY}" fill="${colour}" font-weight="bold">${line.of}</text>
<text x="${WIDTH - LEGEND + 16}" y="${legendY + 15}" fill="${colour}">${brief(first)} → ${brief(last)} ${line.unit}</text>`;
}

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>Cost by size, relative to the smallest size</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>
${grid()}
${lines.map(lineOf).join('\n')}
</svg>`);
