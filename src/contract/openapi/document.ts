import type Type from 'typebox';
import type { TSchema } from 'typebox';
import { bodyLimitOf, LEAST_BYTES } from '../body-limit.ts';
import { type Example, readExamples } from '../examples.ts';
import type { BaseAddress, Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { answersOf, errorAnswers, HEADERS } from './answers.ts';
import { Components } from './components.ts';
import type { DescribedOperation, Json, OpenApiDocument } from './described-operation.ts';
import { shareParameters } from './share-parameters.ts';

export type ReferenceSettings = {
  version: string;
  /** The server's address for users; empty: where the document was read. */
  publicUrl: string;
  /** Base addresses of the specification that differ from the others. */
  addresses: Partial<Record<BaseAddress, string>>;
};

const TAGS: Record<BaseAddress, string> = {
  stats: 'Historical trades and statistics; deals and statements in',
  risk: 'Equity charts, trackers, events, webhooks; snapshots in',
  client: 'Margin, and the market data for it',
  manager: 'Accounts and symbols of platforms, under provisioning profiles',
  provisioning: 'Accounts, provisioning profiles, quotas',
  admin: 'For operators: users, tokens, quota requests, e-mail, audit',
  system: 'Health, and the token of the request',
};

/** Each has its own document, besides the full one. */
export const BASE_ADDRESSES = Object.keys(TAGS) as BaseAddress[];

const DESCRIPTION = `Trade statistics, equity charts, profit/drawdown trackers, margin, account provisioning and quotas for trading accounts.

Every operation needs a token in the header \`auth-token\`, except the health checks and the key of the evidence. Bodies are JSON, of at most 65536 bytes unless the reference says otherwise. Times of accounts are the broker's wall clock, \`YYYY-MM-DD HH:mm:ss.SSS\`; times of the server are ISO 8601, UTC. Money is a plain number in the account's currency, volume is in lots. Fields that are not defined are absent, never null. Unknown parameters and fields are refused; answers may gain fields.`;

/**
 * The OpenAPI 3.1 document of operations, made from their schemas: of all, or of those of one base
 * address.
 */
export function openApiDocument(
  { version, publicUrl, addresses }: ReferenceSettings,
  base?: BaseAddress,
): OpenApiDocument {
  const operations = OPERATIONS.filter((operation) => !base || operation.base === base);
  const components = new Components();
  const examples = readExamples();
  const responses = errorAnswers(operations, components);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    // Reads for old clients share the examples of the usual reads.
    const example = examples[operation.operationId.replace(/ByPost$/, '')] ?? {};
    methods[operation.method.toLowerCase()] = describe(operation, components, addresses, example);
    paths[path] = methods;
  }
  const parameters = shareParameters(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl || '/' }],
    security: [{ authToken: [] }],
    tags: BASE_ADDRESSES.filter((name) => !base || name === base).map((name) => ({
      name,
      description: TAGS[name],
    })),
    paths,
    components: {
      securitySchemes: {
        authToken: {
          type: 'apiKey',
          in: 'header',
          name: 'auth-token',
          description: 'An access token; operators create them',
        },
      },
      headers: usedHeaders({ paths, responses }),
      parameters,
      responses,
      schemas: components.schemas(),
    },
  };
}

function describe(
  operation: Operation,
  components: Components,
  addresses: ReferenceSettings['addresses'],
  example: Example,
): DescribedOperation {
  const { operationId, summary, base, scope, deprecated } = operation;
  const address = addresses[base];
  const parameters = parametersOf(operation, components, example);
  const body = bodyOf(operation, components, example.body);
  return {
    operationId,
    summary,
    description: describedNeeds(operation),
    tags: [base],
    ...(deprecated ? { deprecated } : {}),
    ...(scope === 'public' ? { security: [] } : {}),
    ...(address ? { servers: [{ url: address }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: answersOf(operation, components, example.answer),
  };
}

/** Only those referred to: not every base address has lists of pages. */
function usedHeaders(parts: object): Json {
  const text = JSON.stringify(parts);
  const isUsed = ([name]: [string, Json]) => text.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(HEADERS).filter(isUsed));
}

/** The scope follows the first paragraph; the others give details. */
function describedNeeds({ description, scope }: Operation): string {
  const [first = '', ...particulars] = description.split('\n\n');
  const needs = scope === 'public' ? 'Requires no token.' : `Requires the scope \`${scope}\`.`;
  return [`${first} ${needs}`, ...particulars].join('\n\n');
}

function parametersOf(
  { params, querystring, headers }: Operation,
  components: Components,
  example: Example,
): Json[] {
  const places = [
    ['path', params, example.params],
    ['query', querystring, example.query],
    ['header', headers, example.headers],
  ] as const;
  return places.flatMap(([place, schema, examples]) =>
    schema ? parametersIn(place, schema, examples ?? {}, components) : [],
  );
}

function parametersIn(
  place: string,
  { properties, required = [] }: { properties: Type.TProperties; required?: readonly string[] },
  examples: Readonly<Record<string, unknown>>,
  components: Components,
): Json[] {
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...written } = components.write(schema);
    const own = description ?? (schema as { description?: string }).description;
    return {
      name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      ...(own === undefined ? {} : { description: own }),
      schema: written,
      ...(name in examples ? { example: examples[name] } : {}),
    };
  });
}

const NDJSON = 'application/x-ndjson';

function bodyOf(operation: Operation, components: Components, example: unknown): Json | undefined {
  const { body, consumes, bodyIsOptional = false } = operation;
  if (!body && !consumes) return undefined;
  const isList = body !== undefined && (body as { type?: string }).type === 'array';
  const most = bodyLimitOf(operation);
  const types = consumes ?? (isList ? ['application/json', NDJSON] : ['application/json']);
  return {
    required: !bodyIsOptional,
    ...(most === LEAST_BYTES ? {} : { description: `At most ${most} bytes` }),
    content: Object.fromEntries(
      types.map((type) => [type, mediaOf(type, body, components, example)]),
    ),
  };
}

function mediaOf(
  type: string,
  body: TSchema | undefined,
  components: Components,
  example: unknown,
): Json {
  if (!body) return { schema: { type: 'string', format: 'binary' } };
  if (type !== NDJSON) {
    return { schema: components.write(body), ...(example === undefined ? {} : { example }) };
  }
  const rows = Array.isArray(example)
    ? example
        .slice(0, 2)
        .map((row) => JSON.stringify(row))
        .join('\n')
    : '';
  return {
    schema: { type: 'string', description: 'The rows of the JSON array, one per line' },
    ...(rows === '' ? {} : { example: rows }),
  };
}
