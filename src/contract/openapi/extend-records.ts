import type { OpenApiDocument } from './document.ts';

type Field = { description?: string };
type Written = Record<string, unknown> & {
  properties?: Record<string, Field>;
  required?: readonly string[];
  allOf?: unknown[];
};
type Schemas = OpenApiDocument['components']['schemas'];

/** Fewer are shorter where they stand. */
const LEAST_FIELDS = 4;

/** Writes a record that has all fields of another, and more, as that one and what it adds. */
export function extendRecords(schemas: Schemas): void {
  const records = Object.entries(schemas as Record<string, Written>);
  const bases = records.map(([name, record]) => {
    const own = Object.keys(record.properties ?? {}).length;
    const [base] = records
      .filter(([, { properties = {} }]) => Object.keys(properties).length < own)
      .filter(([, other]) => isWithin(other, record))
      .sort(([, one], [, other]) => sizeOf(other) - sizeOf(one));
    return { name, record, base };
  });
  for (const { name, record, base } of bases) {
    if (base) schemas[name] = extension(record, base[0], structuredClone(base[1]));
  }
}

const sizeOf = ({ properties = {} }: Written): number => Object.keys(properties).length;

function isWithin(base: Written, record: Written): boolean {
  const fields = Object.entries(base.properties ?? {});
  return (
    fields.length >= LEAST_FIELDS &&
    fields.every(
      ([name, field]) =>
        typeOf(field) === typeOf(record.properties?.[name]) &&
        (base.required?.includes(name) ?? false) === (record.required?.includes(name) ?? false),
    )
  );
}

/** Words may differ: what clients send has more of them. */
const typeOf = ({ description: _, ...field }: Field = {}): string => JSON.stringify(field);

function extension(record: Written, name: string, base: Written): Written {
  const { type, properties = {}, required = [], ...words } = record;
  const inherited = new Set(Object.keys(base.properties ?? {}));
  const added = Object.entries(properties).filter(([field]) => !inherited.has(field));
  const needed = required.filter((field) => !inherited.has(field));
  const own = {
    type,
    ...(needed.length > 0 ? { required: needed } : {}),
    properties: Object.fromEntries(added),
  };
  return { ...words, allOf: [{ $ref: `#/components/schemas/${name}` }, own] };
}
