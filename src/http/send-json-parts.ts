import type { FastifyReply } from 'fastify';

/**
 * Answers with JSON whose bytes come in parts. They go out as they are: a large answer costs about
 * as much to join as to read. `release` is called once the system has all of them; never for a
 * connection that was cut meanwhile, of which it may still hold some.
 */
export function sendJsonParts(
  reply: FastifyReply,
  parts: readonly Buffer[],
  release?: () => void,
): FastifyReply {
  const [only] = parts;
  reply.type('application/json; charset=utf-8');
  if (release) reply.raw.once('finish', release);
  if (parts.length === 1 && only) return reply.send(only);
  // Whoever takes it compressed gets less than that.
  if (reply.request.headers['accept-encoding']?.includes('gzip')) {
    return reply.send(Buffer.concat(parts));
  }
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    ...reply.server.lastHeaders(reply.request),
    'content-length': parts.reduce((sum, part) => sum + part.length, 0),
  });
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  return reply;
}
