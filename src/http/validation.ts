import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { isBrokerTime } from '../services/broker-times.ts';
import { type Fault, invalid } from '../services/errors.ts';

const MAX_FAULTS = 100;
const PARTS = ['params', 'query', 'headers', 'body'] as const;
type Part = (typeof PARTS)[number];

const options = {
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  unicodeRegExp: true,
};
/** Texts of paths, queries and headers become the numbers and booleans that the schema wants. */
const forTexts = new Ajv({ ...options, coerceTypes: true });
/** Values of bodies must have their type already. */
const forBodies = new Ajv({ ...options, coerceTypes: false });
for (const ajv of [forTexts, forBodies]) ajv.addFormat('broker-time', isBrokerTime);

/** Fastify keeps the schemas for the reference; the check itself is `checker`, over all parts at once. */
export function registerValidation(server: FastifyInstance): void {
  server.setValidatorCompiler(() => () => true);
}

/** A check of a request against an operation that throws `validation` naming every fault of every part. */
export function checker(operation: Operation): (request: FastifyRequest) => void {
  const schemas = {
    params: operation.params,
    query: operation.querystring,
    headers: operation.headers,
    body: operation.consumes ? undefined : operation.body,
  };
  const validators = PARTS.flatMap((part): [Part, ValidateFunction][] => {
    const schema = schemas[part];
    return schema ? [[part, (part === 'body' ? forBodies : forTexts).compile(schema)]] : [];
  });
  return (request) => {
    const faults = new Map<string, Fault>();
    for (const [part, validate] of validators) {
      if (validate(request[part])) continue;
      for (const error of validate.errors ?? []) collect(faults, error, part);
    }
    if (faults.size > 0) throw invalid([...faults.values()]);
  };
}

/** Ajv's findings in the words of the wire: `leverage`, `[3].volume`, `brokerClock.zone`. */
function collect(faults: Map<string, Fault>, error: ErrorObject, part: Part): void {
  const { instancePath, keyword, params } = error;
  if (keyword === 'anyOf' || faults.size >= MAX_FAULTS) return;
  const missing = keyword === 'required' ? String(params.missingProperty) : undefined;
  const unknown =
    keyword === 'additionalProperties' ? String(params.additionalProperty) : undefined;
  const parameter = nameOf(instancePath, missing ?? unknown) || part;
  const message = missing ? 'is required' : unknown ? 'is not known' : describe(error);
  faults.set(`${parameter} ${message}`, { parameter, message });
}

function nameOf(instancePath: string, property: string | undefined): string {
  const steps = instancePath.split('/').slice(1);
  if (property !== undefined) steps.push(property);
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function describe(error: ErrorObject): string {
  const { keyword, params, parentSchema, message = 'is not valid' } = error;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`;
  if (params.format === 'broker-time') {
    return 'must be a date and time that exist, written YYYY-MM-DD HH:mm:ss.SSS';
  }
  // A pattern tells programs; its description tells people.
  if (keyword === 'pattern' && parentSchema?.description) {
    return `is not of the form that is wanted: ${parentSchema.description}`;
  }
  return message;
}
