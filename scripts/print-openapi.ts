import { openApiDocument } from '../src/contract/openapi/document.ts';

/**
 * Prints the OpenAPI document of all operations. The types of the TypeScript client are made from
 * it: `npm run generate --workspace clients/typescript` after every change of the contract.
 */
const settings = { version: '0.1.0', publicUrl: '', addresses: {} };
process.stdout.write(JSON.stringify(openApiDocument(settings)));
