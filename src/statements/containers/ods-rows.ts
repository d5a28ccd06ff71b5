import { CELL_TEXT_MAX, COLUMNS_MAX, ROWS_MAX } from '../limits.ts';
import { collapse, type RowSink } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import type { MarkupSink } from './markup.ts';

/** Where an OpenDocument file has its tables. */
export const ODS_CONTENT = 'content.xml';

type Cell = { value: string | undefined; text: string; repeated: number };

/**
 * Passes the rows of all tables of an OpenDocument spreadsheet on (OpenDocument 1.3, part 3, 9).
 * Numbers come unchanged, dates in the form of report times.
 */
export function odsRows(sink: RowSink, count: { sheets: number; rows: number }): MarkupSink {
  let cells: string[] | undefined;
  let cell: Cell | undefined;
  let line = 0;
  let rowsRepeated = 1;
  let isText = false;
  let notes = 0;

  const closeCell = () => {
    if (cell && cells) {
      const text = cell.value ?? collapse(cell.text);
      for (let more = 0; more < cell.repeated && cells.length < COLUMNS_MAX; more++)
        cells.push(text);
    }
    cell = undefined;
  };
  const closeRow = () => {
    const isFilled = cells?.some((text) => text !== '') ?? false;
    // Empty rows at the end of a sheet are repeated a million times.
    for (let more = 0; isFilled && cells && more < rowsRepeated; more++) {
      if (++count.rows > ROWS_MAX)
        throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `sheet row ${line}`);
      sink.row({ line: line + more, cells: [...cells] });
    }
    line += rowsRepeated - 1;
    cells = undefined;
  };
  const times = (text: string | undefined): number => Math.max(1, Number(text) || 1);
  return {
    open(name, attribute) {
      if (name === 'table:table') {
        sink.sheet?.();
        count.sheets += 1;
        line = 0;
      } else if (name === 'table:table-row') {
        line += 1;
        rowsRepeated = times(attribute('table:number-rows-repeated'));
        cells = [];
      } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
        const repeated = times(attribute('table:number-columns-repeated'));
        const value = name === 'table:table-cell' ? printedValue(attribute) : '';
        cell = { value, text: '', repeated };
      } else if (name === 'office:annotation') notes += 1;
      else if (name === 'text:p') {
        if (cell?.text) cell.text += ' ';
        isText = notes === 0;
      } else if (name === 'text:s' && cell && isText) cell.text += ' ';
    },
    text(text) {
      if (cell && isText && cell.text.length < CELL_TEXT_MAX)
        cell.text += text.slice(0, CELL_TEXT_MAX);
    },
    close(name) {
      if (name === 'text:p') isText = false;
      else if (name === 'office:annotation') notes -= 1;
      else if (name === 'table:table-cell' || name === 'table:covered-table-cell') closeCell();
      else if (name === 'table:table-row') closeRow();
    },
  };
}

/** A number or a date of a cell; undefined for a text. */
function printedValue(attribute: (name: string) => string | undefined): string | undefined {
  const date = attribute('office:date-value');
  if (date !== undefined) return date.replace(/^(\d{4})-(\d{2})-(\d{2})T?/, '$1.$2.$3 ').trim();
  return attribute('office:value');
}
