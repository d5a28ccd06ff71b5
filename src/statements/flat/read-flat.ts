import type { Deal } from '../../domain/deal.ts';
import { finishStatement } from '../finish.ts';
import { matchLoose } from '../matching/match-loose.ts';
import type { OpenPosition, ReadOptions, Stated, Statement } from '../statement.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import { createWarnings } from '../warnings.ts';
import { accountOf } from './account-rows.ts';
import { readClosedTrades } from './closed-trades.ts';
import { readDealTables } from './deal-rows.ts';
import type { FlatContext } from './flat-context.ts';
import type { FlatKind } from './flat-table.ts';
import type { FlatTables } from './flat-tables.ts';
import { readListsOfTrades } from './list-of-trades.ts';
import { readOpenTable } from './open-trades.ts';
import { sampleOf } from './table-sample.ts';

const EXPECTED =
  'headings of closed trades (open time, close time, type, symbol, volume, prices, profit) or of deals ' +
  '(time, id, type, entry, symbol, volume, price, profit)';

/** The kinds that a file's tables are read as: the first one present. */
const KINDS: readonly FlatKind[] = ['deals', 'closed-trades', 'list-of-trades', 'open-trades'];

/**
 * Reads the flat tables of a file, those of its first kind from all sheets. Throws
 * UnreadableStatement if there is none; `where` and `known` say what was searched, and for what.
 */
export function readFlatTables(
  flat: FlatTables,
  { moneyDigits, clock, login }: ReadOptions,
  where: string,
  known: string,
): Statement {
  const kind = KINDS.find((each) => flat.tables.some((table) => table.kind === each));
  if (!kind)
    throw new UnreadableStatement(
      `${known}; that is, ${EXPECTED}`,
      whyNot(flat, where),
      flat.unknown && sampleOf(flat.unknown),
    );
  const warnings = createWarnings();
  const stated: Stated = { figures: {} };
  const context: FlatContext = { moneyDigits, clock, warnings, stated };
  const of = (wanted: FlatKind) => flat.tables.filter((table) => table.kind === wanted);
  const account = accountOf([...of(kind), ...of('open-trades')], login);
  stated.login = account.login;
  const tables = account.rowsOf(of(kind), warnings);
  if (tables.every(({ rows }) => rows.length === 0))
    throw new UnreadableStatement('rows below the headings', `${where} has none`);
  const openPositions: OpenPosition[] = readOpenTable(
    account.rowsOf(of('open-trades'), warnings),
    context,
  );
  if (openPositions.length > 0) stated.openPositions = openPositions.length;
  const readers: Record<FlatKind, () => Deal[]> = {
    deals: () => matchLoose(readDealTables(tables, context), warnings),
    'closed-trades': () => readClosedTrades(tables, context),
    'list-of-trades': () => readListsOfTrades(tables, context),
    'open-trades': () => [],
  };
  const deals = readers[kind]();
  const platform = kind === 'deals' ? 'p5' : 'p4';
  const read = { kind, platform, stated, deals, openPositions } as const;
  const [first] = tables;
  return {
    ...finishStatement(read, warnings, moneyDigits),
    table: first && sampleOf(first, kind === 'deals'),
  };
}

function whyNot({ orders, first, rows }: FlatTables, where: string): string {
  if (orders)
    return `line ${orders.line} heads a list of orders (${orders.text}), and orders hold no results`;
  return first
    ? `${where} has ${rows} rows; line ${first.line} reads: ${first.text}`
    : `${where} has no rows`;
}
