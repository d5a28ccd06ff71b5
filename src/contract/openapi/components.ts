import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;
type Written = { $id?: string; properties?: { kind?: { enum?: readonly string[] } } };

/** Keywords for checks and for the names of components only. */
const PRIVATE = new Set(['$id', 'expected', 'isAscii', 'maxBytes']);

/**
 * The records of the reference by their names. A schema with an `$id` is written once, and named
 * wherever it is used.
 */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The schema as written at a place that uses it. */
  write(schema: TSchema): Json {
    const { $id } = schema as { $id?: string };
    if ($id === undefined) return this.#plain(schema as Json);
    const written = this.#plain(schema as Json);
    const known = this.#schemas.get($id);
    if (known && JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`Invariant: two different records are called ${$id}`);
    }
    this.#schemas.set($id, written);
    return { $ref: `#/components/schemas/${$id}` };
  }

  /** All written records, in the order of their names. */
  schemas(): Record<string, Json> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #plain(schema: Json): Json {
    const written: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!PRIVATE.has(keyword)) written[keyword] = this.#writeKeyword(keyword, value);
    }
    const kinds = kindsOf((schema.anyOf ?? []) as readonly Written[]);
    if (kinds) written.discriminator = { propertyName: 'kind', mapping: kinds };
    return written;
  }

  #writeKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') {
      const fields = Object.entries(value as Record<string, TSchema>);
      return Object.fromEntries(fields.map(([name, schema]) => [name, this.write(schema)]));
    }
    if (keyword === 'pattern') return portable(String(value));
    if (keyword === 'items' || keyword === 'contentSchema') return this.write(value as TSchema);
    if (keyword === 'anyOf') return (value as TSchema[]).map((schema) => this.write(schema));
    return value;
  }
}

/** The record for each word of `kind`; generators need it to distinguish the records of a union. */
function kindsOf(records: readonly Written[]): Record<string, string> | undefined {
  const kinds = records.flatMap(({ $id, properties }) =>
    (properties?.kind?.enum ?? []).map((kind) => [kind, `#/components/schemas/${$id}`] as const),
  );
  return kinds.length < records.length || kinds.length === 0
    ? undefined
    : Object.fromEntries(kinds);
}

/** Control characters by their codes: Python's patterns have no Unicode categories. */
const portable = (pattern: string): string =>
  pattern.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f');
