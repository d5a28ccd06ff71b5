#!/usr/bin/env node
// Plain JavaScript for any Node: hands over to the Node that the project needs where this one is older.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 26;
const main = new URL('../src/app/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // Started by an older Node: that one gone (even by kill -9) means this one must go too.
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
  await import(main.href);
} else {
  const node = newerNode();
  if (!node) {
    console.error(
      `Plimsoll needs Node ${NEEDED}: run "npm ci" in its folder, or start it with a newer Node.`,
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

/** The Node of the package `node`, a development dependency, if it is there. */
function newerNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const binary = fileURLToPath(
      new URL('bin/node', `file://${manifest.replace(/package\.json$/, '')}`),
    );
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}
