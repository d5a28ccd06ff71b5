import { TABLE_FIELDS, type TableField } from '../../words/table-fields.ts';
import { wordsOf } from '../../words/words-of.ts';
import type { Row } from '../rows.ts';
import { cellsOf, type FlatTable } from './flat-table.ts';
import type { TableMapping } from './mappings.ts';

/** The beginning of a table, and the assumed fields of its columns. */
export type TableSample = TableMapping & { line: number; rows: string[][] };

const ROWS_SHOWN = 5;
const TEXT_MAX = 200;

const FIELDS = wordsOf(TABLE_FIELDS);
const OF_DEALS: readonly TableField[] = ['id', 'type', 'entry', 'time', 'price', 'positionId'];

const cut = (text: string): string => text.slice(0, TEXT_MAX);

/** For tables of unknown kind as well: the probable contents of their columns. */
export function sampleOf(table: Pick<FlatTable, 'columns' | 'line' | 'rows'>, isDeals = false) {
  const { columns, line } = table;
  const rows = table.rows.slice(0, ROWS_SHOWN);
  const { place } = cellsOf({ columns, rows });
  const fields = new Map<number, TableField>();
  for (const field of isDeals ? [...OF_DEALS, ...FIELDS] : FIELDS) {
    const at = place(field);
    if (at !== undefined && !fields.has(at)) fields.set(at, field);
  }
  const shown = ({ cells }: Row): string[] =>
    Array.from(columns.headings, (_, at) => cut(cells[at] ?? ''));
  const sample: TableSample = {
    line,
    columns: columns.headings.map(({ text, sign, zone }, at) => {
      const field = fields.get(at);
      return {
        heading: cut(text),
        ...(field ? { field } : {}),
        ...(sign ? { sign } : {}),
        ...(zone ? { zone } : {}),
      };
    }),
    rows: rows.map(shown),
  };
  return sample;
}
