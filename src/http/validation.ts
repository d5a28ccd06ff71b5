import { Ajv, type ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';

/**
 * Schemas are checked by Ajv with all faults collected. Texts of paths, queries and headers become
 * the numbers and booleans that the schema wants; values of bodies must have their type already.
 */
export function registerValidation(server: FastifyInstance): void {
  const options = { allErrors: true, useDefaults: true, strict: false, unicodeRegExp: true };
  const forTexts = new Ajv({ ...options, coerceTypes: true });
  const forBodies = new Ajv({ ...options, coerceTypes: false });
  server.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = (httpPart === 'body' ? forBodies : forTexts).compile(schema as object);
    return (data: unknown) => {
      if (validate(data)) return { value: data };
      const errors: ErrorObject[] = (validate.errors ?? []).filter(
        (error) => error.keyword !== 'if' && error.keyword !== 'anyOf',
      );
      return { error: Object.assign(new Error('validation'), { validation: errors }) };
    };
  });
}
