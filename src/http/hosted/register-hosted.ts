import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Fields } from '../../contract/hosted-names.ts';
import { invalidParameter, ServiceError } from '../../services/errors.ts';
import type { Compatibility } from '../../words/service.ts';
import { HOSTED_ROOT, hostedAddress, splitAddress } from './hosted-address.ts';
import type { HostedAnswer, HostedRow, PlainRequest } from './hosted-row.ts';
import { HOSTED_ROWS } from './hosted-rows.ts';
import { COMPATIBILITY_HEADER, isHosted } from './wishes.ts';

/** Names the fields of a request that were not read. */
export const IGNORED_HEADER = 'plimsoll-ignored';

const BODY_BYTES = 65_536;
/** Asks for Plimsoll's own names, as `none`, and to ignore what a query has besides. */
const OF_ROW = 'none-of-row';
/** What an operation sees of the request that it is asked by. */
const PASSED_ON = ['auth-token', 'api-version', 'idempotency-key'];
/** What a client sees of the operation's answer, besides its body. */
const PASSED_BACK = ['retry-after', 'link', 'total-count', IGNORED_HEADER];

type Raw = FastifyRequest['raw'];

/** The address that a request means. */
export function hostedRewriter(setting: Compatibility): (raw: Raw) => string {
  const address = hostedAddress(HOSTED_ROWS);
  return (raw) => (isHosted(raw, setting) ? address(raw) : (raw.url ?? '/'));
}

/**
 * Serves the rows, each by the operations of the contract, and ignores what those don't know in
 * requests for the hosted product. Nothing else knows of it.
 */
export function registerHosted(server: FastifyInstance, setting: Compatibility): void {
  for (const row of HOSTED_ROWS) {
    server.route({
      method: row.method,
      url: `${HOSTED_ROOT}${row.path}`,
      bodyLimit: BODY_BYTES,
      // The operations that it asks know who may do what.
      config: { open: true },
      handler: async (request, reply) => {
        if (isHosted(request, setting)) return answerRow(server, row, request, reply);
        throw new ServiceError('notFound', 'There is nothing here');
      },
    });
  }
  server.addHook('preHandler', (request, reply, done) => {
    const isOfRow = request.headers[COMPATIBILITY_HEADER] === OF_ROW;
    if (isOfRow || isHosted(request, setting)) ignoreUnknown(request, reply);
    done();
  });
}

async function answerRow(
  server: FastifyInstance,
  row: HostedRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const body = Buffer.isBuffer(request.body) ? recordIn(request.body) : {};
  if (!body) throw invalidParameter('body', 'must be JSON');
  const { takes } = row;
  tellIgnored(reply, takes ? Object.keys(body).filter((name) => !takes.includes(name)) : []);
  const answer = await row.answer({
    params: encoded(request.params as Record<string, string>),
    query: splitAddress(request.url)[1],
    body,
    host: request.host,
    requestId: request.id,
    ask: (asked) => ask(server, request, asked),
  });
  reply.code(answer.status).headers(answer.headers ?? {});
  return answer.body ?? null;
}

/** Asks an operation as its client would, without the way through a socket. */
async function ask(
  server: FastifyInstance,
  { headers, ip }: FastifyRequest,
  { method, path, query = '', body, headers: own = {} }: PlainRequest,
): Promise<HostedAnswer> {
  const content = { 'content-type': 'application/json' };
  const answer = await server.inject({
    method,
    url: query === '' ? path : `${path}?${query}`,
    remoteAddress: ip,
    headers: {
      ...{ ...own, ...picked(headers, PASSED_ON), ...(body === undefined ? {} : content) },
      ...{ host: 'localhost', [COMPATIBILITY_HEADER]: OF_ROW },
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const text = answer.payload;
  return {
    status: answer.statusCode,
    ...(text === '' ? {} : { body: JSON.parse(text) as unknown }),
    headers: picked(answer.headers, PASSED_BACK),
  };
}

/** Those of some headers that there are. */
const picked = (
  headers: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

/** Ids may have slashes, percent signs and spaces. */
const encoded = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]),
  );

/** What is no record has no fields: its operation says what is missing. Undefined: not JSON. */
function recordIn(body: Buffer): Fields | undefined {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return undefined;
  }
}

function ignoreUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const { operation } = request.routeOptions.config;
  if (!operation) return;
  const ignored: string[] = [];
  const query = request.query as Fields;
  for (const name of unknownIn(query, operation.querystring)) {
    delete query[name];
    ignored.push(name);
  }
  const { body } = request;
  const isOfRecord = operation.body && 'properties' in operation.body && !operation.consumes;
  if (isOfRecord && Buffer.isBuffer(body) && body.length <= BODY_BYTES) {
    // What can't be read is the operation's to refuse.
    const known = recordIn(body) ?? {};
    const unknown = unknownIn(known, operation.body);
    for (const name of unknown) delete known[name];
    if (unknown.length > 0) request.body = Buffer.from(JSON.stringify(known));
    ignored.push(...unknown);
  }
  tellIgnored(reply, ignored);
}

const unknownIn = (given: Fields, schema: TSchema | undefined): string[] => {
  const known = (schema as { properties?: object } | undefined)?.properties ?? {};
  return Object.keys(given).filter((name) => !Object.hasOwn(known, name));
};

/** Names that can't stand in a header are not shown. */
function tellIgnored(reply: FastifyReply, names: readonly string[]): void {
  const shown = names.filter((name) => /^[\w.-]{1,64}$/.test(name)).slice(0, 50);
  if (shown.length > 0) reply.header(IGNORED_HEADER, shown.join(', '));
}
