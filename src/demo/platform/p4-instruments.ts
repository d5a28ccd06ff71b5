import type { Instrument } from './instrument.ts';
import {
  BITCOIN,
  BITCOIN_REST,
  FUTURE,
  FUTURE_REST,
  GOLD,
  GOLD_REST,
  INDEX,
  INDEX_REST,
  other,
  PAIRS,
} from './instrument.ts';

/** A p4 server calculates in five modes; its percentage is applied after conversion. */
export const P4_INSTRUMENTS: readonly Instrument[] = [
  ...PAIRS.map((instrument) => ({
    ...instrument,
    marginMode: 'MARGIN_CALC_FOREX',
    // A p4 server states hedged margin for one leg, a p5 server for both.
    marginHedged: 50_000,
    percentage: 100,
  })),
  other({ ...GOLD, marginMode: 'MARGIN_CALC_CFDLEVERAGE' }, 'USD', {
    ...GOLD_REST,
    percentage: 100,
  }),
  other({ ...INDEX, marginMode: 'MARGIN_CALC_CFDINDEX' }, 'USD', { ...INDEX_REST, percentage: 5 }),
  other({ ...BITCOIN, marginMode: 'MARGIN_CALC_CFD' }, 'USD', { ...BITCOIN_REST, percentage: 10 }),
  other({ ...FUTURE, marginMode: 'MARGIN_CALC_FUTURES' }, 'USD', {
    ...FUTURE_REST,
    percentage: 100,
  }),
];
