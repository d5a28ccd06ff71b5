import type { Cell } from '../../contract/csv.ts';

/** Days are many, and other programs have separate rows for them: only json has them. */
const LEFT_OUT = new Set(['dailyGrowth']);

/**
 * Statistics as rows of a name and a value: `streaks.longestWin.count`. Items of lists are named by
 * their first word, which is unique: `bySymbol.EURUSD.profit`.
 */
export function flatFigures(json: string): { figure: string; value: Cell }[] {
  const rows: { figure: string; value: Cell }[] = [];
  const add = (figure: string, value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value as Record<string, unknown>[]) {
        const [first = '', ...others] = Object.values(item);
        const names = Object.keys(item).slice(1);
        names.forEach((name, index) => {
          add(`${figure}.${first}.${name}`, others[index]);
        });
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value))
        if (!LEFT_OUT.has(name)) add(figure === '' ? name : `${figure}.${name}`, each);
    } else rows.push({ figure, value: value as Cell });
  };
  add('', JSON.parse(json));
  return rows;
}
