import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { given } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';
import { ROOT } from './blocks.ts';

/** A server that a command of the documents started. */
export type Started = {
  /** Its first lines, up to the awaited one. */
  said: string[];
  stop(): Promise<number | null>;
};

const NODE = `"${process.execPath}"`;
const FUNCTIONS = [
  'curl() { command curl --silent --show-error --fail-with-body --retry 5 --max-time 30 "$@"; }',
  `plimsoll() { ${NODE} "${BIN}" "$@"; }`,
  'node() { [ "$1" = bin/plimsoll.js ] && shift && plimsoll "$@"; }',
  'npx() { "$@"; }',
  // Without an installation this test would not run.
  'npm() { [ "$*" = ci ]; }',
];

/** The commands of a block: each begins in the first column, with a word that it runs. */
export function commandsOf(block: string): string[] {
  return block.split(/^(?=(?:curl|cat|plimsoll|node) )/m).map((command) => command.trimEnd());
}

/** Consecutive JSON records, with run-dependent values made equal. */
export function recordsOf(text: string): unknown[] {
  const alike = text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/"(plm_|whsec_)[^"]*"/g, '"$1…"')
    .replaceAll(/"(password|investorPassword)":"[^"]*"/g, '"$1":"…"');
  const records = alike.trim().split(/(?<=[}\]])\n?(?=[{[]["{])/);
  return records.map((record): unknown => JSON.parse(record));
}

/** Runs commands with bash as printed in the documents, in a separate folder. */
export class Shell {
  readonly variables: Record<string, string> = {};
  readonly folder: string;
  /** Programs that this machine lacks, or must not run; in bash. */
  readonly standIns: string[] = [];
  readonly #t: TestContext;

  constructor(t: TestContext) {
    this.#t = t;
    this.folder = mkdtempSync(join(tmpdir(), 'plimsoll-docs-'));
    t.after(() => rmSync(this.folder, { recursive: true }));
  }

  /** Its standard output; fails with its standard error. */
  run(command: string): Promise<string> {
    const args = ['--norc', '-c', this.#script(command)];
    return new Promise((fulfil, reject) => {
      execFile('bash', args, this.#options(), (error, stdout, stderr) => {
        if (error) reject(new assert.AssertionError({ message: `${command}\n${stdout}${stderr}` }));
        else fulfil(stdout);
      });
    });
  }

  /** Runs commands of which the last one starts a server, until it prints such a line. */
  async start(command: string, line: RegExp): Promise<Started> {
    // Replaces the shell, so that signals reach it.
    const inPlace = command
      .replace(/npm start$/m, manifest.scripts.start)
      .replace(
        /(?:npx )?(?:plimsoll|node bin\/plimsoll\.js)(?= serve| demo)/,
        `exec ${NODE} "${BIN}"`,
      )
      .replace(/^npx node (?=test\/)/m, `exec ${NODE} "${ROOT}"/`);
    given('server');
    const child = spawn('bash', ['--norc', '-c', this.#script(inPlace)], this.#options());
    endWithUs(child);
    const ended = once(child, 'exit');
    const stop = async (): Promise<number | null> => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    };
    this.#t.after(stop);
    return { said: await linesUntil(child, line, ended), stop };
  }

  #script(command: string): string {
    return ['set -e', ...FUNCTIONS, ...this.standIns, command].join('\n');
  }

  #options(): { cwd: string; env: NodeJS.ProcessEnv } {
    return { cwd: this.folder, env: { ...BARE_ENVIRONMENT, ...this.variables } };
  }
}

async function linesUntil(
  child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream },
  line: RegExp,
  ended: Promise<unknown>,
): Promise<string[]> {
  const said: string[] = [];
  let log = '';
  child.stderr.on('data', (text: Buffer) => {
    log += text.toString();
  });
  const reached = new Promise<void>((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      said.push(text);
      if (line.test(text)) resolve();
    });
  });
  const gone = ended.then(() => Promise.reject(new Error(`${said.join('\n')}\n${log}`)));
  await Promise.race([reached, gone]);
  // The end of a server that is stopped is no failure.
  gone.catch(() => undefined);
  return said;
}
