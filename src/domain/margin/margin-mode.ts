import type { Platform } from '../../words/accounts.ts';

/**
 * How the margin of a symbol is calculated. Numbers are those of the p5 platform's Web API
 * (`CalcMode`) and of the p4 platform's `margin_mode`.
 */
const P5_MODE_NUMBERS = {
  FOREX: 0,
  FUTURES: 1,
  CFD: 2,
  CFDINDEX: 3,
  CFDLEVERAGE: 4,
  FOREX_NO_LEVERAGE: 5,
  EXCH_STOCKS: 32,
  EXCH_FUTURES: 33,
  EXCH_FUTURES_FORTS: 34,
  EXCH_OPTIONS: 35,
  EXCH_OPTIONS_MARGIN: 36,
  EXCH_BONDS: 37,
  EXCH_STOCKS_MOEX: 38,
  EXCH_BONDS_MOEX: 39,
  SERV_COLLATERAL: 64,
} as const;
export type MarginMode = keyof typeof P5_MODE_NUMBERS;

const P4_MODES = ['FOREX', 'CFD', 'FUTURES', 'CFDINDEX', 'CFDLEVERAGE'] as const;

const MODES: Record<Platform, ReadonlyMap<string, MarginMode>> = {
  p4: modesByWord(P4_MODES.map((mode, number) => [mode, number])),
  p5: modesByWord(Object.entries(P5_MODE_NUMBERS) as [MarginMode, number][]),
};

const PREFIX = /^(?:MARGIN_CALC_|SYMBOL_CALC_MODE_|TRADE_MODE_)/;

/**
 * Reads a margin mode as the family's platforms, terminals and the API write it: a number or its
 * text (`0`), a bare word (`FOREX`, `CFD_LEVERAGE`, `CFDLEVERAGE`), or a word with the prefix
 * MARGIN_CALC_, SYMBOL_CALC_MODE_ or TRADE_MODE_. Undefined if the family has no such mode.
 */
export function parseMarginMode(
  family: Platform,
  written: string | number,
): MarginMode | undefined {
  return MODES[family].get(String(written).replace(PREFIX, '').replaceAll('_', ''));
}

function modesByWord(modes: [MarginMode, number][]): ReadonlyMap<string, MarginMode> {
  const byWord = new Map<string, MarginMode>();
  for (const [mode, number] of modes) {
    byWord.set(mode.replaceAll('_', ''), mode);
    byWord.set(String(number), mode);
  }
  return byWord;
}

/** Only symbols of these modes serve to convert one currency into another. */
export const isForexMode = (mode: MarginMode): boolean =>
  mode === 'FOREX' || mode === 'FOREX_NO_LEVERAGE';
