import type { Platform } from '../../words/accounts.ts';
import { parseMarginMode } from './margin-mode.ts';
import type { MarginSymbol, MarketData, Quote } from './market.ts';
import { marketOf } from './market.ts';
import type { MarginFault } from './order-checks.ts';
import { isOrderType } from './order-type.ts';
import { tierFault } from './tiers.ts';

/** A symbol as users and gateways write it: the mode is still a word or number of the platform. */
export type SymbolRecord = Omit<MarginSymbol, 'marginMode'> & { marginMode: string | number };
export type MarketRecord = { symbols: readonly SymbolRecord[]; quotes: readonly Quote[] };

/** Reads a stored market of an account of the family, or returns all its faults. */
export function readMarket(
  family: Platform,
  record: MarketRecord,
): { market: MarketData } | { faults: MarginFault[] } {
  const faults: MarginFault[] = [];
  const symbols: MarginSymbol[] = [];
  const names = new Set<string>();
  for (const [index, written] of record.symbols.entries()) {
    const { marginMode: word, leverageTiers = [], ...settings } = written;
    const at = `symbols[${index}]`;
    if (names.has(written.symbol))
      faults.push({ parameter: `${at}.symbol`, message: 'is duplicated' });
    names.add(written.symbol);
    const marginMode = parseMarginMode(family, word);
    if (marginMode) symbols.push({ ...written, marginMode });
    else
      faults.push({
        parameter: `${at}.marginMode`,
        message: `is not a margin mode of ${family} platforms`,
      });
    faults.push(...numberFaults(at, settings));
    const fault = tierFault(leverageTiers);
    if (fault) faults.push({ parameter: `${at}.leverageTiers`, message: fault });
  }
  return faults.length > 0 ? { faults } : { market: marketOf(symbols, record.quotes) };
}

/** No setting of a symbol may be negative, or margin could be; rates are by order type. */
function numberFaults(at: string, settings: object): MarginFault[] {
  const faults: MarginFault[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const parameter = `${at}.${name}`;
    if (typeof value === 'number' && !(value >= 0 && Number.isFinite(value)))
      faults.push({ parameter, message: 'must be a number of 0 or more' });
    if (typeof value !== 'object' || value === null) continue;
    for (const type of Object.keys(value))
      if (!isOrderType(type))
        faults.push({ parameter: `${parameter}.${type}`, message: 'is not an order type' });
    faults.push(...numberFaults(parameter, value));
  }
  return faults;
}
