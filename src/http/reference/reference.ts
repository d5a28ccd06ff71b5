import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { compactDocument } from '../../contract/openapi/compact.ts';
import { openApiDocument, type ReferenceSettings } from '../../contract/openapi/document.ts';
import { inTurns } from '../../services/turns.ts';
import { referencePage } from './page.ts';

const STYLE = new URL('./style.css', import.meta.url);
const OPEN = { config: { open: true } };
/** The page is text and a style of our own: it runs no script and asks no other host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * /openapi.json for generators, and the same in full for people at /docs. Each is made once, when
 * it is first asked for: most servers are never asked, and a start should not pay for it.
 */
export function registerReference(server: FastifyInstance, settings: ReferenceSettings): void {
  const json = once(() => jsonOf(settings));
  const page = once(() => pageOf(settings));
  const style = readFileSync(STYLE, 'utf8');
  server.get('/openapi.json', OPEN, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await json()),
  );
  server.get('/docs', OPEN, async (_request, reply) =>
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .type('text/html; charset=utf-8')
      .send(await page()),
  );
  server.get('/docs/', OPEN, (_request, reply) => reply.redirect('/docs', 308));
  server.get('/docs/style.css', OPEN, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
}

function* jsonOf(settings: ReferenceSettings): Generator<undefined, string> {
  const document = openApiDocument(settings);
  yield;
  return JSON.stringify(yield* compactDocument(document));
}

function* pageOf(settings: ReferenceSettings): Generator<undefined, string> {
  const document = openApiDocument(settings);
  yield;
  return referencePage(document);
}

function once(steps: () => Generator<undefined, string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= inTurns(steps());
    return made;
  };
}
