import Type, { type Static } from 'typebox';
import { AMOUNT_SIGNS, TABLE_FIELDS } from '../words/table-fields.ts';
import { wordsOf } from '../words/words-of.ts';
import { answerText, count, record, text, words } from './primitives.ts';

/** The widest export has 27. */
const MAX_COLUMNS = 64;
const MAX_FIRST_ROWS = 10;
const MAX_CELL_TEXT = 200;

const mappedColumn = record('MappedColumn', {
  heading: Type.String({ maxLength: MAX_CELL_TEXT, description: 'As written in the file' }),
  field: Type.Optional(
    words(wordsOf(TABLE_FIELDS), {
      $id: 'TableField',
      description: 'Field of the column; absent: not wanted',
    }),
  ),
  sign: Type.Optional(
    words(AMOUNT_SIGNS, {
      $id: 'AmountSign',
      description: 'For amounts; turned: costs are positive. Absent: the file decides',
    }),
  ),
  zone: Type.Optional(text(64, 'For times: IANA name of their zone. Absent: as without a mapping')),
});

export const mappedColumns = Type.Array(mappedColumn, {
  minItems: 1,
  maxItems: MAX_COLUMNS,
  description: 'Every column of the table, in its order',
});

export const tableSample = record(
  'TableSample',
  {
    line: count('Place of its headings'),
    columns: mappedColumns,
    rows: Type.Array(Type.Array(answerText(MAX_CELL_TEXT, 'Cell'), { maxItems: MAX_COLUMNS }), {
      maxItems: MAX_FIRST_ROWS,
      description: 'The first of them',
    }),
  },
  { description: 'The beginning of a table, and the assumed fields of its columns' },
);
export type TableSample = Static<typeof tableSample>;
