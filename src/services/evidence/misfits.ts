import type { TSchema } from 'typebox';
import type { Keywords } from '../../contract/check.ts';

/**
 * What of a value has not the shape of a schema, with the path of the field. An unknown field is a
 * misfit, too: a reader would be shown it all the same. Bounds are not looked at.
 */
export function misfits(value: unknown, schema: TSchema, at = ''): string[] {
  const { anyOf, enum: words, type, items, ...record } = schema as Keywords;
  if (anyOf) {
    const each = anyOf.map((one) => misfits(value, one, at));
    return each.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (words) return words.includes(value) ? [] : [`${at} is another word`];
  switch (type) {
    case 'object':
      return isRecord(value) ? recordMisfits(value, record, at) : [`${at} is no object`];
    case 'array':
      return Array.isArray(value) && items
        ? value.flatMap((item, index) => misfits(item, items, `${at}[${index}]`))
        : [`${at} is no list`];
    case 'integer':
      return Number.isSafeInteger(value) ? [] : [`${at} is no integer`];
    default:
      return typeof value === type ? [] : [`${at} is no ${type}`];
  }
}

function recordMisfits(
  value: Record<string, unknown>,
  { properties = {}, required = [] }: Keywords,
  at: string,
): string[] {
  const pathOf = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? misfits(field, known, pathOf(name)) : [`${pathOf(name)} is unknown`];
  });
  return [...missing.map((name) => `${pathOf(name)} is missing`), ...fields];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
