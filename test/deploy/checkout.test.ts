import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from './files.ts';

const OLD = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');

/** A project whose sources, and what is made of them, only say which of both was started. */
function newProject(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-checkout-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [path, said] of [
    ['src/app/main.ts', 'sources'],
    ['dist-checkout/app/main.js', 'built'],
    ['dist/app/main.js', 'package'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `console.log('${said}');`);
  }
  for (const path of ['src/app/main.ts', 'src/app', 'src'])
    utimesSync(join(folder, path), OLD, OLD);
  writeFileSync(join(folder, 'dist-checkout/made'), '');
  return folder;
}

const started = (folder: string): string =>
  execFileSync(process.execPath, [join(folder, 'bin/plimsoll.js')], { encoding: 'utf8' }).trim();

test('a checkout starts the build of its sources, until one of them changes', (t) => {
  const folder = newProject(t);
  utimesSync(join(folder, 'dist-checkout/made'), OLD, OLD);
  assert.equal(started(folder), 'built');
  utimesSync(join(folder, 'src/app/main.ts'), LATER, LATER);
  assert.equal(started(folder), 'sources');
});

test('a checkout with a removed file starts its sources', (t) => {
  const folder = newProject(t);
  utimesSync(join(folder, 'dist-checkout/made'), OLD, OLD);
  utimesSync(join(folder, 'src/app'), LATER, LATER);
  assert.equal(started(folder), 'sources');
});

test('a checkout without a build starts its sources, and a package has none', (t) => {
  const folder = newProject(t);
  rmSync(join(folder, 'dist-checkout'), { recursive: true });
  assert.equal(started(folder), 'sources');
  rmSync(join(folder, 'src'), { recursive: true });
  assert.equal(started(folder), 'package');
});
