import { type NumberStyle, numberStyleOf, parseNumber } from '../numbers.ts';
import type { Row } from '../rows.ts';
import type { StatedFigures } from '../statement.ts';

/** A label of a report and the following text. */
export type Labelled = { label: string; value: string };

const LABEL = /[:：]$/;

/** The labels of a row that end in a colon, each with the next cell that is no label. */
export function labelledOf(row: Row): Labelled[] {
  const pairs: Labelled[] = [];
  let open = false;
  for (const cell of row.cells) {
    const last = pairs.at(-1);
    if (LABEL.test(cell)) {
      pairs.push({ label: cell.replace(/\s*[:：]$/, ''), value: '' });
      open = true;
    } else if (cell !== '' && open && last) {
      last.value = cell;
      open = false;
    }
  }
  return pairs;
}

/**
 * Figures that come in a known order, whatever the language. A percentage goes under `key_pct`, the
 * figure in parentheses of `12 (34.50)` under `key_paren`, that of `12.1% (34.50)` under the key.
 */
export function figuresInOrder(values: readonly string[], keys: readonly string[]): StatedFigures {
  const style = styleOfFigures(values);
  const figures: StatedFigures = {};
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (value !== undefined) putFigure(figures, key, value, style);
  }
  return figures;
}

export const styleOfFigures = (values: readonly string[]): NumberStyle =>
  numberStyleOf(
    values.map((value) => value.replace(/[()%].*$/, '')).filter((value) => FIGURE.test(value)),
  ) ?? 'point';

const FIGURE = /^[-+\u2212]?[\d.,'’\s\u00a0\u202f]+$/;

export function putFigure(
  figures: StatedFigures,
  key: string,
  text: string,
  style: NumberStyle,
): void {
  const match = /^([^()%]+)(%?)(?:\s*\(([^()%]+)(%?)\)?)?/.exec(text);
  if (!match) return;
  const [, first = '', firstPercent, second, secondPercent] = match;
  const main = parseNumber(first.trim(), style);
  if (main === undefined) return;
  figures[firstPercent ? `${key}_pct` : key] = main;
  const other = second === undefined ? undefined : parseNumber(second.trim(), style);
  if (other === undefined) return;
  figures[secondPercent ? `${key}_pct` : firstPercent ? key : `${key}_paren`] = other;
}

/** The last figures of every report, in the common order of p4 and p5. */
export const STREAK_KEYS = [
  'profit_trades',
  'loss_trades',
  'largest_profit_trade',
  'largest_loss_trade',
  'average_profit_trade',
  'average_loss_trade',
  'max_consecutive_wins',
  'max_consecutive_losses',
  'maximal_consecutive_profit',
  'maximal_consecutive_loss',
  'avg_consecutive_wins',
  'avg_consecutive_losses',
] as const;
