import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../..');
const FILES = '{bin,src,test,bench,scripts,web/src,clients/typescript/src}/**/*.{js,ts,tsx}';
const MOST_COLUMNS = 100;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
/** Instructions to tools end with their line. */
const INSTRUCTION = /biome-ignore/;

function isTooWide(line: string): boolean {
  return line.length > MOST_COLUMNS && COMMENT.test(line) && !INSTRUCTION.test(line);
}

// The formatter breaks code, and leaves comments as they are.
it('has no comment wider than code may be', () => {
  const files = globSync(FILES, { cwd: ROOT }).filter((file) => !file.endsWith('src/schema.ts'));
  assert.ok(files.length > 1000);
  const wide = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isTooWide(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

it('knows a wide comment from wide code', () => {
  assert.ok(isTooWide(`  // ${'word '.repeat(20)}`));
  assert.ok(!isTooWide(`const a = '${'word '.repeat(20)}';`));
});
