import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { it } from 'node:test';

const SRC = resolve(import.meta.dirname, '../../src');
/** A Map or Set of an object or a module, which may live as long as the process. */
const KEPT =
  /^(?:export )?const (\w+)(?:: [^=]+)? = new (?:Map|Set)\b(?!.*\(\[)|^ {2}(?:readonly )?(#?\w+)(?:: [^=]+)? = new (?:Map|Set)\b/gm;

/** These only grow, but not for long or not by much: the bound of each. */
const GROWS: Record<string, string> = {
  'components.ts #schemas': 'lives while a document is made',
  'broker.ts #operations': 'MAX_EVENTS',
  'broker.ts #originals': 'one for each account, MAX_OPENED',
  'broker.ts #passwords': 'one for each account, MAX_OPENED',
  'broker.ts #requests': 'MAX_OPENED',
  'overview-table.ts #former': 'one for each way to sort',
  'slice-reading.ts #failed': 'lives while a slice of accounts is read',
  'slice-reading.ts #gone': 'lives while a slice of accounts is read',
  'slice-reading.ts #latest': 'lives while a slice of accounts is read',
  'fold-slice.ts days': 'lives while some thousand deals are folded',
  'postgres-pool.ts statementNames': 'PREPARED_STATEMENTS',
  'guess-clock.ts #hours': 'HOURS_MAX',
  'guess-clock.ts #timesBySymbol': 'one time for each of HOURS_MAX at most',
  'guess-clock.ts #weekendSymbols': 'SYMBOLS_MAX',
  'sql-text.ts knownTuples': 'ROWS_PER_STATEMENT for each number of columns',
};

/** Maps and Sets of a text that are filled, and never emptied. */
function growing(text: string): string[] {
  const names = [...text.matchAll(KEPT)].map(([, constant, field]) => constant ?? field ?? '');
  return names.filter((name) => {
    const own = name.startsWith('#') ? `\\.${name}` : `\\b${name}`;
    const uses = (use: string): boolean => new RegExp(`${own}\\b${use}`).test(text);
    const isFilled = uses('\\.(?:set|add)\\(') || uses('\\.getOrInsert');
    return (
      isFilled &&
      !uses('\\.(?:delete|clear)\\(') &&
      !uses('(?:\\.get\\([^)]*\\))? = (?!new Map<.*\\n)')
    );
  });
}

it('finds a map that only grows', () => {
  const grows =
    'class A {\n  readonly #known = new Map<string, X>();\n  f() {\n    this.#known.set(1, 2);\n  }\n}';
  assert.deepEqual(growing(grows), ['#known']);
  assert.deepEqual(growing(grows.replace('set(1, 2)', 'delete(1)')), []);
  assert.deepEqual(growing('const known = new Map<string, X>();\nknown.set(1, 2);\n'), ['known']);
});

it('no Map or Set only grows: caches are RecentMaps, all else is taken out when it ends', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const found = files.flatMap((file) =>
    growing(readFileSync(join(SRC, file), 'utf8')).map((name) => `${basename(file)} ${name}`),
  );
  assert.deepEqual(found.sort(), Object.keys(GROWS).sort());
});
