import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Operation } from '../contract/operation.ts';

/** Shorter answers fit into a packet uncompressed. */
const LEAST_BYTES = 1400;
export const COMPRESSION = {
  encodings: ['gzip' as const],
  threshold: LEAST_BYTES,
  zlibOptions: { level: 5 },
};

/** Compressed request bodies are refused: their length would be unknown. */
export async function registerCompression(server: FastifyInstance): Promise<void> {
  await server.register(compress, { global: false, globalDecompression: false });
}

/**
 * Lists are compressed for clients that accept that: ten times less to send, for little work. Other
 * answers are short, and are sent unchanged.
 */
export const compressionOf = ({ response, streams }: Operation) =>
  !streams && Object.values(response).some((schema) => schema && holdsList(schema))
    ? { compress: COMPRESSION }
    : {};

function holdsList(schema: TSchema): boolean {
  const {
    type,
    properties = {},
    anyOf = [],
  } = schema as {
    type?: string;
    properties?: Record<string, TSchema>;
    anyOf?: TSchema[];
  };
  return type === 'array' || [...anyOf, ...Object.values(properties)].some(holdsList);
}
