import { createHash } from 'node:crypto';

/** Row of an answer before it is quoted. */
export type Row = Record<string, unknown>;

export class Refusal extends Error {
  readonly retcode: string;
  constructor(retcode: string) {
    super(retcode);
    this.retcode = retcode;
  }
}

export const NOT_FOUND = '13 Not found';
export const BAD_PARAMETERS = '3 Invalid parameters';
export const NO_PERMISSION = '8 Not enough permissions';

/** The platform writes every scalar as a JSON string, and the retcode before everything else. */
export function envelope(retcode: string, rest: Row = {}): string {
  return JSON.stringify({ retcode, ...(quoted(rest) as Row) });
}

function quoted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(quoted);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, quoted(inner)]));
  return String(value);
}

/** Group masks: a comma list, `*` for any text, `!` in front to take groups out again. */
export function matchesMasks(group: string, masks: string): boolean {
  let matched = false;
  for (const { isNegative, pattern } of patternsOf(masks))
    if (pattern.test(group)) matched = !isNegative;
  return matched;
}

type Pattern = { isNegative: boolean; pattern: RegExp };
const knownPatterns = new Map<string, Pattern[]>();

function patternsOf(masks: string): Pattern[] {
  const known = knownPatterns.get(masks);
  if (known) return known;
  const patterns = masks.split(',').map((mask) => {
    const isNegative = mask.startsWith('!');
    const source = (isNegative ? mask.slice(1) : mask)
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    return { isNegative, pattern: new RegExp(`^${source}$`, 'su') };
  });
  knownPatterns.set(masks, patterns);
  return patterns;
}

/** 8 to 16 characters of four classes, as access servers demand by default. */
export const isGoodPassword = (password: string): boolean =>
  password.length >= 8 &&
  password.length <= 16 &&
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].every((kind) => kind.test(password));

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

export function proof(password: string, randomHex: string): string {
  const inner = md5(Buffer.from(password, 'utf16le'));
  const key = md5(Buffer.concat([inner, Buffer.from('WebAPI')]));
  return md5(key, Buffer.from(randomHex, 'hex')).toString('hex');
}
