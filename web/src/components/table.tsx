import type { ReactNode } from 'react';

export type Column<Row> = {
  title: string;
  /** The content of the cell. */
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Hidden on narrow screens. */
  wide?: boolean;
};

/** A plain table for at most some hundred rows; it scrolls sideways if needed. */
export function Table<Row>(props: {
  /** Names the table for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
}) {
  const classOf = (column: Column<Row>): string =>
    `${column.align === 'end' ? 'end' : ''} ${column.wide ? 'wide-only' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    // biome-ignore lint/a11y/useSemanticElements: no <fieldset>, and not a landmark of its own
    <div className="table-scroll" role="group" aria-label={props.caption} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.rowKey(row)}>
              {props.columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
