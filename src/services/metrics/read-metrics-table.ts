import { MAX_TABLE_ROWS } from '../../contract/operations/metrics.ts';
import { dateOf } from '../../domain/metrics/calendar-growth.ts';
import { type CountedTrade, isLong } from '../../domain/metrics/counted-trade.ts';
import { growthDayOf } from '../../domain/metrics/growth-day.ts';
import {
  addToGroup,
  durationOf,
  type GroupSum,
  groupFrom,
  hourOf,
  MAX_KEYS,
  noGroup,
  OTHERS,
  weekdayOf,
} from '../../domain/metrics/trade-groups.ts';
import { forEachTrade } from '../../histories/read-part.ts';
import { DURATION_WORDS, TABLE_KEYS, type TableKey } from '../../words/statistics.ts';
import { isWordOf } from '../../words/words-of.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { type PartQuery, readMetricsPart } from './metrics-part.ts';
import { Amounts } from './present-metrics.ts';
import type { MetricsAnswer } from './read-metrics.ts';
import { type CutContext, readCut } from './read-part-metrics.ts';

type Value = string | number;

/** The value of each key that a trade has. */
const VALUES: Record<TableKey, (trade: CountedTrade) => Value> = {
  symbol: ({ symbol }) => symbol ?? '',
  side: (trade) => (isLong(trade) ? 'buy' : 'sell'),
  outcome: ({ profit }) => (profit > 0 ? 'won' : 'lost'),
  hour: ({ openTimeMs }) => hourOf(openTimeMs),
  weekday: ({ closeTimeMs }) => weekdayOf(closeTimeMs),
  month: ({ closeTimeMs }) => dateOf(growthDayOf(closeTimeMs)).slice(0, 'YYYY-MM'.length),
  duration: (trade) => DURATION_WORDS.indexOf(durationOf(trade)),
  magic: ({ magic }) => magic ?? '',
};

/**
 * Statistics of some of an account's trades by one key or two. The first 500 symbols and experts
 * are separate. Throws `forbidden` if statistics are switched off, `notFound`, `validation` also
 * for a table of more than MAX_TABLE_ROWS rows.
 */
export async function readMetricsTable(
  context: CutContext,
  principal: Principal,
  accountId: string,
  { by, ...query }: PartQuery & { by: readonly TableKey[] },
): Promise<MetricsAnswer> {
  if (new Set(by).size < by.length) throw invalidParameter('by', 'must name two different keys');
  const part = readMetricsPart(query);
  const account = await accessAccount(context, principal, accountId);
  return readCut(context, account, `${by} ${JSON.stringify(part)}`, '', async () => {
    const table = new Table(by);
    await forEachTrade(context.database, account.number, part, (trade) => table.add(trade));
    const money = new Amounts(account.currency, true);
    const rows = table.rows.map(({ values, sum }) => ({
      ...keysOf(by, values),
      ...money.ofGroup(groupFrom('', sum)),
    }));
    return { currency: account.currency, by, rows };
  });
}

/** The sums by the values of one key or two. */
class Table {
  readonly #by: readonly TableKey[];
  /** Of each key, the values with separate rows. */
  readonly #kept: Set<Value>[];
  readonly #rows = new Map<string, { values: Value[]; sum: GroupSum }>();

  constructor(by: readonly TableKey[]) {
    this.#by = by;
    this.#kept = by.map(() => new Set());
  }

  add(trade: CountedTrade): void {
    const values = this.#by.map((key, place) => this.#keep(place, VALUES[key](trade), key));
    const name = values.join('\n');
    let row = this.#rows.get(name);
    if (!row) {
      if (this.#rows.size === MAX_TABLE_ROWS)
        throw invalidParameter('by', `makes over ${MAX_TABLE_ROWS} rows: ask for a shorter range`);
      row = { values, sum: noGroup() };
      this.#rows.set(name, row);
    }
    addToGroup(row.sum, trade);
  }

  #keep(place: number, value: Value, key: TableKey): Value {
    if (key !== 'symbol' && key !== 'magic') return value;
    const kept = this.#kept[place];
    if (!kept || kept.has(value)) return value;
    if (kept.size === MAX_KEYS) return OTHERS;
    kept.add(value);
    return value;
  }

  get rows() {
    return [...this.#rows.values()].sort(
      (a, b) => compare(a.values[0], b.values[0]) || compare(a.values[1], b.values[1]),
    );
  }
}

/** Numbers before texts. */
function compare(a: Value = '', b: Value = ''): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The keys of a row in the form of the API; an unknown symbol or expert is absent. */
function keysOf(
  by: readonly TableKey[],
  values: readonly Value[],
): Partial<Record<TableKey, Value>> {
  const keys: Partial<Record<TableKey, Value>> = {};
  for (const [place, key] of by.entries()) {
    const value = values[place] ?? '';
    if (key === 'duration') keys[key] = DURATION_WORDS[Number(value)] ?? '';
    else if (value !== '') keys[key] = key === 'magic' ? String(value) : value;
  }
  return keys;
}

/** Reads `symbol,side`, already checked by the contract. */
export const readTableKeys = (by: string): TableKey[] =>
  by.split(',').filter((word) => isWordOf(TABLE_KEYS, word));
