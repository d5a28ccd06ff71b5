import { createHash } from 'node:crypto';

/** Values that differ from run to run, anywhere in a text. */
const PASSING = new RegExp(
  [
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '(?:plm[a-z]?|whsec)_[\\w+/=-]+',
    // Trees, then digests, keys and signatures.
    'plimsoll/[0-9a-f]{32}',
    '[0-9a-f]{32,}',
    '[A-Za-z0-9+/]{40,}={0,2}',
    '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z',
  ].join('|'),
  'g',
);
/** Numbers that do, or from day to day, where one was recorded. */
const PASSING_NUMBERS = new Set([
  ...['ageSeconds', 'clockOffsetSeconds', 'storedBytes', 'bytes'],
  ...['daysSinceTradingStarted', 'tradesPerDay'],
]);
const TIME = /^\d{4}-.*Z$/;

/**
 * Gives what differs from run to run the values that were recorded before, so that a recording
 * changes only where an answer does; and requests that name recorded ids the ids of this run.
 */
export class StableValues {
  /** From the values of this run to the recorded ones. */
  readonly #stable = new Map<string, string>();
  /** Times of the server since then are of this run; those before belong to the story. */
  readonly #startMs = Date.now();

  /** Says that this run calls something by another name than the recorded one. */
  name(recorded: string, real: string): void {
    this.#stable.set(real, recorded);
  }

  /** A recorded request as this run sends it. */
  real<T>(request: T): T {
    let text = JSON.stringify(request);
    for (const [real, recorded] of this.#stable) text = text.replaceAll(recorded, real);
    return JSON.parse(text) as T;
  }

  /** An answer of this run as it is recorded; values that are new follow from their place. */
  stable(answer: unknown, recorded: unknown, place: string): unknown {
    if (typeof answer === 'string') return this.#text(answer, recorded, place);
    if (Array.isArray(answer)) {
      const rows = Array.isArray(recorded) ? recorded : [];
      return answer.map((row, index) => this.stable(row, rows[index], `${place}/${index}`));
    }
    if (!isRecord(answer)) return answer;
    const fields = isRecord(recorded) ? recorded : {};
    return Object.fromEntries(
      Object.entries(answer).map(([name, value]) => {
        const isPassing = PASSING_NUMBERS.has(name) && fields[name] !== undefined;
        const stable = this.stable(value, fields[name], `${place}/${name}`);
        return [name, isPassing ? fields[name] : stable];
      }),
    );
  }

  #text(text: string, recorded: unknown, place: string): string {
    const before = typeof recorded === 'string' ? (recorded.match(PASSING) ?? []) : [];
    let count = 0;
    return text.replaceAll(PASSING, (value) => {
      const was = before[count];
      count += 1;
      if (TIME.test(value)) return this.#time(value, was);
      const kept = was !== undefined && isAlike(was, value) ? was : made(value, place + count);
      const stable = this.#stable.get(value) ?? kept;
      this.#stable.set(value, stable);
      return stable;
    });
  }

  #time(time: string, recorded: string | undefined): string {
    if (Date.parse(time) < this.#startMs - SLACK_MS) return time;
    return recorded !== undefined && TIME.test(recorded) ? recorded : '2026-03-02T12:00:00.000Z';
  }
}

/** A server that was started before the clock was read here. */
const SLACK_MS = 60_000;

type Fields = Record<string, unknown>;
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const prefixOf = (value: string): string =>
  /^(?:(?:plm[a-z]?|whsec)_|plimsoll\/)/.exec(value)?.[0] ?? '';
const isHex = (value: string): boolean => /^[0-9a-f-]+$/.test(value);
const isAlike = (one: string, other: string): boolean =>
  one.length === other.length && prefixOf(one) === prefixOf(other) && isHex(one) === isHex(other);

/** A value that looks the same, and is the same in every run. */
function made(value: string, seed: string): string {
  const prefix = prefixOf(value);
  const isHexNumber = isHex(value.slice(prefix.length));
  const encoding = isHexNumber ? 'hex' : 'base64url';
  const letters = [...createHash('sha512').update(seed).digest(encoding)];
  const drawn = isHexNumber ? /\w/g : /[\w+/-]/g;
  return prefix + value.slice(prefix.length).replaceAll(drawn, () => letters.shift() ?? 'A');
}
