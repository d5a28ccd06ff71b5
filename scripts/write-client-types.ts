import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/contract/openapi/document.ts';

/**
 * Writes the types of the TypeScript client from the contract, by openapi-typescript:
 * `npm run generate --workspace clients/typescript` after every change of the contract.
 */
const CLIENT = resolve(import.meta.dirname, '../clients/typescript');
export const TYPES = join(CLIENT, 'src/schema.ts');

/** The types as they follow from the contract now. */
export function clientTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-client-types-'));
  try {
    const [document, types] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
    const settings = { version: '0.1.0', publicUrl: '', addresses: {} };
    writeFileSync(document, JSON.stringify(openApiDocument(settings)));
    const generator = join(CLIENT, 'node_modules/.bin/openapi-typescript');
    const options = [
      '--default-non-nullable=false',
      '--root-types',
      '--root-types-no-schema-prefix',
      '-o',
      types,
    ];
    execFileSync(generator, [document, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
    return readFileSync(types, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TYPES, clientTypes());
