import type { OpenApiDocument } from './document.ts';
import { recordOf, recordsIn } from './records-in.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  examples?: unknown[];
};
type Schemas = Readonly<Record<string, Schema>>;

/** Digits that tell what a number looks like. */
const DIGITS = 7;

/**
 * Of answers, examples show what is always there, and one row of a list without lists of its own.
 */
export function shortenExamples({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.map(({ requestBody }) => requestBody);
  const sent = recordsIn(bodies, components.schemas);
  const schemas: Schemas = components.schemas;
  for (const [name, schema] of Object.entries(schemas)) {
    if (sent.has(name)) continue;
    schema.examples &&= schema.examples.map((example) => shorter(example, schema, schemas));
  }
}

function shorter(
  value: unknown,
  schema: Schema | undefined,
  schemas: Schemas,
  inRow = false,
): unknown {
  const record = recordOf(schema?.$ref);
  if (record !== undefined) return shorter(value, schemas[record], schemas, inRow);
  if (typeof value === 'number' && !Number.isInteger(value)) {
    return Number(value.toPrecision(DIGITS));
  }
  if (Array.isArray(value)) {
    const rows = inRow ? [] : value.slice(0, 1);
    return rows.map((row) => shorter(row, schema?.items, schemas, true));
  }
  const { properties, required = [] } = schema ?? {};
  if (!properties) return value;
  const fields = Object.entries(value as object).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    fields.map(([name, part]) => [name, shorter(part, properties[name], schemas, inRow)]),
  );
}
