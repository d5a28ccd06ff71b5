import { cellAt, rowText } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import type { Warnings } from '../warnings.ts';
import type { FlatTable } from './flat-table.ts';

/** Accounts named in a refusal. */
const NAMED_MAX = 10;

/** The one account to read. */
export type AccountRows = {
  login: string | undefined;
  /** The tables without rows of other accounts. */
  rowsOf(tables: readonly FlatTable[], warnings: Warnings): FlatTable[];
};

/**
 * The account of these rows, by the column that names it. Throws UnreadableStatement if there are
 * several and none is chosen, or the chosen one is not among them.
 */
export function accountOf(tables: readonly FlatTable[], chosen: string | undefined): AccountRows {
  const rows = new Map<string, number>();
  for (const table of tables) {
    const place = placeOf(table);
    if (place === undefined) continue;
    for (const row of table.rows) {
      const login = cellAt(row, place);
      if (login !== '') rows.set(login, (rows.get(login) ?? 0) + 1);
    }
  }
  const [first] = rows.keys();
  if (rows.size === 0 || (rows.size === 1 && (chosen === undefined || chosen === first)))
    return { login: first, rowsOf: (all) => [...all] };
  if (chosen === undefined || !rows.has(chosen))
    throw new UnreadableStatement(
      'rows of one account, or one chosen with login=',
      `the file has rows of ${named(rows)}`,
    );
  return {
    login: chosen,
    rowsOf: (all, warnings) => all.map((table) => rowsOfLogin(table, chosen, warnings)),
  };
}

const placeOf = ({ columns }: FlatTable): number | undefined => columns.places.account?.[0];

function rowsOfLogin(table: FlatTable, login: string, warnings: Warnings): FlatTable {
  const place = placeOf(table);
  const rows = table.rows.filter((row) => {
    const own = cellAt(row, place);
    if (own === '') warnings.row(row.line, 'it names no account', rowText(row));
    return own === login;
  });
  return { ...table, rows };
}

function named(rows: ReadonlyMap<string, number>): string {
  const some = [...rows].slice(0, NAMED_MAX).map(([login, count]) => `${login} (${count} rows)`);
  const more = rows.size - some.length;
  return `the accounts ${some.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
