import { brief } from './measure.ts';
import type { MeasuredResult } from './row.ts';

const HEADS = ['', 'median', 'against', 'ratio (least – greatest)', 'goal', 'met', 'measured'];
/** Of a core: less than this is used by a machine that does nothing else. */
const QUIET_CORES = 0.1;

/** The table in plain text. */
export function tableOf(results: readonly MeasuredResult[]): string {
  const lines = [HEADS, ...results.map(cellsOf)];
  const widths = HEADS.map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

/** The same for a document; what is not met is bold. */
export function markdownOf(results: readonly MeasuredResult[]): string {
  const lines = results.map((result) => {
    const cells = cellsOf(result).map((cell) => (cell === 'NO' ? '**no**' : cell));
    return `| ${cells.join(' | ')} |`;
  });
  return [`| ${HEADS.join(' | ')} |`, `|${'---|'.repeat(HEADS.length)}`, ...lines].join('\n');
}

const cellsOf = (result: MeasuredResult): string[] => [
  result.name,
  `${brief(result.value)} ${result.unit}`.trim(),
  `${result.against}: ${brief(result.againstValue)}`,
  `${brief(result.ratio)} (${brief(result.spread[0])} – ${brief(result.spread[1])})`,
  result.goal,
  result.met ? 'yes' : 'NO',
  wordsOf(result.measured),
];

function wordsOf({
  commit,
  dateUtc,
  rounds,
  quick,
  busyCores,
}: MeasuredResult['measured']): string {
  const length = `${rounds} ${quick ? 'quick ' : ''}${rounds === 1 ? 'round' : 'rounds'}`;
  const words = [commit, dateUtc, length];
  if (busyCores !== undefined)
    words.push(busyCores <= QUIET_CORES ? 'quiet' : `others used ${brief(busyCores)} cores`);
  return words.join(', ');
}
