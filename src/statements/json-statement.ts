import { type Deal, isTradeDeal } from '../domain/deal.ts';
import { VOLUME_DIGITS } from '../domain/money.ts';
import { dealEntryOf, dealTypeOf } from './deal-words.ts';
import { finishStatement } from './finish.ts';
import { type JsonObject, readJsonObjects } from './json-objects.ts';
import { unitsOf } from './numbers.ts';
import { forEachPaced, type Pace } from './pace.ts';
import type { Statement } from './statement.ts';
import { parseReportTime } from './times.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
import { createWarnings } from './warnings.ts';

const EXPECTED = 'a json array of deals, or an object whose "deals" is one';

/**
 * Deals as JSON: our own form (`brokerTime`, `DEAL_TYPE_…`) and that of the p5 terminal's Python
 * package, history_deals_get (`ticket`, `time_msc`, numbers for types; broker wall clock as if UTC).
 */
export async function readJsonStatement(
  bytes: Uint8Array,
  encoding: string,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  const text = new TextDecoder(encoding).decode(bytes).trimStart();
  let from = 0;
  if (text.startsWith('{')) {
    const named = /"deals"\s*:\s*\[/.exec(text);
    if (!named) throw new UnreadableStatement(EXPECTED, 'the object has no list of deals');
    from = named.index;
  }
  const records = await readJsonObjects(text, from, pace);
  const first = records[0];
  if (!first) throw new UnreadableStatement(EXPECTED, 'the list is empty');
  if (!('profit' in first) || !('type' in first)) {
    const keys = Object.keys(first).slice(0, 12).join(', ');
    const isOrder = 'time_setup' in first || 'state' in first || 'volume_initial' in first;
    throw new UnreadableStatement(
      EXPECTED,
      isOrder
        ? `record 1 is an order (${keys}), and orders hold no results`
        : `record 1 is something else (${keys})`,
    );
  }
  const warnings = createWarnings();
  const deals: Deal[] = [];
  await forEachPaced(records, pace, { from: 0.8, to: 0.95 }, (record, index) => {
    const read = readDeal(record, moneyDigits);
    if (typeof read === 'string') warnings.row(index + 1, read, JSON.stringify(record));
    else deals.push(read);
  });
  const draft = { kind: 'deals-json', platform: 'p5', account: {}, deals, stated: {} } as const;
  return finishStatement({ ...draft, openPositions: [] }, warnings, moneyDigits, pace);
}

/** A deal, or why the record is none. */
function readDeal(record: JsonObject, moneyDigits: number): Deal | string {
  const text = (...keys: string[]): string | undefined => {
    const value = keys.map((key) => record[key]).find((v) => v !== undefined && v !== null);
    const isText = (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
    return isText ? String(value) : undefined;
  };
  const units = (key: string, digits: number): number | undefined => {
    const value = record[key] ?? 0;
    return typeof value === 'number' && Number.isFinite(value) ? unitsOf(value, digits) : undefined;
  };
  const word = (key: string): string | number | undefined => {
    const value = record[key];
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  };
  const id = text('id', 'ticket');
  const timeMs = timeOf(record);
  const typeWord = word('type');
  const type = typeWord === undefined ? undefined : dealTypeOf(typeWord);
  if (id === undefined) return 'it has no id';
  if (timeMs === undefined) return 'its time is unreadable';
  if (type === undefined) return `${JSON.stringify(record.type)} is no known type of deal`;
  const [profit, swap] = [units('profit', moneyDigits), units('swap', moneyDigits)];
  const [commission, fee] = [units('commission', moneyDigits), units('fee', moneyDigits)];
  if (profit === undefined || swap === undefined || commission === undefined || fee === undefined)
    return 'its profit, swap, commission or fee is no amount';
  const deal: Deal = {
    ...{ id, type, volume: 0, profit, swap, commission, fee, timeMs },
    comment: text('comment'),
  };
  if (!isTradeDeal(deal)) return deal;
  const entryWord = word('entry');
  const entry = entryWord === undefined ? undefined : dealEntryOf(entryWord);
  const volume = units('volume', VOLUME_DIGITS);
  const symbol = text('symbol');
  if (!entry || volume === undefined || volume < 0 || symbol === undefined)
    return 'its symbol, entry or volume is unreadable';
  const price = record.price;
  Object.assign(deal, { entry, volume, symbol });
  deal.price = typeof price === 'number' && Number.isFinite(price) ? price : undefined;
  deal.positionId = text('positionId', 'position_id');
  return deal;
}

function timeOf(record: JsonObject): number | undefined {
  if (typeof record.brokerTime === 'string') return parseReportTime(record.brokerTime);
  const ms = typeof record.time_msc === 'number' ? record.time_msc : Number(record.time) * 1000;
  return Number.isSafeInteger(ms) && Math.abs(ms) < 8.64e15 ? ms : undefined;
}
