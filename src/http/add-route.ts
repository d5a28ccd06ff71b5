import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { bodyLimitOf } from '../contract/body-limit.ts';
import { type Check, compileCheck } from '../contract/check.ts';
import { type Fault, Faults } from '../contract/faults.ts';
import { type Operation, usualStatus } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Principal } from '../services/context.ts';
import { invalid, ServiceError } from '../services/errors.ts';
import { FORMATS } from '../services/formats.ts';
import type { Places } from '../services/places.ts';
import { readBody } from './bodies.ts';
import { compressionOf } from './compression.ts';
import { holdPlace, takeTurn } from './held-places.ts';
import { headCheck } from './validation.ts';

type Part<S> = S extends TSchema ? Static<S> : undefined;
type Body<O extends Operation> = O extends { bodyIsOptional: true }
  ? Part<O['body']> | undefined
  : Part<O['body']>;

/** A validated request, in the operation's own types. */
export type Call<O extends Operation> = {
  principal: Principal;
  params: Part<O['params']>;
  query: Part<O['querystring']>;
  body: O extends { consumes: string[] } ? Buffer : Body<O>;
  headers: FastifyRequest['headers'];
  request: FastifyRequest;
  reply: FastifyReply;
};

export type RouteOptions<O extends Operation> = {
  /** The places that each request takes before its body is read: see `holdPlace`. */
  places?: Places;
  /**
   * Faults that the verb would find in the valid fields of a body. Called only if other fields are
   * invalid, so that all faults are reported at once; otherwise the verb finds them.
   */
  moreFaults?: (
    call: Pick<Call<O>, 'principal' | 'params'> & { body: Partial<Part<O['body']>> },
  ) => readonly Fault[] | Promise<readonly Fault[]>;
};

/**
 * Serves an operation. The handler returns the body; the status is the operation's first one unless
 * the handler set another on the reply.
 */
export function addRoute<const O extends Operation>(
  server: FastifyInstance,
  operation: O,
  handler: (call: Call<O>) => unknown,
  options: RouteOptions<O> = {},
): void {
  if (!KNOWN.has(operation.operationId)) {
    throw new Error(`Invariant: ${operation.operationId} is not among the contract's operations`);
  }
  const status = usualStatus(operation);
  const { places } = options;
  const read = requestReader(operation, options);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const call = await read(request, reply);
    reply.code(status);
    const result = await handler(call);
    // A file that was cut is not `sent`.
    return reply.sent || reply.raw.headersSent ? undefined : (result ?? null);
  };
  server.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: bodyLimitOf(operation),
    ...compressionOf(operation),
    config: { operation },
    helmet: false,
    schema: { response: serialisedAnswers(operation) },
    ...sharing(server, operation, places),
    handler: (request, reply) => {
      const work = (): Promise<unknown> =>
        request.held?.during(() => answer(request, reply)) ?? answer(request, reply);
      return request.trace?.during(work) ?? work();
    },
  });
}

/**
 * Operations without a turn, and why: their cost does not depend on the user's data, or they share
 * it out themselves.
 */
export const UNSHARED: Record<string, string> = {
  readTracker: 'from memory, within a fraction of a millisecond',
  readCurrentToken: 'from memory',
  listRegions: 'from the settings',
  recordSnapshots: 'its waiting bytes and rows have shares of their own',
  streamDrawdownEvents: 'waiting polls have places of their own',
  streamTrackerEvents: 'waiting polls have places of their own',
};

/** Taken by a request before its body is read: a place, a turn, or nothing. */
function sharing(
  server: FastifyInstance,
  operation: Operation,
  places: Places | undefined,
): Pick<RouteShorthandOptions, 'onRequest'> {
  if (places) {
    return {
      onRequest: (request, reply, done) => {
        holdPlace(request, reply, places.take(request.principal));
        done();
      },
    };
  }
  if (operation.scope === 'public') return {};
  if (operation.operationId in UNSHARED)
    return operation.method === 'GET' ? { onRequest: unlessLeft } : {};
  const turns = operation.longAnswer === undefined ? server.turns.usual : server.turns.long;
  return { onRequest: (request, reply, done) => takeTurn(turns, request, reply, done) };
}

/** A reading that nobody waits for any more is not begun: hundreds may have come in one packet. */
const unlessLeft = (request: FastifyRequest, _: FastifyReply, done: () => void): void => {
  if (!request.raw.socket.destroyed) done();
};

/** Ids of the operations in the reference. */
const KNOWN = new Set(OPERATIONS.map(({ operationId }) => operationId));

/**
 * Answers with a body are serialised by their schemas; an empty one is null to Fastify. A union of
 * records is written as plain JSON: finding each one's schema costs more than it saves.
 */
function serialisedAnswers({ response, streams, file }: Operation): Record<number, TSchema> {
  if (streams || file) return {};
  const entries = Object.entries(response)
    .filter(([, schema]) => !hasChoice(schema))
    .map(([status, schema]) => [status, schema ?? { type: 'null' }]);
  return Object.fromEntries(entries);
}

/** Whether it contains a union of records. */
function hasChoice(schema: TSchema | null): boolean {
  const {
    anyOf = [],
    items,
    properties = {},
  } = (schema ?? {}) as {
    anyOf?: { type?: string }[];
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  if (anyOf.some(({ type }) => type === 'object')) return true;
  return [...(items ? [items] : []), ...Object.values(properties)].some(hasChoice);
}

/** Reads a request. Throws `validation` naming every fault of its head and body. */
function requestReader<O extends Operation>(
  operation: O,
  { moreFaults }: RouteOptions<O>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Call<O>> {
  const checkHead = headCheck(operation, FORMATS);
  const check =
    operation.body && !operation.consumes ? compileCheck(operation.body, FORMATS) : undefined;
  return async (request, reply) => {
    const faults = new Faults();
    checkHead(request, faults);
    const isHeadGood = faults.isEmpty;
    const body = check ? await readBody(request, operation, check, faults) : request.body;
    const call = callOf<O>(request, reply, body);
    if (faults.isEmpty) return call;
    if (moreFaults && check && isHeadGood) {
      const good = goodFields(check, body, faults) as Partial<Part<O['body']>>;
      const more = await askedFor(moreFaults({ ...call, body: good }));
      for (const { parameter, message } of more) {
        if (!faults.touches(parameter)) faults.add(parameter, message);
      }
    }
    throw invalid(faults.list);
  };
}

/** None if the verb would refuse the whole request: those faults come first. */
async function askedFor(
  faults: readonly Fault[] | Promise<readonly Fault[]>,
): Promise<readonly Fault[]> {
  try {
    return await faults;
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/** The valid fields of a record. */
function goodFields({ properties }: Check, body: unknown, faults: Faults): object {
  if (!properties || typeof body !== 'object' || body === null) return {};
  const isGood = ([name]: [string, unknown]): boolean =>
    properties.has(name) && !faults.touches(name);
  return Object.fromEntries(Object.entries(body).filter(isGood));
}

/** The one place where Fastify's untyped parts become the operation's types: they were checked. */
function callOf<O extends Operation>(
  request: FastifyRequest,
  reply: FastifyReply,
  checked: unknown,
): Call<O> {
  const { params, query, headers, principal } = request;
  const takesFiles = request.routeOptions.config.operation?.consumes !== undefined;
  // A request without a body and without a type is not parsed: its file is empty.
  const body = takesFiles ? (checked ?? Buffer.alloc(0)) : checked;
  return { principal, params, query, body, headers, request, reply } as Call<O>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    principal: Principal;
  }
}
