#!/usr/bin/env node
// Plain JavaScript for any Node: where this one is older than the project needs, it hands over to
// one that is not.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED = 26;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Where Node keeps what it has compiled: a start takes half the time. Beside the packages, as
 * others do.
 */
const isInstalled = basename(dirname(root)) === 'node_modules';
const packages = isInstalled ? dirname(root) : join(root, 'node_modules');
process.env.NODE_COMPILE_CACHE ??= join(packages, '.cache', 'plimsoll');

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // Started by an older Node: that one gone (even by kill -9) means this one must go too.
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
  await import(pathToFileURL(mainFile()).href);
} else {
  const node = newerNode();
  if (!node) {
    console.error(
      `Plimsoll requires Node ${NEEDED}. Its packages include one: install them again without omitting` +
        ' optional ones, or start it with a newer Node.',
    );
    process.exit(2);
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(node, [script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
    process.removeAllListeners();
  });
}

/**
 * In the package, JavaScript that is made of the sources (build-server.ts). In a checkout also, as
 * it starts in half the time; the sources themselves if one of them has changed since.
 */
function mainFile() {
  const sources = join(root, 'src');
  if (!existsSync(sources)) return join(root, 'dist/app/main.js');
  const built = join(root, 'dist-checkout');
  const isCurrent =
    existsSync(built) && newestMs(sources) <= lstatSync(join(built, 'made')).mtimeMs;
  return isCurrent ? join(built, 'app/main.js') : join(sources, 'app/main.ts');
}

/** When something in a folder changed last; a folder changes with the names in it. */
function newestMs(folder) {
  const own = lstatSync(folder).mtimeMs;
  const within = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestMs(path) : lstatSync(path).mtimeMs;
  });
  return Math.max(own, ...within);
}

/** The Node among the optional dependencies: the one for this system, if it was installed. */
function newerNode() {
  const { resolve } = createRequire(import.meta.url);
  const system = `${process.platform.replace('32', '')}-${process.arch}`;
  for (const name of [`node-${system}`, `node-bin-${system}`]) {
    try {
      const manifest = resolve(`${name}/package.json`);
      const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
      return join(dirname(manifest), bin.node);
    } catch {
      // Not this one.
    }
  }
  return undefined;
}
