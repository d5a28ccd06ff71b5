import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { currentTokenOperation } from '../../../contract/operations/system.ts';
import type { Context } from '../../../services/context.ts';
import { readCurrentToken } from '../../../services/users/read-current-token.ts';
import { addRoute } from '../../add-route.ts';

const BUILT_FILES = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const OPEN = { config: { open: true } };
const ONE_YEAR_SECONDS = 31_536_000;
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plimsoll</title>
<h1>The dashboard is not built</h1><p>Run <code>npm run build -w web</code> once and load this page
again. The API works without it: see <a href="/docs">its reference</a>.</p></html>`;

/**
 * The dashboard's page at `/`, its files, and what it must know about its token. Files in /assets
 * carry a hash of their content in their names, so browsers may keep them; the page that names them
 * is asked for anew each time.
 */
export function registerDashboard(
  server: FastifyInstance,
  context: Context,
  folder = BUILT_FILES,
): void {
  addRoute(server, currentTokenOperation, ({ principal }) => readCurrentToken(context, principal));
  server.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  const send = { cacheControl: false, dotfiles: 'deny' } as const;
  server.get('/', OPEN, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    if (existsSync(`${folder}/index.html`)) return reply.sendFile('index.html', send);
    return reply.type('text/html').send(NOT_BUILT);
  });
  server.get('/mark.svg', OPEN, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('mark.svg', send),
  );
  server.get<{ Params: { '*': string } }>('/assets/*', OPEN, async (request, reply) =>
    reply
      .header('cache-control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`)
      .sendFile(`assets/${request.params['*']}`, send),
  );
}
