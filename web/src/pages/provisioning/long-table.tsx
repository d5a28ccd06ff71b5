import { useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';

const STEP = 100;

/** A table searched in the browser that grows by a hundred rows at a time. */
export function LongTable<Row>(props: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The searched text. */
  textOf: (row: Row) => string;
  what: string;
}) {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(STEP);
  const id = useId();
  const words = search.trim().toLowerCase();
  const found = props.rows.filter((row) => props.textOf(row).toLowerCase().includes(words));
  return (
    <div>
      <div className="row provisioning-search">
        <label htmlFor={id} className="visually-hidden">
          Search {props.what}
        </label>
        <input
          id={id}
          type="search"
          placeholder={`Search ${props.what}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="hint" role="status">
          {words === ''
            ? `${formatNumber(props.rows.length)} ${props.what}`
            : `${formatNumber(found.length)} of ${formatNumber(props.rows.length)} ${props.what}`}
        </span>
      </div>
      <Table
        caption={props.caption}
        columns={props.columns}
        rows={found.slice(0, limit)}
        rowKey={props.rowKey}
      />
      {found.length > limit ? (
        <div className="provisioning-more">
          <Button onClick={() => setLimit(limit + STEP)}>
            Show {Math.min(STEP, found.length - limit)} more
          </Button>
        </div>
      ) : null}
    </div>
  );
}
