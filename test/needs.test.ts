import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './docs/blocks.ts';
import { BUILDS, FETCHED, findProgram, given, needs, needsOf, PROGRAMS } from './needs.ts';

needs('jq');

describe('needs of test files', () => {
  it('are read from a statement of one line or of several, and from nothing else', () => {
    assert.deepEqual(needsOf("import x;\n\nneeds('postgres', 'server');\n"), [
      'postgres',
      'server',
    ]);
    assert.deepEqual(needsOf("needs(\n  'postgres',\n  'nats',\n);\n"), ['postgres', 'nats']);
    assert.deepEqual(needsOf("  needs('postgres');\n// needs('server');\n"), []);
  });

  it('are known to the test run', () => {
    const known = new Set([...Object.keys(PROGRAMS), ...BUILDS, ...FETCHED, 'time']);
    const files = globSync('{src,test,web/src}/**/*.test.ts', { cwd: ROOT });
    assert.ok(files.length > 300);
    for (const file of files)
      for (const need of needsOf(readFileSync(join(ROOT, file), 'utf8')))
        assert.ok(known.has(need), `${file}: ${need}`);
  });

  it('are not given to a file that does not name them', () => {
    given('jq');
    assert.throws(() => given('pgbouncer'), /write needs\('pgbouncer'\)/);
  });

  it('are found outside of the path, too', () => {
    assert.equal(findProgram('node', join(process.execPath, '..'))?.endsWith('/node'), true);
    assert.equal(findProgram('no-such-program'), undefined);
  });
});
