import { formatNumber } from './format.ts';
import { LOCALE } from './locale.ts';

/** Typed text: nothing, a number, or text that can't be read as one. */
export type NumberReading =
  | { kind: 'empty' }
  | { kind: 'number'; value: number }
  | { kind: 'unreadable'; fault: string };

export type NumberRules = {
  /** Text allowed next to the number: `%`, `USD`, `$`. */
  units?: readonly string[];
  isInteger?: boolean;
  min?: number;
  max?: number;
  /** Digits after the decimal sign, at most. */
  digits?: number;
  /** A question about a number that is allowed but hardly meant. */
  doubt?: (value: number) => string | undefined;
  locale?: string;
};

/** Why a form with an unreadable number can't be sent. */
export const UNREADABLE = 'A number can’t be read. Its field says why.';

/** A double has 15 reliable decimal digits. */
const MAX_DIGITS = 15;
/** Signs that separate groups of digits anywhere in the world; the locale's own is added. */
const SPACES = / |\u00a0|\u202f|'|’/;

/**
 * Reads a typed number. The locale decides about a lone comma or point that is ambiguous (`1,000`);
 * unambiguous text is read in its one way (`0,5`, `10.000,50`). Anything else is refused with
 * advice: nothing is left out, guessed or cut off.
 */
export function readNumber(text: string, rules: NumberRules = {}): NumberReading {
  const bare = withoutUnits(text.trim(), rules.units ?? []);
  if (text.trim() === '') return { kind: 'empty' };
  const plain = plainDigits(bare, separatorsOf(rules.locale ?? LOCALE));
  if (plain === undefined) return unreadable(`“${text.trim()}” is not a number that can be read`);
  const value = Number(plain);
  const digits = plain.replace(/^[-0.]*|\./g, '').length;
  const decimals = plain.split('.')[1]?.replace(/0+$/, '').length ?? 0;
  if (digits > MAX_DIGITS) return unreadable('has more digits than can be stored');
  if (rules.isInteger && decimals > 0) return unreadable('must be a whole number');
  if (rules.digits !== undefined && decimals > rules.digits) {
    return unreadable(`must have at most ${rules.digits} digits after the decimal sign`);
  }
  if (rules.min !== undefined && value < rules.min) {
    return unreadable(`must be at least ${formatNumber(rules.min, 8, false)}`);
  }
  if (rules.max !== undefined && value > rules.max) {
    return unreadable(`must be at most ${formatNumber(rules.max, 8, false)}`);
  }
  return { kind: 'number', value };
}

const unreadable = (fault: string): NumberReading => ({ kind: 'unreadable', fault });

/** The value, if there is one. */
export const numberOf = (reading: NumberReading): number | undefined =>
  reading.kind === 'number' ? reading.value : undefined;

type Separators = { decimal: string; group: string };
const separators = new Map<string, Separators>();

function separatorsOf(locale: string): Separators {
  let found = separators.get(locale);
  if (!found) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8);
    const partOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
    found = { decimal: partOf('decimal') || '.', group: partOf('group') || ',' };
    separators.set(locale, found);
  }
  return found;
}

function withoutUnits(text: string, units: readonly string[]): string {
  const lower = text.toLowerCase();
  for (const unit of units) {
    const word = unit.toLowerCase();
    if (lower.endsWith(word)) return text.slice(0, -word.length).trimEnd();
    if (lower.startsWith(word)) return text.slice(word.length).trimStart();
  }
  return text;
}

/** The number in JavaScript's form; undefined if it is none or could be two. */
function plainDigits(text: string, separators: Separators): string | undefined {
  const match = /^([-−+]?)(\d[\d.,'’ \u00a0\u202f]*|[.,]\d+)$/.exec(text);
  const body = match?.[2];
  if (body === undefined) return undefined;
  const point = decimalSignOf(body, separators);
  if (point === 'unclear') return undefined;
  const at = point === 'none' ? body.length : body.lastIndexOf(point);
  const whole = wholeDigits(body.slice(0, at), point);
  const fraction = body.slice(at + 1);
  if (whole === undefined || !/^\d*$/.test(fraction)) return undefined;
  if (at < body.length && fraction === '') return undefined;
  const sign = match?.[1] === '-' || match?.[1] === '−' ? '-' : '';
  return `${sign}${whole || '0'}${fraction ? `.${fraction}` : ''}`;
}

/** Which sign of the text separates the whole from the fraction. */
function decimalSignOf(
  body: string,
  { decimal, group }: Separators,
): '.' | ',' | 'none' | 'unclear' {
  const signs = [...body].filter((sign) => sign === '.' || sign === ',');
  const last = signs.at(-1);
  if (last === undefined) return 'none';
  if (signs.some((sign) => sign !== last)) return last;
  if (signs.length > 1) return 'none';
  if (last === decimal) return last;
  // The sign that is not the locale's decimal sign: it may group thousands or, if it can't, be
  // another country's decimal sign. Other cases are ambiguous.
  const isGroup = /^\d{1,3}[.,]\d{3}$/.test(body) && !body.startsWith('0');
  if (isGroup) return last === group ? 'none' : 'unclear';
  return /^0?[.,]|[.,]\d{1,2}$/.test(body) ? last : 'unclear';
}

/** The digits of the part before the decimal sign; undefined if groups are not of three. */
function wholeDigits(text: string, point: string): string | undefined {
  if (/^\d*$/.test(text)) return text;
  const sign = /\D/.exec(text)?.[0] ?? '';
  if (sign === point) return undefined;
  const isSpace = SPACES.test(sign);
  const groups = isSpace ? text.split(SPACES) : text.split(sign);
  const [first = '', ...others] = groups;
  const last = others.at(-1) ?? '';
  // In South Asia groups before the last one are of two digits.
  const areEven = others.every((digits) => /^\d{3}$/.test(digits)) && /^\d{1,3}$/.test(first);
  const areIndian =
    /^\d{3}$/.test(last) &&
    /^\d{1,2}$/.test(first) &&
    others.slice(0, -1).every((digits) => /^\d{2}$/.test(digits));
  return (areEven || areIndian) && first !== '' ? groups.join('') : undefined;
}
