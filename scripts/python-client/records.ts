import type { Json } from '../../src/contract/openapi/described-operation.ts';

/** Words that are no names in Python. */
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with
  yield`.split(/\s+/),
);

/** The name of a component that is referred to. */
export const nameOf = (schema: Json): string | undefined => String(schema.$ref ?? '').split('/')[3];

/** `accountId` → `account_id`, `from` → `from_`. */
export function argumentOf(name: string): string {
  const snake = name
    .replaceAll('-', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/** The type of a schema's values, as an annotation. */
export function annotation(schema: Json): string {
  const { type, anyOf, enum: words, items, additionalProperties: others } = schema;
  if (schema.$ref) return String(nameOf(schema));
  if (anyOf) return (anyOf as Json[]).map(annotation).join(' | ');
  if (words) return `Literal[${(words as string[]).map(literal).join(', ')}]`;
  if (type === 'array') return `list[${annotation(items as Json)}]`;
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'boolean') return 'bool';
  if (type === 'string') return schema.format === 'binary' ? 'bytes' : 'str';
  if (type === 'object')
    return `dict[str, ${typeof others === 'object' && others ? annotation(others as Json) : 'Any'}]`;
  return 'Any';
}

/** A string of Python; JSON's is one. */
export const literal = (text: string): string => JSON.stringify(text);

/** A documentation of one line, in its own line. */
export const docOf = (text: unknown, indent: string): string =>
  typeof text === 'string' && text !== '' ? `${indent}${literal(text)}\n` : '';

/** A record as a TypedDict, any other schema as the name of its type. */
export function recordOf(name: string, schema: Json): string {
  const { properties, description } = schema as { properties?: Record<string, Json> } & Json;
  if (!properties) return `${name}: TypeAlias = "${annotation(schema).replaceAll('"', "'")}"\n`;
  const required = new Set(schema.required as string[] | undefined);
  const typed = Object.entries(properties).map(([field, value]) => {
    const type = annotation(value);
    return { field, value, type: required.has(field) ? type : `NotRequired[${type}]` };
  });
  // A field that is a word of the language can be named in a dictionary alone.
  if (typed.some(({ field }) => KEYWORDS.has(field))) {
    const fields = typed.map(({ field, type }) => `    ${literal(field)}: ${quoted(type)},\n`);
    return `${name} = TypedDict("${name}", {\n${fields.join('')}})\n`;
  }
  const fields = typed.map(
    ({ field, value, type }) => `    ${field}: ${type}\n${docOf(value.description, '    ')}`,
  );
  return `class ${name}(TypedDict):\n${docOf(description, '    ')}${fields.join('') || '    pass\n'}`;
}

const quoted = (type: string): string => `"${type.replaceAll('"', "'")}"`;
