import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Fewer bytes than this are joined at no cost to speak of. */
const JOINED_BYTES = 65_536;

/**
 * Answers with JSON in ready parts, sent without joining: joining a large answer costs about as
 * much as reading it. `release` is called once the system has all of them; never for a connection
 * that was cut, as the system may still hold some.
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
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Compressed, it is shorter than that.
  if (reply.request.headers['accept-encoding']?.includes('gzip')) {
    return reply.send(length < JOINED_BYTES ? Buffer.concat(parts) : Readable.from(parts));
  }
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    ...reply.server.lastHeaders(reply.request),
    'content-length': length,
  });
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  return reply;
}
