/** Writes docs/p4-bridge.openapi.json from the schemas that check a bridge's answers. */
import { writeFileSync } from 'node:fs';
import { bridgeOpenApi } from './p4-bridge/openapi.ts';

const file = new URL('../docs/p4-bridge.openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(bridgeOpenApi(), null, 2)}\n`);
