import { firstTurn } from '../domain/loop-turns.ts';
import type { Row, Sql, SqlValue } from './database.ts';

/** Rows per statement: few sizes, so that few statements are prepared. */
const ROWS_PER_STATEMENT = [500, 250, 50, 5, 1];

/** `($1, $2), ($3, $4)` */
export function tuples(rows: number, columns: number): string {
  const key = `${rows} ${columns}`;
  let text = knownTuples.get(key);
  if (!text) {
    const each = Array.from(
      { length: rows },
      (_, row) => `(${places(row * columns + 1, columns)})`,
    );
    text = each.join(', ');
    knownTuples.set(key, text);
  }
  return text;
}

/** A list of rows of two integers, to compare pairs of columns with. */
export const pairs = (count: number): string => {
  const rows = Array.from({ length: count }, (_, row) => {
    const place = row * 2 + 1;
    return `(cast($${place} as bigint), cast($${place + 1} as bigint))`;
  });
  return `values ${rows.join(', ')}`;
};

/** Has few entries, as there are few statements. */
const knownTuples = new Map<string, string>();

/**
 * A column of UTF-8 bytes, for `bufferOf`. The driver gets bytes from PostgreSQL as hexadecimal
 * text, which is twice as long and costs both sides time.
 */
export const utf8Bytes = (kind: Sql['kind'], column: string): string =>
  kind === 'sqlite' ? column : `convert_from(${column}, 'UTF8') as ${column}`;

export const bufferOf = (stored: Uint8Array | string): Buffer =>
  typeof stored === 'string'
    ? Buffer.from(stored)
    : Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);

/**
 * `limit` for rows in the order of an index, of which an account may have a million. A subquery
 * hides the limit from PostgreSQL's planner, which then expects to read a tenth of the rows, and
 * uses the index. If it knew the limit, it would collect and sort all remaining rows for each page
 * of an account that it takes for a small one: new deals are not in its statistics yet.
 */
export const hiddenLimit = (place: string): string => `limit (select cast(${place} as bigint))`;

/** UTC in milliseconds by the database's clock. */
export const databaseClock = (kind: Sql['kind']): string =>
  kind === 'sqlite'
    ? "cast(unixepoch('subsec') * 1000 as integer)"
    : 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

/** `$1, $2` */
export const places = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');

/**
 * Runs over slices of the greatest sizes that fit. On SQLite a statement blocks everything else for
 * some milliseconds, so other work runs in between.
 */
export async function inSlices<T>(
  items: readonly T[],
  run: (slice: readonly T[]) => Promise<void>,
): Promise<void> {
  const [most = 1] = ROWS_PER_STATEMENT;
  for (let start = 0, pausedAt = 0; start < items.length; ) {
    const left = items.length - start;
    // Not between the small statements of a rest: a transaction would be open for many turns.
    if (start - pausedAt >= most) {
      await firstTurn();
      pausedAt = start;
    }
    const count = ROWS_PER_STATEMENT.find((size) => size <= left) ?? 1;
    await run(items.slice(start, start + count));
    start += count;
  }
}

/**
 * All rows of a query for any number of values; `queryFor` gets the placeholders of a slice, such
 * as `$2, $3` after one parameter in `before`. A slice is filled up to a size of statements with
 * its last value, which changes nothing in a set.
 */
export async function allIn<T extends Row>(
  sql: Sql,
  values: readonly SqlValue[],
  queryFor: (list: string) => string,
  before: readonly SqlValue[] = [],
): Promise<T[]> {
  const found: T[] = [];
  const [most = 1] = ROWS_PER_STATEMENT;
  for (let start = 0; start < values.length; start += most) {
    if (start > 0) await firstTurn();
    const slice = values.slice(start, start + most);
    const last = slice.at(-1) ?? null;
    const size = ROWS_PER_STATEMENT.findLast((each) => each >= slice.length) ?? most;
    while (slice.length < size) slice.push(last);
    const rows = await sql.all<T>(queryFor(places(before.length + 1, size)), [...before, ...slice]);
    for (const row of rows) found.push(row);
  }
  return found;
}

/** The number in the only column that a statement answers with; 0 without a row. */
export async function numberOf(
  sql: Sql,
  text: string,
  params: readonly SqlValue[] = [],
): Promise<number> {
  const row = await sql.get<Record<string, number | null>>(text, params);
  return Object.values(row ?? {})[0] ?? 0;
}

/** A row's place in a list ordered by time and id. */
export type Moment = { atMs: number; id: string };

/** A condition on rows, with its parameters. */
export class Where {
  readonly params: SqlValue[];
  readonly #conditions: string[] = [];

  /** Adds to the existing parameters of the statement. */
  constructor(params: SqlValue[] = []) {
    this.params = params;
  }

  /** The placeholder of one more parameter: `$3`. */
  place(value: SqlValue): string {
    return `$${this.params.push(value)}`;
  }

  and(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** If a value is given, the column must have it. */
  equal(column: string, value: SqlValue | undefined): this {
    return value === undefined ? this : this.and(`${column} = ${this.place(value)}`);
  }

  /** If a moment is given, the columns of time and id must be before it. */
  before([time, id]: readonly [string, string], moment: Moment | undefined): this {
    if (!moment) return this;
    const places = `${this.place(moment.atMs)}, ${this.place(moment.id)}`;
    return this.and(`(${time}, ${id}) < (${places})`);
  }

  /** If values are given, the column must have one of them; an empty list matches no row. */
  oneOf(column: string, values: Iterable<SqlValue> | undefined): this {
    if (!values) return this;
    const list = Array.from(values, (value) => this.place(value));
    return this.and(`${column} in (${list.join(', ') || 'null'})`);
  }

  toString(): string {
    return this.#conditions.join(' and ') || '1 = 1';
  }
}

/**
 * The condition of a change to only some rows of a table: neither database has `delete … limit`, so
 * the rows are named by their physical ids. `which` may end in an order and a limit.
 */
export function someRows(kind: Sql['kind'], table: string, which: string): string {
  const place = kind === 'sqlite' ? 'rowid' : 'ctid';
  return `${place} in (select ${place} from ${table} where ${which})`;
}

/**
 * Locks a row against changes until the end of the transaction. SQLite gets a comment instead,
 * because its writers take turns.
 */
export const forShare = (kind: Sql['kind']): string =>
  kind === 'sqlite' ? '/* for share */' : 'for share';

/** Locks a row that the transaction changes. */
export const forChange = (kind: Sql['kind']): string =>
  kind === 'sqlite' ? '/* for update */' : 'for no key update';

/** Locks only rows that no one else has locked. */
export const ifFree = (kind: Sql['kind']): string =>
  kind === 'sqlite' ? '' : 'for update skip locked';

/** Locks a row that the transaction deletes: nothing new can refer to it. */
export const forRemoval = (kind: Sql['kind']): string =>
  kind === 'sqlite' ? '/* for update */' : 'for update';
