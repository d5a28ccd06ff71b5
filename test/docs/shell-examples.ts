import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export type Block = { language: string; text: string };

/** The fenced blocks of a document, in order; indented ones of list items too. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', body = '']) => ({
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** The commands of a block: each begins in the first column, with a word that it runs. */
export function commandsOf(block: string): string[] {
  return block.split(/^(?=(?:curl|cat|plimsoll|node) )/m).map((command) => command.trimEnd());
}

/** JSON records that follow each other, with what differs from run to run made equal. */
export function recordsOf(text: string): unknown[] {
  const alike = text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/"(plm_|whsec_)[^"]*"/g, '"$1…"')
    .replaceAll(/"(password|investorPassword)":"[^"]*"/g, '"$1":"…"');
  const records = alike.trim().split(/(?<=[}\]])\n?(?=[{[]["{])/);
  return records.map((record): unknown => JSON.parse(record));
}

/** Runs commands with bash as they stand in the documents, in a folder of their own. */
export class Shell {
  readonly variables: Record<string, string> = {};
  readonly folder: string;

  constructor(t: TestContext) {
    this.folder = mkdtempSync(join(tmpdir(), 'plimsoll-docs-'));
    t.after(() => rmSync(this.folder, { recursive: true }));
  }

  /** What it wrote to standard output; fails with what it wrote to standard error. */
  run(command: string, environment: Record<string, string> = {}): Promise<string> {
    const functions = [
      'curl() { command curl --silent --show-error --fail-with-body --max-time 30 "$@"; }',
      `plimsoll() { "${process.execPath}" "${BIN}" "$@"; }`,
    ];
    const script = ['set -e', ...functions, command].join('\n');
    const env = { ...BARE_ENVIRONMENT, ...this.variables, ...environment };
    return new Promise((fulfil, reject) => {
      execFile('bash', ['-c', script], { cwd: this.folder, env }, (error, stdout, stderr) => {
        if (error) reject(new assert.AssertionError({ message: `${command}\n${stdout}${stderr}` }));
        else fulfil(stdout);
      });
    });
  }
}
