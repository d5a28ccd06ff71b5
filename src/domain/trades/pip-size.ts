/**
 * Sizes of a pip. No platform defines them; these are the conventions of retail trading: the
 * fourth decimal of a currency pair (the second if the quote currency has small units), ten cents
 * of gold, platinum and palladium, a cent of silver, one point of an index, one unit of the quote
 * currency for a coin.
 */
const GOLD_PIP = 0.1;
const SILVER_PIP = 0.01;
const INDEX_PIP = 1;
const COIN_PIP = 1;

const CURRENCIES =
  'AED ARS AUD BGN BHD BRL CAD CHF CLP CNH CNY COP CZK DKK EGP EUR GBP GEL HKD HUF IDR ILS INR ' +
  'JPY KES KRW KWD KZT MXN MYR NGN NOK NZD OMR PEN PHP PLN QAR RON RUB SAR SEK SGD THB TRY TWD ' +
  'UAH USD VND ZAR';
const CURRENCY = CURRENCIES.split(' ').join('|');
const QUOTE = `${CURRENCY}|USDT|USDC|UST`;
const COINS =
  'BTC|XBT|ETH|LTC|BCH|XRP|DOGE|DOG|ADA|SOL|DOT|BNB|XMR|EOS|TRX|AVAX|LINK|MATIC|XLM|DASH|DSH|ETC|' +
  'LNK|UNI|ATOM|SHIB|NEO|ZEC|XTZ|FIL|AAVE|ALGO|NEAR|SUI|TON|PEPE';

/** A broker's mark before the symbol: lower-case letters or signs, as in `mEURUSD`, `.US500`. */
const PREFIX = '^(?:[^A-Z0-9]{0,4})';
/**
 * Suffixes of symbols: nothing, a sign, or a broker's short suffix, as in `EURUSD.pro`, `XAUUSDm`.
 */
const SUFFIX = '(?:$|[^A-Za-z0-9].*$|[a-z]{1,6}.*$|[A-Z]{1,3}$)';
const FX = new RegExp(`${PREFIX}(${CURRENCY})[/_-]?(${CURRENCY})${SUFFIX}`);
const GOLD = new RegExp(`${PREFIX}(?:X(?:AU|PT|PD)[/_-]?(?:${CURRENCY})|GOLD)${SUFFIX}`);
const SILVER = new RegExp(`${PREFIX}(?:XAG[/_-]?(?:${CURRENCY})|SILVER)${SUFFIX}`);
const COIN = new RegExp(`${PREFIX}(?:${COINS})[/_-]?(?:${QUOTE}|BTC)${SUFFIX}`);
const INDICES =
  'US(?:30|100|500|2000|TEC|SPX)|SPX?500|SPX|(?:NAS|NQ|NSDQ)100|NDX(?:100)?|DJI?30|WST?30|DJIA?|' +
  'RUS?2000|(?:GER|DE|DAX)(?:30|40)|GDAXI|DAX|UK100|FTSE(?:100)?|(?:FRA?|F)40|CAC40|' +
  '(?:EU|EUSTX|STOXX|ESTX|SX5E)50|(?:JP|JPN|NI|N|NIKKEI)225|(?:AUS?|ASX)200|' +
  '(?:HK|HKG|HSI)(?:50|33)|HSI|(?:ES|ESP|SPA|SPN)35|IBEX35|(?:IT|ITA)40|(?:CN|CHINA|CHN|A)50|' +
  'SWI20|SMI20|NL25|NETH25';
const INDEX = new RegExp(`${PREFIX}(?:${INDICES})${SUFFIX}`);

/** Quote currencies with small units, so prices are large: the pip is the second decimal. */
const SECOND_DECIMAL_QUOTES = new Set(['JPY', 'HUF', 'THB', 'KRW', 'IDR', 'VND', 'CLP', 'COP']);

const nameOf = (symbol: string): string =>
  symbol === symbol.toLowerCase() ? symbol.toUpperCase() : symbol;

/** Coins are traded at weekends, too. */
export const isCoin = (symbol: string): boolean => COIN.test(nameOf(symbol));

/**
 * The pip size of a symbol; undefined if there is no convention (stocks, futures, unknown symbols).
 * @param digits digits of the symbol's price, if the source states them
 * @param decimals most decimals seen in its prices; trailing zeros are not seen
 */
export function pipSizeOf(
  symbol: string,
  digits: number | undefined,
  decimals: number,
): number | undefined {
  const name = nameOf(symbol);
  const pair = FX.exec(name);
  if (pair) return currencyPip(pair[2] ?? '', digits, decimals);
  if (GOLD.test(name)) return GOLD_PIP;
  if (SILVER.test(name)) return SILVER_PIP;
  if (COIN.test(name)) return COIN_PIP;
  return INDEX.test(name) ? INDEX_PIP : undefined;
}

function currencyPip(quote: string, digits: number | undefined, decimals: number): number {
  const known = digits ?? (decimals >= 4 ? decimals : undefined);
  if (known === undefined) return SECOND_DECIMAL_QUOTES.has(quote) ? 0.01 : 0.0001;
  return known >= 4 ? 0.0001 : known >= 2 ? 0.01 : 1;
}
