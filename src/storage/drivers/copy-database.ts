import type { Row, Sql, SqlValue, Transaction } from '../database.ts';

const ROWS_PER_STEP = 200;
/** Tables that concern only the processes of the source. */
const LEFT_BEHIND = new Set([
  'schema_migration',
  'journal_entry',
  'journal_outbox',
  'journal_partition',
  'claim',
  'process',
]);
const TYPES: Record<string, string> = {
  int8: 'bigint',
  text: 'text',
  bytea: 'bytea',
  float8: 'double precision',
};

type Column = { name: string; type: string; isNumbered: boolean };

/**
 * Copies the contents of a SQLite database to an empty PostgreSQL one with the same schema, whose
 * first rows it replaces. Returns how many rows of each table. The source's journal must be folded
 * completely: the target's partitions begin at its end.
 */
export async function copyToPostgres(
  source: Sql,
  target: Transaction,
): Promise<Map<string, number>> {
  const copied = new Map<string, number>();
  // In order of creation: a table refers only to earlier ones.
  const tables = await source.all<{ name: string }>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
     order by rowid`,
  );
  for (const { name } of tables) {
    if (!LEFT_BEHIND.has(name)) copied.set(name, await copyTable(source, target, name));
  }
  await target.run(
    'update journal_partition set position = (select position from journal_head where id = 1)',
  );
  return copied;
}

async function copyTable(source: Sql, target: Transaction, table: string): Promise<number> {
  const columns = await columnsOf(target, table);
  const names = columns.map(({ name }) => name).join(', ');
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const insert = `insert into ${table} (${names}) select * from unnest(${lists})`;
  await target.run(`delete from ${table}`);
  let count = 0;
  for (let after = 0; ; ) {
    const rows = await source.all<Row & { copied_row: number }>(
      `select rowid as copied_row, ${names} from ${table} where rowid > $1
       order by rowid limit ${ROWS_PER_STEP}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) break;
    const values = columns.map(({ name }) => rows.map((row): SqlValue => row[name] ?? null));
    count += await target.run(insert, values);
    after = last.copied_row;
  }
  await goOnNumbering(source, target, table, columns);
  return count;
}

async function columnsOf(target: Sql, table: string): Promise<Column[]> {
  const rows = await target.all<{ name: string; kind: string; identity: string }>(
    `select column_name::text as name, udt_name::text as kind, is_identity::text as identity
     from information_schema.columns
     where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  if (rows.length === 0) throw new Error(`The target has no table ${table}`);
  return rows.map(({ name, kind, identity }) => {
    const type = TYPES[kind];
    if (!type) throw new Error(`Column ${name} of ${table} has the type ${kind}`);
    return { name, type, isNumbered: identity === 'YES' };
  });
}

/** Numbers are never given out again, not even those of deleted rows. */
async function goOnNumbering(
  source: Sql,
  target: Transaction,
  table: string,
  columns: readonly Column[],
): Promise<void> {
  const numbered = columns.find(({ isNumbered }) => isNumbered);
  if (!numbered) return;
  const row = await source.get<{ seq: number }>('select seq from sqlite_sequence where name = $1', [
    table,
  ]);
  // 0: the sequence exists, but has given out no number.
  if (!row || row.seq === 0) return;
  await target.get('select setval(pg_get_serial_sequence($1, $2), $3)', [
    table,
    numbered.name,
    row.seq,
  ]);
}
