import { type Html, html } from './html.ts';

/** The part of a document's schema that the page shows. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  description?: string;
  default?: unknown;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};

/** The type of a value: a record's name links to it. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, items, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#record-${name}">${name}</a>`;
  }
  if (items) return html`list of ${typeOf(items)}`;
  if (anyOf) return html`${anyOf.map((one, index) => [index > 0 && ' or ', typeOf(one)])}`;
  if (schema.enum) {
    return html`${schema.enum.map((word, index) => [index > 0 && ' | ', html`<code>${String(word)}</code>`])}`;
  }
  return html`${type === 'string' ? (schema.format ?? 'text') : (type ?? 'anything')}`;
}

/** `1 – 1000`, `at most 200 characters`, `default 1000`. */
export function boundsOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems } = schema;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const bounds = [
    minimum !== undefined && most !== undefined && `${minimum} – ${most}`,
    minimum !== undefined && most === undefined && `${minimum} or more`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    minimum === undefined && most !== undefined && `at most ${most}`,
    maxLength !== undefined && schema.format === undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
    schema.default !== undefined && `default ${String(schema.default)}`,
  ];
  return bounds.filter((bound) => bound !== false).join(', ');
}

type Row = { name: string; isRequired: boolean; schema: Schema; description?: string | undefined };

export const rowsTable = (rows: readonly Row[]): Html => html`<table>
<tbody>${rows.map(
  ({ name, isRequired, schema, description }) => html`<tr>
<th scope="row"><code>${name}</code>${!isRequired && html` <small>optional</small>`}</th>
<td>${typeOf(schema)} <small>${boundsOf(schema)}</small></td>
<td>${description ?? schema.description}</td>
</tr>`,
)}</tbody>
</table>`;

/** A record with its fields, or a set of words. */
export function recordSection(name: string, schema: Schema): Html {
  const rows = Object.entries(schema.properties ?? {}).map(([field, of]) => ({
    name: field,
    isRequired: schema.required?.includes(field) ?? false,
    schema: of,
  }));
  return html`<section id="record-${name}">
<h3>${name}</h3>
${schema.description !== undefined && html`<p>${schema.description}</p>`}
${rows.length > 0 ? rowsTable(rows) : html`<p>${typeOf({ ...schema, properties: {} })}</p>`}
</section>`;
}
