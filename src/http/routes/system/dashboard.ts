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
 * The dashboard's page at `/`, its files, and data about its token. Files in /assets have a hash of
 * their content in their names, so browsers may cache them; the page that names them is never
 * cached.
 */
export function registerDashboard(
  server: FastifyInstance,
  context: Context,
  folder = BUILT_FILES,
): void {
  addRoute(server, currentTokenOperation, ({ principal }) => readCurrentToken(context, principal));
  const cacheControl = (path: string): string =>
    path.startsWith(`${folder}/assets/`)
      ? `public, max-age=${ONE_YEAR_SECONDS}, immutable`
      : 'no-cache';
  server.register(fastifyStatic, {
    ...{ root: folder, serve: false, preCompressed: true, cacheControl: false, dotfiles: 'deny' },
    setHeaders: (reply, path) => reply.header('cache-control', cacheControl(path)),
  });
  server.get('/', OPEN, async (_request, reply) => {
    if (existsSync(`${folder}/index.html`)) return reply.sendFile('index.html');
    return reply.header('cache-control', 'no-cache').type('text/html').send(NOT_BUILT);
  });
  server.get('/mark.svg', OPEN, async (_request, reply) => reply.sendFile('mark.svg'));
  server.get<{ Params: { '*': string } }>('/assets/*', OPEN, async (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`),
  );
}
