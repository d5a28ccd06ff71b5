import { type Money, toUnits, VOLUME_DIGITS, type Volume } from '../domain/money.ts';

/** The decimal mark: `1 234.56` and `1,234.56`, or `1.234,56`. */
export type NumberStyle = 'point' | 'comma';

const SPACES = /[\s\u00a0\u2009\u202f'’]/g;
const PLAIN = /^-?\d+(?:\.\d+)?$/;

/**
 * The decimal mark of a column's texts. A mark that occurs twice, or before the other one, groups
 * thousands; one not followed by exactly three digits is decimal. Undefined if no text decides
 * (`1,234` alone does not).
 */
export function numberStyleOf(texts: Iterable<string>): NumberStyle | undefined {
  for (const text of texts) {
    const comma = text.lastIndexOf(',');
    const point = text.lastIndexOf('.');
    if (comma < 0 && point < 0) continue;
    if (comma >= 0 && point >= 0) return comma > point ? 'comma' : 'point';
    const mark = Math.max(comma, point);
    const own: NumberStyle = comma >= 0 ? 'comma' : 'point';
    const other: NumberStyle = comma >= 0 ? 'point' : 'comma';
    if (text.indexOf(comma >= 0 ? ',' : '.') !== mark) return other;
    if (!/^\d{3}(?!\d)/.test(text.slice(mark + 1))) return own;
  }
  return undefined;
}

/** Reads a number printed by a report; undefined for anything else, including the empty text. */
export function parseNumber(text: string, style: NumberStyle): number | undefined {
  if (style === 'point' && PLAIN.test(text)) return Number(text);
  let plain = text.replace(SPACES, '').replace(/[\u2212\u2013]/g, '-');
  const [group, mark] = style === 'point' ? [',', '.'] : ['.', ','];
  if (plain.includes(group)) {
    const whole = plain.split(mark)[0] ?? '';
    if (!/^[-+]?\d{1,3}([.,]\d{3})+$/.test(whole)) return undefined;
    plain = plain.replaceAll(group, '');
  }
  if (mark === ',') plain = plain.replace(',', '.');
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** Money in units of 10^-digits; an empty text is 0; undefined if it is no representable amount. */
export function parseMoney(text: string, style: NumberStyle, digits: number): Money | undefined {
  if (text === '') return 0;
  const value = parseNumber(text, style) ?? parseNumber(bareAmount(text), style);
  return value === undefined ? undefined : unitsOf(value, digits);
}

/**
 * The number of an amount with its currency or in brackets: `-$4,991.10`, `€ 2`, `(12.50)`,
 * `5 USD`.
 */
export function bareAmount(text: string): string {
  if (/^[-+]?[\d.,]*$/.test(text)) return text;
  const bare = text.replace(CURRENCY, '').trim();
  const bracketed = /^\((.+)\)$/.exec(bare)?.[1];
  const signedLast = /^(.*\d)-$/.exec(bare)?.[1];
  const negative = bracketed ?? signedLast;
  return negative === undefined ? bare.replace(/^([-+\u2212])\s+/, '$1') : `-${negative.trim()}`;
}

/** Signs and codes of currencies before or after a number. */
const CURRENCY = /\p{Sc}|(?<![A-Za-z])[A-Z]{3,4}(?![A-Za-z])/gu;

/**
 * Volume in lots, not negative: `0.10`, `0.10 lots`, the closed part of `0.01 / 0.04`. Volumes of
 * the p5 platform may end in K or M (thousands, millions).
 */
export function parseVolume(text: string, style: NumberStyle): Volume | undefined {
  const plain = text.replace(/\s*\/.*$/, '').replace(/\s*lots?$/i, '');
  const suffix = /[KM]$/.exec(plain)?.[0];
  const value = parseNumber(suffix ? plain.slice(0, -1) : plain, style);
  if (value === undefined || value < 0) return undefined;
  return unitsOf(value * (suffix === 'K' ? 1e3 : suffix === 'M' ? 1e6 : 1), VOLUME_DIGITS);
}

export function unitsOf(value: number, digits: number): number | undefined {
  try {
    return toUnits(value, digits);
  } catch {
    return undefined;
  }
}

/** Digits after the decimal mark, as printed. */
export function digitsOf(text: string, style: NumberStyle): number | undefined {
  if (!/^\s*\d/.test(text)) return undefined;
  const at = text.lastIndexOf(style === 'point' ? '.' : ',');
  return at < 0 ? 0 : Math.min(8, text.length - at - 1);
}
