import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Span } from '@opentelemetry/api';
import { fail, type Tracing } from './tracing.ts';

/** undici's report of a request; the same object for all its events. */
type Outgoing = { request: { method: string; origin: string | URL; path: string } };
type Answered = Outgoing & { response: { statusCode: number } };
type Failed = Outgoing & { error: Error };

/**
 * Requests to platforms and webhooks as steps of the request that made them. Addresses are recorded
 * without parameters, and the trace is not passed on: neither is for third parties. Returns a
 * function that stops this.
 */
export function traceOutgoing(tracing: Tracing): () => void {
  const spans = new WeakMap<object, Span>();
  const heard: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      const { request } = message as Outgoing;
      const [path = ''] = request.path.split('?');
      const span = tracing.startStep(request.method, {
        'http.request.method': request.method,
        'server.address': String(request.origin),
        'url.path': path,
      });
      if (span) spans.set(request, span);
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as Answered;
      spans.get(request)?.setAttributes({ 'http.response.status_code': response.statusCode });
    },
    'undici:request:trailers': (message) => spans.get((message as Outgoing).request)?.end(),
    'undici:request:error': (message) => {
      const { request, error } = message as Failed;
      const span = spans.get(request);
      if (!span) return;
      fail(span, error);
      span.end();
    },
  };
  for (const [name, hear] of Object.entries(heard)) subscribe(name, hear);
  return () => {
    for (const [name, hear] of Object.entries(heard)) unsubscribe(name, hear);
  };
}
