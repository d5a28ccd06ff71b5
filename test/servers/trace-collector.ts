import { once } from 'node:events';
import { createServer } from 'node:http';

/** A span as OTLP's JSON has it, with its attributes by name. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
  service: unknown;
};

export type TraceCollector = {
  url: string;
  spans: CollectedSpan[];
  /** Everything sent, in order of arrival. */
  text(): string;
  close(): void;
};

type Value = Record<string, unknown>;
type Attributes = { key: string; value: Value }[];
type Sent = {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes' | 'service'> & { attributes: Attributes })[];
    }[];
  }[];
};

/** A collector of OpenTelemetry traces: OTLP as JSON over HTTP. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let sent = '';
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    sent += text;
    for (const { resource, scopeSpans } of (JSON.parse(text) as Sent).resourceSpans) {
      const service = byName(resource.attributes)['service.name'];
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, attributes: byName(span.attributes), service });
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => sent,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const byName = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
