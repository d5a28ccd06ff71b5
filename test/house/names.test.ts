import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { checkNames } from '../../scripts/check-names.ts';

it('finds no name twice, and only verbs in services', () => {
  const { names, violations } = checkNames(resolve(import.meta.dirname, '../..'));
  assert.deepEqual(violations, []);
  assert.ok(names > 500);
});

const PLANTED: [Record<string, string>, RegExp][] = [
  [{ 'domain/a.ts': 'export class A {', 'http/b.ts': 'export class A {' }, /b.ts: A is also in/],
  [
    { 'domain/a.ts': 'export function a() {', 'http/b.ts': 'export const a = (b) => b;' },
    /b.ts: a is also in src\/domain\/a.ts/,
  ],
  [{ 'journal/a.ts': '', 'services/journal/b.ts': '' }, /journal\/ is also in src\/journal/],
  [{ 'services/mail/a.ts': '', 'workers/mail/b.ts': '' }, /mail\/ is also in src\/services\/mail/],
  [{ 'services/a.ts': "import { sleep } from '../domain/timekeeper.ts';" }, /makes it a worker/],
  [{ 'services/a.ts': 'class A {\n  start(): void {' }, /start\( makes it a worker/],
  [{ 'services/a.ts': "database.listen('a', b);" }, /listen\( makes it a worker/],
];

for (const [files, violation] of PLANTED) {
  it(`fails on ${JSON.stringify(files)}`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'plimsoll-names-'));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(root, 'src', file, '..'), { recursive: true });
      await writeFile(join(root, 'src', file), text);
    }
    const { violations } = checkNames(root);
    await rm(root, { recursive: true });
    assert.equal(violations.length, 1);
    assert.match(violations[0] ?? '', violation);
  });
}
