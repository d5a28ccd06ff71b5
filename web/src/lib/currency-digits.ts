const DIGITS = new Map<string, number>();
const list = (digits: number, currencies: string): void => {
  for (const currency of currencies.split(' ')) DIGITS.set(currency, digits);
};
list(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
list(3, 'BHD IQD JOD KWD LYD OMR TND');
list(8, 'BTC XBT ETH LTC BCH XMR DOT SOL BNB');

/**
 * Digits that a currency prints, as rounded by the server (its src/domain/money.ts): 2 if not
 * listed.
 */
export const currencyDigits = (currency: string): number => DIGITS.get(currency) ?? 2;
