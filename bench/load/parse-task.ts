/** A process that reads a statement file twice and sends the milliseconds of the second time. */
import { readFileSync } from 'node:fs';
import { readStatement } from '../../src/statements/read-statement.ts';
import { sendLast } from './send-last.ts';

const { file } = JSON.parse(process.argv[2] ?? '{}') as { file: string };
const bytes = readFileSync(file);
let took = 0;
for (let times = 0; times < 2; times += 1) {
  const began = performance.now();
  await readStatement(bytes, { moneyDigits: 4 });
  took = performance.now() - began;
}
sendLast(took);
