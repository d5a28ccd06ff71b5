import type { AmountSign, TableField } from '../../words/table-fields.ts';
import type { Columns } from './columns.ts';
import { type FlatKind, tableKindOf } from './flat-table.ts';
import { readHeading } from './headings.ts';

/** The field of a column; without a field, the column is not wanted. */
export type MappedColumn = {
  /** As written in the file. */
  heading: string;
  field?: TableField;
  /** Of a column of amounts; absent: the file decides. */
  sign?: AmountSign;
  /** IANA name of the zone of a column of times; absent: as without a mapping. */
  zone?: string;
};

/** Every column of a table, in order, as explained by its user. */
export type TableMapping = { columns: MappedColumn[] };

/** The form of headings for comparison with mapped ones: case and spaces mean nothing. */
const keyOf = (headings: readonly string[]): string => {
  const last = headings.findLastIndex((heading) => heading.trim() !== '');
  const words = headings.slice(0, last + 1).map((text) => text.trim().toLowerCase());
  return words.map((word) => word.replace(/[\s_]+/g, ' ')).join('\n');
};

/** Finds the mapping whose headings a row has, all of them in their order. */
export function createMappings(
  mappings: readonly TableMapping[],
): (cells: readonly string[]) => Columns | undefined {
  const byKey = new Map(
    mappings.map(({ columns }) => [keyOf(columns.map(({ heading }) => heading)), columns]),
  );
  return (cells) => {
    const columns = byKey.size > 0 ? byKey.get(keyOf(cells)) : undefined;
    return columns && columnsOf(columns);
  };
}

function columnsOf(mapped: readonly MappedColumn[]): Columns {
  const places: Columns['places'] = {};
  for (const [place, { field }] of mapped.entries())
    if (field) places[field] = [...(places[field] ?? []), place];
  const headings = mapped.map(({ heading, sign, zone }) => ({
    ...readHeading(heading),
    ...{ sign, zone },
  }));
  return { headings, places, unknown: [], isMapped: true };
}

/** The kind of a table by a mapping; undefined if it lacks columns that every kind needs. */
export const kindOfMapping = ({ columns }: TableMapping): FlatKind | undefined =>
  tableKindOf(columnsOf(columns));
