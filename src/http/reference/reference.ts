import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import {
  BASE_ADDRESSES,
  openApiDocument,
  type ReferenceSettings,
} from '../../contract/openapi/document.ts';
import { inTurns } from '../../services/turns.ts';
import { KeptText } from '../kept-text.ts';
import { documentNames, documentPage } from './guide.ts';
import { referencePage } from './page.ts';

const OPEN = { config: { open: true } };
/** Pages run one script of our own each, and ask no other host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * All operations at /openapi.json, those of a base address at /openapi/<base>.json, and a page for
 * people at /docs.
 */
export function registerReference(server: FastifyInstance, settings: ReferenceSettings): void {
  const add = (path: string, type: string, make: () => string): void => {
    const text = new KeptText(type, make);
    server.get(path, OPEN, (request, reply) => text.send(request, reply));
  };
  add('/openapi.json', 'application/json', () => JSON.stringify(openApiDocument(settings)));
  for (const base of BASE_ADDRESSES) {
    const make = () => JSON.stringify(openApiDocument(settings, base));
    add(`/openapi/${base}.json`, 'application/json', make);
  }
  add('/docs/style.css', 'text/css', () => fileBeside('style.css'));
  add('/docs/search.js', 'text/javascript', () => fileBeside('search.js'));
  add('/docs/guide.js', 'text/javascript', () => fileBeside('guide.js'));
  const addPage = (path: string, make: () => string | Promise<string>): void => {
    const page = new KeptText('text/html', make);
    server.get(path, OPEN, (request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      return page.send(request, reply);
    });
  };
  addPage('/docs', () => inTurns(pageOf(settings)));
  for (const name of documentNames()) addPage(`/docs/${name}`, () => documentPage(name));
}

function* pageOf(settings: ReferenceSettings): Generator<undefined, string> {
  const document = openApiDocument(settings);
  yield;
  return referencePage(document);
}

const fileBeside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
