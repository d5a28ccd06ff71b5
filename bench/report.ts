import { brief } from './measure.ts';
import type { Result } from './row.ts';

const HEADS = ['', 'median', 'against', 'ratio (least – greatest)', 'goal', 'met'];

/** The table in plain text. */
export function tableOf(results: readonly Result[]): string {
  const lines = [HEADS, ...results.map(cellsOf)];
  const widths = HEADS.map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

const cellsOf = (result: Result): string[] => [
  result.name,
  `${brief(result.value)} ${result.unit}`,
  `${result.against}: ${brief(result.againstValue)}`,
  `${brief(result.ratio)} (${brief(result.spread[0])} – ${brief(result.spread[1])})`,
  result.goal,
  result.met ? 'yes' : 'NO',
];
