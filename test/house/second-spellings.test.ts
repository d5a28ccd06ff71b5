import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';

/*
 * Lists of the field's words live in src/words/. A second spelling of one of them is a list or a
 * union of exactly its words; and any list of four words that stands twice lacks a home.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const HOME = join(ROOT, 'src/words');
const FEWEST_WITHOUT_HOME = 4;

const WORD = String.raw`'[A-Za-z][\w-]*'`;
const LIST = new RegExp(String.raw`\[\s*${WORD}(?:\s*,\s*${WORD})+\s*,?\s*\]`, 'g');
const UNION = new RegExp(String.raw`${WORD}(?:\s*\|\s*${WORD})+`, 'g');

/** Lists of words that mean something else although they are equal, with the reason. */
const OTHERS = new Map([
  ['commission fee profit swap', 'fields of a deal, picked'],
  ['series-1 series-2 series-3 series-4 series-5 series-6', 'names of colours'],
  ['closed-trades deals list-of-trades open-trades', 'kinds of flat files, a part of all kinds'],
  ['clockOff exceeded near stale unwatched', 'fields of counters, picked'],
  ['buy sell', 'sides of an order'],
]);

type Spelling = { words: string; place: string };

const keyOf = (words: Iterable<string>): string => [...new Set(words)].sort().join(' ');

function spellingsIn(path: string, text: string): Spelling[] {
  return [LIST, UNION].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const { 0: list, index } = match;
      const after = text.slice(index + list.length).trimStart();
      // Pick<Deal, 'profit' | 'swap'> names fields.
      if (pattern === UNION && /,\s*$/.test(text.slice(0, index)) && after.startsWith('>')) {
        return [];
      }
      const line = text.slice(0, index).split('\n').length;
      const words = keyOf([...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word));
      return words.includes(' ') ? [{ words, place: `${path}:${line}` }] : [];
    }),
  );
}

const isSource = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/\.(?:test|fixture)\.tsx?$/.test(name);

function spellingsUnder(folder: string): Spelling[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => isSource(name) && !join(ROOT, folder, name).startsWith(HOME))
    .flatMap((name) => spellingsIn(join(folder, name), read(join(folder, name))));
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The words of each list and table of src/words/, by its name. */
async function tables(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of readdirSync(HOME)) {
    const room: object = await import(pathToFileURL(join(HOME, name)).href);
    for (const [table, value] of Object.entries(room)) {
      if (typeof value !== 'object' || value === null) continue;
      found.set(keyOf(Array.isArray(value) ? value : Object.keys(value)), table);
    }
  }
  return found;
}

function secondSpellings(spellings: Spelling[], homes: ReadonlyMap<string, string>): string[] {
  return [...Map.groupBy(spellings, ({ words }) => words)].flatMap(([words, same]) => {
    if (OTHERS.has(words)) return [];
    const places = same.map(({ place }) => place).join(', ');
    const home = homes.get(words);
    if (home) return [`${home} of src/words/ is spelled again: ${places}`];
    const isLong = words.split(' ').length >= FEWEST_WITHOUT_HOME;
    return isLong && same.length > 1 ? [`${words} has no home, but stands in ${places}`] : [];
  });
}

it('spells each list of words once, on the server and in the dashboard', async () => {
  const spellings = [...spellingsUnder('src'), ...spellingsUnder('web/src')];
  assert.ok(spellings.length > 100, 'no lists were found: the test looked at nothing');
  assert.deepEqual(secondSpellings(spellings, await tables()), []);
});

it('finds a second spelling as a list, in another order, and as a union', async () => {
  const homes = await tables();
  for (const planted of [
    "const KINDS = ['p4-bridge', 'simulated', 'p5-web-api'];",
    "type Kind =\n  | 'simulated'\n  | 'p5-web-api'\n  | 'p4-bridge';",
  ]) {
    const [found, ...more] = secondSpellings(spellingsIn('x.ts', planted), homes);
    assert.match(found ?? '', /^PROFILE_KINDS of src\/words\/ is spelled again: x\.ts:[12]$/);
    assert.deepEqual(more, []);
  }
  const twice = spellingsIn(
    'x.ts',
    "type A = 'a' | 'b' | 'c' | 'd'; const A = ['d', 'c', 'b', 'a'];",
  );
  assert.deepEqual(secondSpellings(twice, homes), [
    'a b c d has no home, but stands in x.ts:1, x.ts:1',
  ]);
});
