import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoStatements } from './sample-statements/samples.ts';

const folder = join(import.meta.dirname, '../src/demo/statements');
mkdirSync(folder, { recursive: true });
for (const [name, bytes] of Object.entries(demoStatements())) {
  writeFileSync(join(folder, name), bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}
