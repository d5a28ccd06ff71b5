import { PlatformError } from '../gateway.ts';

/** One object of an answer. The server quotes every scalar, so numbers are text, too. */
export type P5Record = { readonly [key: string]: unknown };

export const isRecord = (value: unknown): value is P5Record =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The scalar under a key as text; '' when it is absent. */
export function textOf(record: P5Record, key: string): string {
  const value = record[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The scalar under a key as a finite number; undefined when it is absent or something else. */
export function optionalNumberOf(record: P5Record, key: string): number | undefined {
  const text = textOf(record, key).trim();
  if (text === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export const numberOf = (record: P5Record, key: string): number =>
  optionalNumberOf(record, key) ?? 0;

/**
 * A required number: a missing amount is not 0, or an account would seem to have lost everything.
 * Throws PlatformError.
 */
export function requiredNumberOf(record: P5Record, key: string): number {
  const value = optionalNumberOf(record, key);
  if (value === undefined)
    throw new PlatformError('unavailable', `The trading server sent a record without ${key}`);
  return value;
}

/** A number that older servers leave out: 0 then. Throws PlatformError if it is no number. */
export const numberOrNoneOf = (record: P5Record, key: string): number =>
  textOf(record, key) === '' ? 0 : requiredNumberOf(record, key);

/** Rows of an answer; if there is only one, a server may send a single object. */
export function rowsOf(answer: unknown): P5Record[] {
  if (Array.isArray(answer)) return answer.filter(isRecord);
  return isRecord(answer) ? [answer] : [];
}

/** The word for a number of the platform; an unknown one stays a number. */
export const wordOf = (words: readonly string[], prefix: string, number: number): string =>
  `${prefix}_${words[number] ?? number}`;
