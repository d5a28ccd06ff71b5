import type { Family } from './margin-mode.ts';
import { parseMarginMode } from './margin-mode.ts';
import type { MarginSymbol, MarketData, Quote } from './market.ts';
import { marketOf } from './market.ts';
import type { MarginFault } from './order-checks.ts';

/** A symbol as users and gateways write it: the mode is still a word or number of the platform. */
export type SymbolRecord = Omit<MarginSymbol, 'marginMode'> & { marginMode: string | number };
export type MarketRecord = { symbols: readonly SymbolRecord[]; quotes: readonly Quote[] };

/** Reads a stored market of an account of the family, or says every fault that it has. */
export function readMarket(
  family: Family,
  record: MarketRecord,
): { market: MarketData } | { faults: MarginFault[] } {
  const faults: MarginFault[] = [];
  const symbols: MarginSymbol[] = [];
  const names = new Set<string>();
  for (const [index, written] of record.symbols.entries()) {
    const marginMode = parseMarginMode(family, written.marginMode);
    if (marginMode) symbols.push({ ...written, marginMode });
    else
      faults.push({
        parameter: `symbols[${index}].marginMode`,
        message: `is not a margin mode of ${family} platforms`,
      });
    if (names.has(written.symbol))
      faults.push({ parameter: `symbols[${index}].symbol`, message: 'is there twice' });
    names.add(written.symbol);
  }
  return faults.length > 0 ? { faults } : { market: marketOf(symbols, record.quotes) };
}
