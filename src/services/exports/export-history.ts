import { type Cell, CSV_MARK, type CsvStyle, csvLine, csvStyleOf } from '../../contract/csv.ts';
import type { StoredDealRecord } from '../../contract/operations/deals.ts';
import type { HistoricalTrade } from '../../contract/operations/historical-trades.ts';
import { TRADE_COLUMNS } from '../../contract/trade-file.ts';
import { parseBrokerMoment } from '../../domain/broker-time.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { NotReady } from '../../histories/trade-computer.ts';
import type { Sql } from '../../storage/database.ts';
import { type History, readHistory } from '../../storage/history-store.ts';
import { findPlace, readChunks, TRADES_PER_CHUNK } from '../../storage/trade-store.ts';
import type { Export, FileFormat } from '../../words/statistics.ts';
import { type Account, accessAccount } from '../accounts/access-account.ts';
import type { Principal } from '../context.ts';
import { readDealPage } from '../deals/read-deal-page.ts';
import { conflict, invalidParameter } from '../errors.ts';
import { isCut } from '../metrics/metrics-part.ts';
import { readMetrics } from '../metrics/read-metrics.ts';
import { type CutContext, readPartMetrics } from '../metrics/read-part-metrics.ts';
import { requireStatistics } from '../trades/read-historical-trades.ts';
import { flatFigures } from './flat-figures.ts';

export type ExportQuery = {
  what: Export;
  format: FileFormat;
  locale: string;
  /** Broker times or dates, start inclusive, end exclusive. */
  from?: string | undefined;
  to?: string | undefined;
};

/** A file in consecutive parts, each made when it is taken. */
export type ExportFile = { name: string; type: string; parts: AsyncIterable<string> };

/** What is written before others get a turn takes some milliseconds. */
const CHUNKS_PER_READ = 1;
const DEALS_PER_READ = 200;

const DEAL_COLUMNS = [
  ...(['id', 'positionId', 'type', 'entry', 'symbol', 'volume', 'price', 'profit'] as const),
  ...(['swap', 'commission', 'fee', 'brokerTime', 'digits', 'stopLoss', 'takeProfit'] as const),
  ...(['magic', 'comment'] as const),
] satisfies readonly (keyof StoredDealRecord)[];

/**
 * Trades, deals or statistics of an account as a file, with only one part in memory. Trades that
 * close during the export are not in it; if others are recomputed during it, taking the parts
 * throws `conflict`. Throws `forbidden` if statistics are switched off, `notFound`, `validation`.
 */
export async function exportHistory(
  context: CutContext & { live: LiveReader },
  principal: Principal,
  accountId: string,
  query: ExportQuery,
): Promise<({ ready: true } & ExportFile) | NotReady> {
  const { what, format, locale, from, to } = query;
  const range = { from, to };
  if (from !== undefined && to !== undefined && timeOf(from) > timeOf(to))
    throw invalidParameter('from', 'must not be after to');
  const account = await accessAccount(context, principal, accountId);
  const file = {
    ready: true as const,
    name: `${what}-${account.login}.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
  };
  const style = format === 'csv' ? csvStyleOf(locale) : undefined;
  if (what === 'deals') {
    const deals = dealPages(context, principal, accountId, range);
    return { ...file, parts: style ? csvOf(DEAL_COLUMNS, deals, style) : jsonOf(deals) };
  }
  if (what === 'statistics') {
    const answer = isCut(range)
      ? await readPartMetrics(context, principal, accountId, range)
      : await readMetrics(context, principal, accountId, { includeOpenPositions: false });
    if (!answer.ready) return answer;
    const json = Buffer.concat(answer.body).toString();
    return { ...file, parts: style ? csvOf(FIGURE, [flatFigures(json)], style) : textOf(json) };
  }
  requireStatistics(account);
  const current = await context.trades.current(account);
  if (!current.ready) return current;
  const trades = tradePages(context.database, account, range);
  return { ...file, parts: style ? csvOf(TRADE_COLUMNS, trades, style) : jsonOf(trades) };
}

const FIGURE = ['figure', 'value'] as const;
type Range = Pick<ExportQuery, 'from' | 'to'>;
const timeOf = (text: string): number => parseBrokerMoment(text) ?? 0;

type Pages<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

async function* csvOf<Name extends string>(
  columns: readonly Name[],
  pages: Pages<{ readonly [N in Name]?: Cell }>,
  style: CsvStyle,
): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(columns, style);
  for await (const page of pages)
    yield page
      .map((row) =>
        csvLine(
          columns.map((name) => row[name]),
          style,
        ),
      )
      .join('');
}

async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}

async function* jsonOf(pages: Pages<object>): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages)
    if (page.length > 0) {
      yield before + page.map((row) => JSON.stringify(row)).join(',\n');
      before = ',\n';
    }
  yield before === '[' ? '[]\n' : ']\n';
}

async function* tradePages(
  sql: Sql,
  { number }: Account,
  { from, to }: Range,
): AsyncGenerator<HistoricalTrade[]> {
  const begun = await readHistory(sql, number);
  checkSame(begun, begun);
  const { tradeCount } = begun;
  const first = from === undefined ? 0 : await findPlace(sql, number, timeOf(from));
  const end = to === undefined ? tradeCount : await findPlace(sql, number, timeOf(to));
  let chunk = Math.floor(first / TRADES_PER_CHUNK);
  for (; chunk * TRADES_PER_CHUNK < end; chunk += CHUNKS_PER_READ) {
    const chunks = await readChunks(sql, number, chunk, CHUNKS_PER_READ);
    checkSame(await readHistory(sql, number), begun);
    const page = chunks.flatMap((one) => {
      const start = one.chunkNumber * TRADES_PER_CHUNK;
      const some = one.slice(Math.max(0, first - start), Math.min(one.count, end - start));
      return JSON.parse(`[${some}]`) as HistoricalTrade[];
    });
    yield page;
    await nextTurn();
  }
}

/** Throws `conflict` if trades are computed anew, or were since a file of them was begun. */
function checkSame({ tradeVersion, mustRebuild, rebuilds }: History, begun: History): void {
  if (tradeVersion < 0 || mustRebuild || rebuilds !== begun.rebuilds)
    throw conflict('The trades are being recomputed: request the file again');
}

async function* dealPages(
  context: CutContext,
  principal: Principal,
  accountId: string,
  { from, to }: Range,
): AsyncGenerator<StoredDealRecord[]> {
  const full = (moment: string | undefined) =>
    moment?.length === 'YYYY-MM-DD'.length ? `${moment} 00:00:00` : moment;
  let after: string | undefined;
  do {
    const page = await readDealPage(context, principal, accountId, {
      ...{ startTime: full(from), endTime: full(to), after, limit: DEALS_PER_READ },
    });
    yield page.deals;
    after = page.next;
    await nextTurn();
  } while (after !== undefined);
}
