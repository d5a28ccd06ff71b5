import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { within } from '../../domain/timekeeper.ts';
import type { RequestTrace } from '../../http/traces.ts';
import { systemTime } from '../system-time.ts';
import { VERSION } from '../version.ts';

/** Spans that wait for the collector; later ones are dropped while it is away. */
const MAX_WAITING_SPANS = 2048;
const EXPORT_EVERY_MS = 1000;
const EXPORT_WITHIN_MS = 5000;
/** A missing collector does not delay a stop. */
const STOP_WITHIN_MS = 2000;
const MAX_ATTRIBUTE_LENGTH = 2000;
const TELL_EVERY_MS = 60_000;

/**
 * Traces requests by OpenTelemetry. Attributes have the names of its semantic conventions. They
 * contain neither values of statements nor tokens, bodies or addresses with their parameters.
 */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #current = new AsyncLocalStorage<Span>();

  /** `collector` takes OTLP over HTTP; `share` of the requests is traced, from 0 to 1. */
  constructor(parts: { collector: string; service: string; share: number; logger: Logger }) {
    const { collector, service, share, logger } = parts;
    tellOfFailures(logger);
    const exporter = new OTLPTraceExporter({
      url: `${collector.replace(/\/$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_WITHIN_MS,
    });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': VERSION }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: MAX_WAITING_SPANS,
          scheduledDelayMillis: EXPORT_EVERY_MS,
          exportTimeoutMillis: EXPORT_WITHIN_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('plimsoll', VERSION);
  }

  /** A trace begun by the caller, by `traceparent`, continues here. */
  readonly begin = (request: FastifyRequest): RequestTrace => {
    const { method, headers, id, routeOptions } = request;
    const before = this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = {
      'http.request.method': method,
      'http.route': routeOptions.url,
      'plimsoll.operation': routeOptions.config.operation?.operationId,
      'plimsoll.request.id': id,
    };
    const span = this.#start(`${method} ${routeOptions.url}`, SpanKind.SERVER, attributes, before);
    return {
      during: (work) => this.#current.run(span, work),
      end: (statusCode) => {
        span.setAttributes({
          'http.response.status_code': statusCode,
          'user.id': request.principal?.userId,
        });
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };

  /**
   * A step of the request that is being answered; undefined outside of one. A step shared by
   * several requests belongs to the one that began it.
   */
  startStep(name: string, attributes: Attributes): Span | undefined {
    const request = this.#current.getStore();
    if (!request?.isRecording()) return undefined;
    return this.#start(name, SpanKind.CLIENT, attributes, trace.setSpan(ROOT_CONTEXT, request));
  }

  /** Runs a step; steps within it are its parts. */
  async step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const span = this.startStep(name, attributes);
    if (!span) return work();
    try {
      return await this.#current.run(span, work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Sends finished spans, if the collector accepts them soon. */
  async stop(): Promise<void> {
    const late = (): Error => new Error('The collector does not answer');
    await within(systemTime, STOP_WITHIN_MS, this.#provider.shutdown(), late).catch(() => {});
  }

  #start(name: string, kind: SpanKind, attributes: Attributes, parent: Context): Span {
    return this.#tracer.startSpan(name, { kind, attributes }, parent);
  }
}

/** In Plimsoll's log, but not for every batch while the collector is away. */
function tellOfFailures(logger: Logger): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  const warn = (reason: string): void => {
    if (performance.now() - lastMs < TELL_EVERY_MS) return;
    lastMs = performance.now();
    logger.warn({ reason }, 'traces cannot be sent');
  };
  const silent = (): void => {};
  const unheard = { info: silent, debug: silent, verbose: silent };
  diag.setLogger({ ...unheard, warn, error: warn }, DiagLogLevel.WARN);
}

/** Only the error's name: its message may contain data of users. */
export function fail(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'Error';
  span.setAttributes({ 'error.type': type });
  span.setStatus({ code: SpanStatusCode.ERROR });
}
