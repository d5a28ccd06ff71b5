import { inParallel } from '../../domain/in-parallel.ts';
import { type Platform5Symbol, PlatformError } from '../gateway.ts';
import { matchesMasks } from '../masks.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { lotsOf, marginModeOf } from './market.ts';
import { numberOf, type P5Record, rowsOf, textOf, wordOf } from './record.ts';
import { isNotFound } from './retcode.ts';
import { isPart } from './session.ts';

/** `TradeMode` in the platform's numbers 0 to 4. */
const TRADE_MODES = ['DISABLED', 'LONGONLY', 'SHORTONLY', 'CLOSEONLY', 'FULL'] as const;

/** Masks of one request; servers take some 4 000 characters. */
const MAX_MASK = 2_000;
/** Names that one mask is expected to match; the server returns 5 000 symbols at most. */
const NAMES_PER_MASK = 4_000;
/** Symbols in unknown folders are requested singly. */
const MAX_SINGLES = 20_000;

/**
 * Symbols by a mask of their paths, all for `*`. If there are too many, the server answers a part:
 * the others are then requested by prefixes of their names in the folders known so far, and the
 * last ones by name.
 */
export async function readSymbols(client: P5Client, mask: string): Promise<Platform5Symbol[]> {
  const { rows, isWhole } = await byMask(client, mask);
  if (isWhole) return rows.map(toSymbol);
  const symbols = await restOf(client, rows);
  return symbols.filter(({ path }) => mask === '*' || matchesMasks(path, mask));
}

async function byMask(
  client: P5Client,
  mask: string,
): Promise<{ rows: P5Record[]; isWhole: boolean }> {
  const call = { command: '/api/symbol/get', params: { mask }, takesPart: true };
  try {
    const answer = await client.call(call, true);
    return { rows: rowsOf(answer.answer), isWhole: !isPart(answer) };
  } catch (error) {
    if (isNotFound(error)) return { rows: [], isWhole: true };
    throw error;
  }
}

async function restOf(client: P5Client, part: readonly P5Record[]): Promise<Platform5Symbol[]> {
  const { answer } = await client.call({ command: '/api/symbol/list' });
  const names = Array.isArray(answer) ? answer.map(String) : [];
  const found = new Map<string, Platform5Symbol>();
  const take = (rows: readonly P5Record[]): void => {
    for (const row of rows) found.set(textOf(row, 'Symbol'), toSymbol(row));
  };
  take(part);
  const missing = () => names.filter((name) => !found.has(name));
  const masks = masksOf(missing(), [...found.values()]);
  const work = inParallel(masks, client.maxSessions, (mask) => byMask(client, mask));
  for await (const { rows } of work) take(rows);
  const singles = missing();
  if (singles.length > MAX_SINGLES)
    throw new PlatformError('unavailable', `the server keeps ${singles.length} symbols back`);
  const one = (symbol: string) => batchOf(client, '/api/symbol/get', { symbol }, true);
  for await (const rows of inParallel(singles, client.maxSessions, one)) take(rows);
  return names.flatMap((name) => found.get(name) ?? []);
}

/** Masks for names by their prefixes, each in all known folders of symbols. */
function masksOf(names: readonly string[], known: readonly Platform5Symbol[]): string[] {
  const folders = [...new Set(known.map(({ path }) => path.slice(0, path.lastIndexOf('\\') + 1)))];
  return beginningsOf(names, 1).flatMap((beginning) => {
    const masks: string[] = [];
    for (const folder of folders) {
      const mask = `${folder}${beginning}*`;
      const last = masks.at(-1);
      if (last !== undefined && last.length + mask.length < MAX_MASK)
        masks[masks.length - 1] = `${last},${mask}`;
      else masks.push(mask);
    }
    return masks;
  });
}

function beginningsOf(names: readonly string[], length: number): string[] {
  const groups = Map.groupBy(names, (name) => name.slice(0, length));
  return [...groups].flatMap(([beginning, own]) =>
    own.length > NAMES_PER_MASK && own.some((name) => name.length > length)
      ? beginningsOf(own, length + 1)
      : /[*!,]/.test(beginning)
        ? []
        : [beginning],
  );
}

const toSymbol = (row: P5Record): Platform5Symbol => ({
  symbol: textOf(row, 'Symbol'),
  path: textOf(row, 'Path'),
  description: textOf(row, 'Description'),
  currencyBase: textOf(row, 'CurrencyBase'),
  currencyProfit: textOf(row, 'CurrencyProfit'),
  currencyMargin: textOf(row, 'CurrencyMargin') || textOf(row, 'CurrencyBase'),
  digits: numberOf(row, 'Digits'),
  contractSize: numberOf(row, 'ContractSize'),
  marginMode: marginModeOf(row),
  tradeMode: wordOf(TRADE_MODES, 'SYMBOL_TRADE_MODE', numberOf(row, 'TradeMode')),
  volumeMin: lotsOf(row, 'VolumeMin'),
  volumeMax: lotsOf(row, 'VolumeMax'),
  volumeStep: lotsOf(row, 'VolumeStep'),
  tickSize: numberOf(row, 'TickSize'),
  tickValue: numberOf(row, 'TickValue'),
  expiration: numberOf(row, 'TimeExpiration') * 1000,
});
