import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { answersOf, type Operation } from '../contract/operation.ts';
import type { Principal } from '../services/context.ts';
import { COMPRESSION } from './compression.ts';
import { checker } from './validation.ts';

type Part<S> = S extends TSchema ? Static<S> : undefined;

/** A validated request of an operation, in the operation's own types. */
export type Call<O extends Operation> = {
  principal: Principal;
  params: Part<O['params']>;
  query: Part<O['querystring']>;
  body: O extends { consumes: string[] } ? Buffer : Part<O['body']>;
  headers: FastifyRequest['headers'];
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Serves an operation. What the handler returns is the body; its status is the operation's first
 * one unless the handler set another on the reply.
 */
export function addRoute<const O extends Operation>(
  server: FastifyInstance,
  operation: O,
  handler: (call: Call<O>) => unknown,
): void {
  const [status] = Object.keys(operation.response).map(Number);
  const check = checker(operation);
  server.route({
    method: operation.method,
    url: operation.path,
    ...(operation.bodyLimitBytes ? { bodyLimit: operation.bodyLimitBytes } : {}),
    ...(operation.isLong ? { compress: COMPRESSION } : {}),
    config: { operation },
    helmet: false,
    schema: {
      operationId: operation.operationId,
      summary: operation.summary,
      tags: [operation.base],
      ...(operation.description ? { description: operation.description } : {}),
      ...(operation.params ? { params: operation.params } : {}),
      ...(operation.querystring ? { querystring: operation.querystring } : {}),
      ...(operation.headers ? { headers: operation.headers } : {}),
      ...bodyOf(operation),
      ...(operation.scope === 'public' ? {} : { security: [{ authToken: [] }] }),
      response: answersOf(operation),
    },
    handler: async (request, reply) => {
      check(request);
      reply.code(status ?? 200);
      const result = await handler(callOf<O>(request, reply));
      return reply.sent ? reply : (result ?? null);
    },
  });
}

const FILE = Type.String({ format: 'binary' });

/** The body as the reference shows it: its schema, or a file, for each media type. */
function bodyOf({ body, consumes }: Operation): { body?: object } {
  if (!consumes) return body ? { body } : {};
  return {
    body: {
      content: Object.fromEntries(consumes.map((type) => [type, { schema: body ?? FILE }])),
    },
  };
}

/** The one place where Fastify's untyped parts become the operation's: they are validated by now. */
function callOf<O extends Operation>(request: FastifyRequest, reply: FastifyReply): Call<O> {
  const { params, query, headers, principal } = request;
  const takesFiles = request.routeOptions.config.operation?.consumes !== undefined;
  // A request without a body and without a type is not parsed at all: its file is empty.
  const body = takesFiles ? (request.body ?? Buffer.alloc(0)) : request.body;
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
