import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastJson from 'fast-json-stringify';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Registry } from 'prom-client';
import { METHODS } from '../contract/operation.ts';
import { invalidParameter, unavailable } from '../services/errors.ts';
import type { Compatibility } from '../words/service.ts';
import { type Authenticate, registerAuthentication } from './authentication.ts';
import { registerBodies, registerBodyPlaces } from './bodies.ts';
import { registerCompression } from './compression.ts';
import { answerClientError, answerFailure, registerErrors } from './errors.ts';
import { registerPlaces } from './held-places.ts';
import { hostedRewriter, IGNORED_HEADER, registerHosted } from './hosted/register-hosted.ts';
import { COMPATIBILITY_HEADER } from './hosted/wishes.ts';
import { registerMetrics } from './metrics.ts';
import { boundPipelined } from './pipelined.ts';
import { limitRefusals, limitTokens, type RateSettings } from './rate-limits.ts';
import { type BeginTrace, registerTraces } from './traces.ts';

const MAX_PATH_PARAMETER = 512;
/** A request's head must arrive within this time; its body may take longer (statements). */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How often these times are checked. */
const TIMEOUTS_CHECKED_EVERY_MS = 5000;
/** By then another process, or this one restarted, can probably serve. */
const RETRY_AFTER_STOP_SECONDS = 5;
const PREFLIGHT_MAX_AGE_SECONDS = 600;

export type ServerOptions = RateSettings & {
  logger: FastifyBaseLogger;
  authenticate: Authenticate;
  metrics: Registry;
  /** Addresses and networks whose x-forwarded-for is trusted. */
  trustedProxies: readonly string[];
  /** Origins whose pages may call operations. Empty: only pages of the server's own origin. */
  corsOrigins: readonly string[];
  newId: () => string;
  /** Whose names requests have that don't say it. */
  compatibility: Compatibility;
  /** The collector of traces. */
  beginTrace?: BeginTrace | undefined;
  routes: (server: FastifyInstance) => void;
};

/** The HTTP server with everything that operations share; `routes` adds the operations. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { trustedProxies } = options;
  const server: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      // Checked below: Node's own refusal is no error record.
      requireHostHeader: false,
    },
    genReqId: options.newId,
    rewriteUrl: hostedRewriter(options.compatibility),
    // A child logger per request costs more than a small answer: lines name the request instead.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // Answered below, as the error record.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors: answerFailure,
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER, ignoreTrailingSlash: true },
  });
  boundPipelined(server.server);
  // An unknown expectation is ignored: the request is answered as usual.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.setSerializerCompiler(serialiserOf);
  registerErrors(server);
  registerBodies(server);
  registerTraces(server, options.beginTrace);
  registerMetrics(server, options.metrics);
  registerPlaces(server, options.metrics);
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  // Callbacks, not promises: these run for every request.
  server.addHook('onRequest', (request, reply, done) => {
    if (closing) return done(unavailable('The server is stopping', RETRY_AFTER_STOP_SECONDS));
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return done(invalidParameter('host', 'is required'));
    if (request.routeOptions.config.operation) reply.headers(OPERATION_HEADERS);
    done();
  });
  // Otherwise a connection that was busy when closing began would stay open.
  const lastHeaders = ({ id }: FastifyRequest): Record<string, string> =>
    closing ? { 'x-request-id': id, connection: 'close' } : { 'x-request-id': id };
  server.decorate('lastHeaders', lastHeaders);
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(lastHeaders(request));
    done();
  });
  await registerCompression(server);
  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: PAGE_CONTENT_SECURITY_POLICY },
  });
  if (options.corsOrigins.length > 0) await allowOrigins(server, options.corsOrigins);
  // Requests of clients that have left, which have no address any more, are not begun.
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.raw.socket.destroyed) done();
  });
  limitRefusals(server, options);
  registerAuthentication(server, options.authenticate);
  limitTokens(server, options);
  registerBodyPlaces(server);
  registerHosted(server, options.compatibility);
  options.routes(server);
  return server;
}

/** Compiled when an answer first needs it: all at once would be a tenth of the start. */
function serialiserOf({ schema }: { schema: object }): (answer: unknown) => string {
  let serialise: ((answer: unknown) => string) | undefined;
  return (answer) => {
    serialise ??= fastJson(schema);
    return serialise(answer);
  };
}

/**
 * For answers of operations, which are not to be shown, run or framed. Set without helmet, which
 * makes a dozen headers for each answer.
 */
const OPERATION_HEADERS = {
  // Answers show private money, and some a password: no cache on the way may keep them.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** For pages: no outside hosts, no inline script. */
const PAGE_CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** Tokens travel in a header, never in cookies: allowing an origin alone grants no access. */
async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: [...origins],
    methods: [...METHODS],
    allowedHeaders: [
      'auth-token',
      'content-type',
      'api-version',
      'idempotency-key',
      'last-event-id',
      COMPATIBILITY_HEADER,
    ],
    exposedHeaders: ['link', 'retry-after', 'total-count', 'x-request-id', IGNORED_HEADER],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    strictPreflight: false,
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every answer, for answers written by hand. */
    lastHeaders(request: FastifyRequest): Record<string, string>;
  }
}
