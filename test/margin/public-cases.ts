import type { MarginSymbol } from '../../src/domain/margin/market.ts';

type CasePosition = {
  side: string;
  volume: number;
  price?: number | null;
  pending?: string;
  symbol?: string;
  contract_size?: number;
};

/** For tests: a collected case, in the words of its file. */
export type PublicCase = {
  id: string;
  evidence: string;
  platform?: string;
  mode?: string;
  symbol_spec?: {
    symbol?: string;
    contract_size?: number;
    margin_rate?: number;
    margin_rate_buy?: number;
    margin_rate_sell?: number;
    hedged_margin?: number | string;
    initial_margin?: number;
    maintenance_margin?: number;
    initial_margin_buy?: number;
    initial_margin_sell?: number;
    settlement_price?: number;
    tick_size?: number;
    tick_value?: number;
    face_value?: number;
  };
  account_currency?: string | null;
  leverage?: number | null;
  volume?: number | null;
  price?: number | null;
  positions?: CasePosition[];
  rates?: Record<string, number>;
  expected_margin?: number;
  expected_currency?: string;
  tolerance?: number;
};

/** Facts that a case states only in prose, or in other words than a platform's settings. */
export type Adaptation = {
  mode?: string;
  currency?: string;
  /** Margin currency, if it is not the base of a pair or the currency of the result. */
  currencyMargin?: string;
  leverage?: number;
  positions?: CasePosition[];
  /** Rate of buys and sells by symbol. */
  rates?: Record<string, number>;
  /** The symbol whose price the case states, if that is not the order's own. */
  pricedSymbol?: string;
  /** The volume is that of both sides of a covered pair. */
  isCoveredVolume?: boolean;
  /** Contract size that a covered pair of one lot each is charged for. */
  hedgedLot?: number;
  symbol?: Partial<MarginSymbol>;
};

const LEVERAGE_RULES = 'leverage rules by volume are a setting of the group, not of the symbol';

export const EXCLUDED: Record<string, string> = {
  'mq5-floating-vol-tiers': LEVERAGE_RULES,
  'mq5-floating-notional-tiers': LEVERAGE_RULES,
  'mq5-floating-perlot-tiers': LEVERAGE_RULES,
  'equiti-tier-1': LEVERAGE_RULES,
  'equiti-tier-2': LEVERAGE_RULES,
  'equiti-usoil': LEVERAGE_RULES,
  'windsor-2': LEVERAGE_RULES,
  'alpari-hedged-total':
    'averages the price over both sides for the uncovered part too; its two parts are proven apart',
};

export const ADAPTED: Record<string, Adaptation> = {
  // Parts of one example: what is uncovered is what remains when covered volume is free.
  'mq5-hedged-basic-openpart': { symbol: { marginHedged: 0 } },
  'mq5-hedged-basic-hedgedpart': {
    positions: [
      { side: 'buy', volume: 2, price: 1.11947 },
      { side: 'sell', volume: 2, price: 1.11947 },
    ],
  },
  'mq5-largerleg-long': {
    positions: [
      { side: 'buy', volume: 1, price: 1.16214 },
      { side: 'buy', volume: 2, price: 1.16207 },
      { side: 'buy', volume: 1, price: 1.16053, pending: 'limit' },
    ],
  },
  'mq5-largerleg-short': {
    positions: [
      { side: 'sell', volume: 1, price: 1.16184 },
      { side: 'sell', volume: 1, price: 1.16189 },
      { side: 'sell', volume: 1, price: 1.15808, pending: 'stop' },
      { side: 'sell', volume: 1, price: 1.16067, pending: 'stop' },
    ],
  },
  'mq4-largerleg': { currency: 'EUR' },
  'mq5-futures-initial-maint': { positions: [{ side: 'buy', volume: 1 }] },
  'mq5-forts-si': { mode: 'EXCH_FUTURES_FORTS' },
  // The page converts through the pair's price, as a contract in francs.
  'anzo-cadchf': { mode: 'CFDLEVERAGE', currencyMargin: 'CHF' },
  'anzo-ftse': { currencyMargin: 'GBP' },
  'webclient-xauusd-eur': { currencyMargin: 'USD' },
  // The price of these two is the pair that converts.
  'windsor-3': { pricedSymbol: 'GBPUSD' },
  'windsor-4': { pricedSymbol: 'GBPUSD' },
  'admirals-hedge': { hedgedLot: 100_000 },
  'fxglory-hedge': {
    currencyMargin: 'USD',
    leverage: 1000,
    hedgedLot: 100_000,
    symbol: { contractSize: 100_000 },
  },
  'alpari-hedged-m1': { isCoveredVolume: true, hedgedLot: 100_000 },
  'rep-fsaintvil-1512498604': { rates: { NZDUSD: 1.5 } },
  'rep-fsaintvil-1513621052-html': { rates: { BTCUSD: 0.3, ETHUSD: 0.3 } },
  'rep-fsaintvil-1513621052-xlsx': { rates: { BTCUSD: 0.3, ETHUSD: 0.3, XAUUSD: 0.02 } },
  // Half of one side's covered volume; in the platform's terms, 25 000 for each of the two lots.
  'rep-patrick-58.79': { hedgedLot: 50_000 },
  'rep-fpmk': {
    mode: 'FOREX',
    currencyMargin: 'USD',
    symbol: { marginInitial: 100_000, marginHedged: 0 },
  },
  'rep-mt4trade01': { symbol: { hedgeByLargerLeg: true } },
};
