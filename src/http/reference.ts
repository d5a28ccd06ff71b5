import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { BaseAddress } from '../contract/operation.ts';

/** /openapi.json, made from the operations' own schemas, and the page that shows it at /docs. */
export async function registerReference(
  server: FastifyInstance,
  { version, addresses }: { version: string; addresses: Partial<Record<BaseAddress, string>> },
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Plimsoll',
        version,
        description:
          'Trade statistics, equity charts, profit/drawdown trackers, margin, account provisioning and quotas for trading accounts.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { authToken: { type: 'apiKey', in: 'header', name: 'auth-token' } },
      },
    },
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        String(schema.$id ?? `schema-${index}`),
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const address = route.config?.operation && addresses[route.config.operation.base];
      return { schema: address ? { ...schema, servers: [{ url: address }] } : schema, url };
    },
  });
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/docs')) route.config = { ...route.config, open: true };
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'Plimsoll API' },
  });
  server.get('/openapi.json', { config: { open: true }, schema: { hide: true } }, async () =>
    server.swagger(),
  );
}
