import type { BrokerClock } from '../domain/broker-time.ts';
import type { Row, Sql, SqlValue } from './database.ts';
import { allIn, places, tuples } from './sql-text.ts';

/** How a field of a record is stored in its column. */
type Column<Value> = {
  name: string;
  write(value: Value): SqlValue;
  read(stored: SqlValue): Value;
};

export type Columns<T> = { [Field in keyof T]-?: Column<T[Field]> };

/** A value stored unchanged. */
export const plain = <Value extends SqlValue>(name: string): Column<Value> => ({
  name,
  write: (value) => value,
  read: (stored) => stored as Value,
});

/** Undefined is null in the database. */
export const optional = <Value extends SqlValue>(name: string): Column<Value | undefined> => ({
  name,
  write: (value) => value ?? null,
  read: (stored) => (stored ?? undefined) as Value | undefined,
});

/** A boolean as 0 or 1. */
export const flag = (name: string): Column<boolean> => ({
  name,
  write: Number,
  read: (stored) => stored === 1,
});

/** Bytes, whatever the driver reads them as. */
export const bytes = (name: string): Column<Buffer> => ({
  name,
  write: (value) => value,
  read: (stored) => Buffer.from(stored as Uint8Array),
});

/** A value as JSON text. */
export const json = <Value>(name: string): Column<Value> => ({
  name,
  write: (value) => JSON.stringify(value),
  read: (stored) => JSON.parse(String(stored)) as Value,
});

/** A list of wordColumn words, joined by spaces. */
export const wordColumn = <Word extends string>(name: string): Column<Word[]> => ({
  name,
  write: (value) => value.join(' '),
  read: (stored) => (stored === '' ? [] : (String(stored).split(' ') as Word[])),
});

/** A broker clock as `<shift> <zone>`. */
export const clock = (name: string): Column<BrokerClock> => ({
  name,
  write: ({ zone, shiftHours }) => `${shiftHours} ${zone}`,
  read: (stored) => {
    const [shift = '0', zone = ''] = String(stored).split(' ');
    return { zone, shiftHours: Number(shift) };
  },
});

/**
 * The columns of a table, named once; they turn records into rows and rows into records. Reads are
 * given what follows the name of the table: `where …`.
 */
export class RecordTable<T extends object> {
  readonly name: string;
  /** `a, b, c` */
  readonly list: string;
  readonly #select: string;
  readonly #fields: readonly (keyof T)[];
  readonly #columns: readonly Column<T[keyof T]>[];

  constructor(name: string, columns: Columns<T>) {
    this.name = name;
    this.#fields = Object.keys(columns) as (keyof T)[];
    this.#columns = this.#fields.map((field) => columns[field] as Column<T[keyof T]>);
    this.list = this.#columns.map((column) => column.name).join(', ');
    this.#select = `select ${this.list} from ${name}`;
  }

  get width(): number {
    return this.#columns.length;
  }

  async get(sql: Sql, rest: string, params: readonly SqlValue[]): Promise<T | undefined> {
    const row = await sql.get(`${this.#select} ${rest}`, params);
    return row && this.read(row);
  }

  async all(sql: Sql, rest: string, params: readonly SqlValue[] = []): Promise<T[]> {
    const rows = await sql.all(`${this.#select} ${rest}`, params);
    return rows.map(this.read);
  }

  /** For any number of values; see `allIn` of sql-text.ts. */
  async allIn(
    sql: Sql,
    values: readonly SqlValue[],
    restFor: (list: string) => string,
    before: readonly SqlValue[] = [],
  ): Promise<T[]> {
    const rows = await allIn(sql, values, (list) => `${this.#select} ${restFor(list)}`, before);
    return rows.map(this.read);
  }

  async add(sql: Sql, record: T): Promise<void> {
    await sql.run(this.insert(), this.values(record));
  }

  /** `insert into … (…) values (…), (…)` for a number of records. */
  insert(rows = 1): string {
    return `insert into ${this.name} (${this.list}) values ${tuples(rows, this.width)}`;
  }

  /** An insert without the columns that the database fills in itself. */
  insertWithout(record: T, ...except: string[]): { text: string; values: SqlValue[] } {
    const names = this.#columns.map(({ name }) => name).filter((name) => !except.includes(name));
    const values = this.valuesWithout(record, ...except);
    const text = `insert into ${this.name} (${names.join(', ')}) values ${tuples(1, names.length)}`;
    return { text, values };
  }

  /** `do update set …` for all columns except some, with the values of the new row. */
  replace(...except: string[]): string {
    const changed = this.#columns.filter(({ name }) => !except.includes(name));
    return `do update set ${changed.map(({ name }) => `${name} = excluded.${name}`).join(', ')}`;
  }

  /** `a = $2, b = $3` for all columns except some; `valuesWithout` has their values. */
  assign(first: number, ...except: string[]): string {
    const changed = this.#columns.filter(({ name }) => !except.includes(name));
    return changed.map(({ name }, index) => `${name} = ${places(first + index, 1)}`).join(', ');
  }

  values(record: T): SqlValue[] {
    return this.#columns.map((column, index) => column.write(this.#value(record, index)));
  }

  valuesWithout(record: T, ...except: string[]): SqlValue[] {
    const values = this.values(record);
    return values.filter((_, index) => !except.includes(this.#columns[index]?.name ?? ''));
  }

  readonly read = (row: Row): T => {
    const record: Partial<T> = {};
    for (let index = 0; index < this.#columns.length; index += 1) {
      const column = this.#columns[index];
      const field = this.#fields[index];
      if (column && field !== undefined) record[field] = column.read(row[column.name] ?? null);
    }
    return record as T;
  };

  #value(record: T, index: number): T[keyof T] {
    return record[this.#fields[index] as keyof T];
  }
}
