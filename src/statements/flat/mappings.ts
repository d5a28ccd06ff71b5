import type { AmountSign, TableField } from '../../words/table-fields.ts';
import type { Columns } from './columns.ts';
import { type FlatKind, tableKindOf } from './flat-table.ts';
import { readHeading } from './headings.ts';

/** What a column holds; without a field, nothing that is wanted. */
export type MappedColumn = {
  /** As it stands in the file. */
  heading: string;
  field?: TableField;
  /** Of a column of amounts; absent: the file decides. */
  sign?: AmountSign;
  /** IANA name of the zone that a column of times is in; absent: as it is without a mapping. */
  zone?: string;
};

/** Every column of a table, in its order, as its user explained them. */
export type TableMapping = { columns: MappedColumn[] };

/** What a row of headings shares with those that are mapped: case and spaces tell nothing. */
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

/** What a table is read as by a mapping; undefined if it lacks columns that every kind needs. */
export const kindOfMapping = ({ columns }: TableMapping): FlatKind | undefined =>
  tableKindOf(columnsOf(columns));
