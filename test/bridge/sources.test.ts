import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { ADVISORS } from './terminal-build.ts';

needs('compiler');

const FILES = readdirSync(ADVISORS).filter((name) => /\.mq[h45]$/.test(name));
const sourceOf = (name: string): string => readFileSync(join(ADVISORS, name), 'utf8');
/** Without comments and texts. */
const codeOf = (name: string): string =>
  sourceOf(name)
    .replace(/"(?:\\.|[^"\\])*"/g, '""')
    .replace(/\/\/.*$/gm, '');

/**
 * Code that C++ accepts, but one of the terminals' compilers does not, or not in the same sense.
 */
const FOREIGN: [string, RegExp][] = [
  ['pointers', /->|\bnew\b|\bdelete\b|\*this|\bNULL\b|\bnullptr\b/],
  ['templates and namespaces', /\btemplate\b|::|\btypename\b|\busing\b/],
  ['deduced types', /\bauto\b|\bdecltype\b/],
  ['casts of C++', /_cast</],
  ['exceptions', /\b(?:try|throw|catch)\b/],
  ['other conditions of the preprocessor', /^#(?:if|elif|pragma)\b/m],
  ['functions without a body', /^[a-z]\w* +\w+\([^)]*\);/m],
  ['loops over lists', /\bfor\s*\([^;)]*:[^;)]*\)/],
  ['types that only one side knows', /\b(?:size_t|int64_t|unsigned|signed|wchar_t)\b/],
];

describe('sources of the Expert Advisors', () => {
  it('are all checked', () => {
    assert.ok(FILES.length >= 8, FILES.join());
  });

  for (const name of FILES) {
    it(`${name} is ASCII, so that no editor misreads it`, () => {
      assert.doesNotMatch(sourceOf(name), /[^\n\x20-\x7e]/);
    });

    it(`${name} uses only the common part of MQL4, MQL5 and C++`, () => {
      for (const [what, pattern] of FOREIGN) {
        assert.doesNotMatch(codeOf(name), pattern, `${name}: ${what}`);
      }
    });

    it(`${name} trades nothing`, () => {
      assert.doesNotMatch(codeOf(name), /\bOrder(?:Send|Close|CloseBy|Modify|Delete|SendAsync)\(/);
    });
  }

  it('begin with the same inputs as the preset', () => {
    const inputs = [...sourceOf('Events.mqh').matchAll(/^input \w+ +(\w+)="?([^";]*)"?;/gm)];
    const preset = sourceOf('Plimsoll.set').trimEnd().split('\n');
    assert.equal(inputs.length, 5);
    assert.deepEqual(
      preset,
      inputs.map(([, name, value]) => `${name}=${value}`),
    );
  });

  it('are described: every input, every file and every error is in the README', () => {
    const readme = readFileSync(resolve(ADVISORS, '../README.md'), 'utf8');
    const inputs = [...sourceOf('Events.mqh').matchAll(/^input \w+ +(\w+)=/gm)];
    for (const [, name = ''] of inputs) assert.ok(readme.includes(`\`${name}\``), name);
    for (const error of [4014, 4060, 5200, 5201, 5202, 5203, 400, 401, 403, 404, 413, 429, 503]) {
      assert.match(readme, new RegExp(`\\b${error}\\b`), `error ${error}`);
    }
    for (const end of ['.queue', '.refused', '.lock']) assert.ok(readme.includes(end), end);
  });
});
