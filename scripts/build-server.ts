import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Writes the server into dist/ as JavaScript, for `npm pack`: Node does not strip types inside
 * node_modules. A checkout needs no build; there `bin/plimsoll.js` runs src/ as it is.
 */
const ROOT = resolve(import.meta.dirname, '..');
const [from, to] = [join(ROOT, 'src'), join(ROOT, 'dist')];

rmSync(to, { recursive: true, force: true });
const { status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
// What is read at run time and is not code: migrations, styles, the demo's statements.
cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('.ts') });
