import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exportHistoryOperation } from '../../../contract/operations/exports.ts';
import { exportHistory } from '../../../services/exports/export-history.ts';
import { addRoute } from '../../add-route.ts';
import { answerComputing } from '../../computing.ts';

const EXPORT_SHARES = { process: 16, user: 4, token: 4 };
const RETRY_AFTER_SECONDS = 5;
/** A client that takes longer to read a file is cut off. */
const LONGEST_MS = 15 * 60_000;

export function registerExportRoutes(
  server: FastifyInstance,
  context: Parameters<typeof exportHistory>[0],
): void {
  const places = server.places.create(
    'exports',
    'exports at a time',
    EXPORT_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    exportHistoryOperation,
    async ({ principal, params, query, reply }) => {
      const { accountId, what } = params;
      const { format = 'csv', locale = 'en', ...range } = query;
      const options = { what, format, locale, ...range };
      const answer = await exportHistory(context, principal, accountId, options);
      if (!answer.ready) return answerComputing(reply, answer.retryAfterSeconds);
      reply.type(answer.type);
      reply.header('content-disposition', `attachment; filename="${answer.name}"`);
      const signal = AbortSignal.timeout(LONGEST_MS);
      return reply.send(Readable.from(answer.parts, { objectMode: false, signal }));
    },
    { places },
  );
}
