import { Fragment, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

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
  /** What a row shows when it is opened, and how it is called then. */
  opens?: (row: Row) => { name: string; content: ReactNode };
}) {
  const { columns, rows, opens } = props;
  const [open, setOpen] = useState<string | number>();
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
            {opens ? (
              <th scope="col" className="table-open">
                <span className="visually-hidden">Open</span>
              </th>
            ) : null}
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = props.rowKey(row);
            const more = opens?.(row);
            const isOpen = open === key;
            return (
              <Fragment key={key}>
                <tr>
                  {more ? (
                    <td className="table-open">
                      <Button
                        kind="quiet"
                        size="small"
                        aria-expanded={isOpen}
                        aria-label={`All of ${more.name}`}
                        onClick={() => setOpen(isOpen ? undefined : key)}
                      >
                        {isOpen ? '▾' : '▸'}
                      </Button>
                    </td>
                  ) : null}
                  {columns.map((column) => (
                    <td key={column.title} className={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {more && isOpen ? (
                  <tr>
                    <td colSpan={columns.length + 1}>{more.content}</td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
