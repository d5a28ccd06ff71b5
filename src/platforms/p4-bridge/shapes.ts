import type { Static, TSchema } from 'typebox';

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/**
 * The value, where it has the shape of the schema. What compiles schemas is loaded for the first of them:
 * a server that knows no bridge starts without it.
 */
export async function shaped<S extends TSchema>(
  schema: S,
  value: unknown,
): Promise<Static<S> | undefined> {
  let validator = validators.get(schema);
  if (!validator) {
    const { Compile } = await import('typebox/compile');
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value) ? (value as Static<S>) : undefined;
}
