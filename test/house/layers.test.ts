import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { checkLayers } from '../../scripts/check-layers.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('finds no import that breaks the layer rule, in all rooms', () => {
  const { files, imports, violations } = checkLayers(ROOT);
  assert.deepEqual(violations, []);
  assert.ok(files > 100 && imports > 100);
});

const PLANTED: [string, string, RegExp][] = [
  ['src/domain/x.ts', "import { a } from '../storage/y.ts';", /domain must not import storage/],
  ['src/http/x.ts', "export { a } from '../domain/y.ts';", /http must not import domain/],
  ['src/services/x.ts', "const a = await import('../demo/y.ts');", /services must not import demo/],
  ['src/services/x.ts', "import { A } from '../workers/y.ts';", /services must not import workers/],
  [
    'src/services/x.ts',
    "import '../storage/drivers/sqlite.ts';",
    /only app may import storage\/drivers\/sqlite/,
  ],
  [
    'src/services/x.ts',
    "import {\n  type A,\n} from '../platforms/p4-bridge/y.ts';",
    /only app may import platforms\/p4-bridge/,
  ],
  ['src/contract/x.ts', "import type { A } from '../domain/y.ts';", /contract must not import/],
  ['web/src/x.tsx', "import { a } from '../../src/services/y.ts';", /web must not import services/],
  ['src/engine/x.ts', 'const a = Math.random();', /Math.random is not handed in by app/],
  ['src/services/a/x.ts', 'setTimeout(call, 5);', /setTimeout\( is not handed in by app/],
  ['src/feeds/x.ts', "import { setTimeout as s } from 'node:timers/promises';", /is not handed in/],
  ['src/domain/x.ts', "import type { A } from './x.ts';", /a circle: src\/domain\/x.ts → src/],
  ['src/attic/x.ts', "import { a } from '../domain/y.ts';", /attic is not known/],
];

for (const [file, text, violation] of PLANTED) {
  it(`fails on ${text.replaceAll('\n', ' ')} in ${file}`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'plimsoll-layers-'));
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
    const { violations } = checkLayers(root);
    assert.equal(violations.length, 1);
    assert.match(violations[0] ?? '', violation);
    await rm(root, { recursive: true });
  });
}

it('fails if it checked nothing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'plimsoll-layers-'));
  for (const check of ['check-layers.ts', 'check-names.ts'])
    await cp(join(ROOT, 'scripts', check), join(root, 'scripts', check));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/check-layers.ts')], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /looked at nothing/);
  await rm(root, { recursive: true });
});
