import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Writes the server as JavaScript: hundreds of modules become a few parts, and it starts in half
 * the time. `npm ci` in a checkout writes dist-checkout/, with all packages in the parts;
 * `bin/plimsoll.js` runs that until something in src/ changes, and then src/ as it is.
 *
 * With `--for-package` into dist/, for `npm pack`: Node does not strip types inside node_modules.
 * That leaves packages as they are, so that those who run it see which they have, and can put in
 * another version.
 */
const ROOT = resolve(import.meta.dirname, '..');
const IS_FOR_PACKAGE = process.argv.includes('--for-package');
const [FROM, TO] = [join(ROOT, 'src'), join(ROOT, IS_FOR_PACKAGE ? 'dist' : 'dist-checkout')];
/**
 * All of src/ is in the parts, and this package: half of all modules. Others stay packages, but for
 * what Rolldown writes itself.
 */
const INCLUDED = 'typebox';
const OF_ROLLDOWN = '@oxc-project';
const PARTS = 'parts';
/** The time of the build: unchanged parts keep theirs. */
const MADE = 'made';

/** Files that are started by name. */
const STARTED = ['app/main.ts', ...globSync('**/*-thread.ts', { cwd: FROM })];

const begun = new Date();
const files = new Map<string, string | Uint8Array>([...(await code()), ...readAtRunTime()]);
for (const [file, content] of files) writeChanged(join(TO, file), content);
for (const entry of globSync('**/*', { cwd: TO, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !files.has(path.slice(TO.length + 1))) rmSync(path);
}
// Files written to src/ in the meantime are newer.
utimesSync(join(TO, MADE), begun, begun);

async function code(): Promise<[string, string][]> {
  const input = Object.fromEntries(
    STARTED.map((file) => [file.replace(/\.ts$/, ''), join(FROM, file)]),
  );
  const build = await rolldown({
    input,
    platform: 'node',
    external: (id) =>
      IS_FOR_PACKAGE &&
      !/^[./]/.test(id) &&
      ![INCLUDED, OF_ROLLDOWN].includes(id.split('/')[0] ?? ''),
    plugins: [{ name: 'places', transform: (text, id) => keepPlace(text, id) }],
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: `${PARTS}/[name].js` };
  const { output } = await build.generate({ format: 'esm', ...names });
  return output.map((part) => {
    if (part.type !== 'chunk') throw new Error(`${part.fileName} is not code`);
    const isOneFolderDown = dirname(dirname(part.fileName)) === '.';
    if (!isOneFolderDown && part.code.includes('import.meta.url')) {
      throw new Error(`${part.fileName} opens files beside itself, and not from dist/${PARTS}`);
    }
    return [part.fileName, part.code];
  });
}

/**
 * A module opens files next to itself: its place in dist/ is that in src/, whatever part it is in.
 */
function keepPlace(text: string, id: string): string | undefined {
  if (!id.startsWith(FROM) || !text.includes('import.meta.url')) return undefined;
  const place = `..${id.slice(FROM.length).replace(/\.ts$/, '.js')}`;
  return text.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
}

/**
 * Files other than code: migrations, styles, the demo's statements; and the licence of included
 * code.
 */
function readAtRunTime(): [string, Uint8Array][] {
  const paths = globSync('**/*', { cwd: FROM, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const licence = join(ROOT, 'node_modules', INCLUDED, 'license');
  return [
    ...paths.map((path): [string, Uint8Array] => [path.slice(FROM.length + 1), readFileSync(path)]),
    [MADE, Buffer.alloc(0)],
    [join(PARTS, `LICENSE-${INCLUDED}`), readFileSync(licence)],
  ];
}

/** Servers may be starting from what did not change. */
function writeChanged(path: string, content: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
