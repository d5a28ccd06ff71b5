import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Shorter answers fit in a packet as they are. */
const LEAST_BYTES = 1400;

/** Of answers of operations that may be long: ten times less to send, for little work. */
export const COMPRESSION = {
  encodings: ['gzip' as const],
  threshold: LEAST_BYTES,
  zlibOptions: { level: 5 },
};

/** Bodies of requests are not taken compressed: nobody could tell how long they are. */
export async function registerCompression(server: FastifyInstance): Promise<void> {
  await server.register(compress, { global: false, globalDecompression: false });
}
