import type { Platform5Symbol } from '../gateway.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { lotsOf, marginModeOf } from './market.ts';
import { numberOf, type P5Record, textOf } from './record.ts';

/** `TradeMode` in the platform's numbers 0 to 4. */
const TRADE_MODES = ['DISABLED', 'LONGONLY', 'SHORTONLY', 'CLOSEONLY', 'FULL'] as const;

/** Symbols by a mask of their paths, all for `*`; the server gives 5 000 at most. */
export async function readSymbols(
  client: P5Client,
  mask: string,
  signal?: AbortSignal,
): Promise<Platform5Symbol[]> {
  const rows = await batchOf(client, '/api/symbol/get', { mask }, signal);
  return rows.map(toSymbol);
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
  tradeMode: `SYMBOL_TRADE_MODE_${TRADE_MODES[numberOf(row, 'TradeMode')] ?? 'DISABLED'}`,
  volumeMin: lotsOf(row, 'VolumeMin'),
  volumeMax: lotsOf(row, 'VolumeMax'),
  volumeStep: lotsOf(row, 'VolumeStep'),
  tickSize: numberOf(row, 'TickSize'),
  tickValue: numberOf(row, 'TickValue'),
  expiration: numberOf(row, 'TimeExpiration') * 1000,
});
