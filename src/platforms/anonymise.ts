import type { RecordedCall } from './call-check.ts';

/** Rows that are kept of one list. */
const MAX_ROWS = 20;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Names of fields, in small letters, whose texts say what kind of thing something is. A list of
 * texts in `answer` is that of symbols.
 */
const KINDS = new Set(
  [
    'answer retcode currency currencybase currencyprofit currencymargin currencydeposit symbol path',
    'symbols quotes symbollist calls version type entry reason action side marginmode trademode',
    'brokertime time opentime closetime from to nextcursor',
  ].flatMap((names) => names.split(' ')),
);

/** Numbers that stand for somebody or something; 0 stands for nobody. */
const NUMBERED = new Set(
  [
    'login logins deal order position positionid ticket dealer agent clientid expertid mqid orderid',
    'externalid expertpositionid id clientid account magic',
  ].flatMap((names) => names.split(' ')),
);

/** Numbers that tell who somebody is, or what other applications keep of them. */
const PERSONAL = new Set(
  [
    'phone zip zipcode lastip ip certserialnumber phonepassword apidata status comment taxrate',
    'passport document',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Answers of a platform without whom they are about: the same login, ticket, group or name is the
 * same substitute in all of them. Amounts, times, symbols and words for kinds stay, or there would
 * be nothing to test with. Of each list the first rows.
 */
export function anonymise(calls: readonly RecordedCall[]): RecordedCall[] {
  const substitutes = new Map<string, string>();
  const substitute = (value: string, make: (number: number) => string): string => {
    const known = substitutes.get(value) ?? make(substitutes.size + 1);
    substitutes.set(value, known);
    return known;
  };
  const scalar = (key: string, text: string): string => {
    if (text === '' || KINDS.has(key)) return text;
    const isNumber = NUMBER.test(text);
    if (NUMBERED.has(key) && isNumber)
      return Number(text) === 0 ? text : substitute(text, (number) => `${1_000_000 + number}`);
    if (isNumber && !PERSONAL.has(key)) return text;
    return substitute(text, (number) => `text ${number}`);
  };
  const walk = (key: string, value: unknown): unknown => {
    // Lists and records of other applications.
    if (PERSONAL.has(key) && typeof value === 'object') return undefined;
    if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map((each) => walk(key, each));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, walk(name.toLowerCase(), each)]),
      );
    if (typeof value === 'string') return scalar(key, value);
    if (typeof value !== 'number') return value;
    const text = scalar(key, String(value));
    return NUMBER.test(text) ? Number(text) : text;
  };
  return calls.map(({ call, answer }) => ({ call, answer: walk('answer', answer) }));
}
