import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { SETTINGS } from '../src/app/settings.ts';
import { ERRORS } from '../src/contract/error-record.ts';
import { OPERATIONS } from '../src/contract/operations.ts';
import { PAGES, pageText, ROOT } from './docs/blocks.ts';

const LONGEST_LINE = 100;

test('docs/settings.md has a row for every setting, with its default, and no other', () => {
  const text = pageText('docs/settings.md');
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \|([^|]*)\|/gm)];
  const documented = new Map(
    rows.map(([, name, fallback = '']) => [name, fallback.replaceAll(/`|<br>/g, '').trim()]),
  );
  const expected = new Map(
    Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
  );
  const byName = (map: Map<string | undefined, string>) => [...map].sort().map(String);
  assert.deepEqual(byName(documented), byName(expected));
});

test('docs/errors.md has a section for every error', () => {
  const text = pageText('docs/errors.md');
  const sections = [...text.matchAll(/^## (\w+Error)\b/gm)].map(([, name]) => name);
  assert.deepEqual(sections.sort(), Object.values(ERRORS).sort());
});

test('docs/operations.md names every metric of Plimsoll, and no other', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n');
  const names = new Set(sources.match(/(?<=')plimsoll_\w+(?=')/g));
  // Channels of notifications between processes.
  const channels = ['journal', 'events', 'engines', 'changes'].map((name) => `plimsoll_${name}`);
  const metrics = names.difference(new Set(channels));
  const text = pageText('docs/operations.md');
  const documented = new Set(text.match(/(?<=^\| `)plimsoll_\w+/gm));
  assert.deepEqual([...documented].sort(), [...metrics].sort());
});

test('README.md names every operation, and no other', () => {
  const text = pageText('README.md');
  const rows = [...text.matchAll(/^\|.*\|$/gm)].join('\n');
  const named = [...rows.matchAll(/`([A-Z ]+) ((?:…|ACCOUNT|PLATFORM|\/)[^`\s]*)`/g)];
  const documented = new Set(named.flatMap(([, methods, path]) => operationsOf(methods, path)));
  const pages = ['GET /metrics', 'GET /openapi.json', 'GET /docs'];
  const served = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...documented].sort(), [...served, ...pages].sort());
});

/** The meaning of `GET PUT PLATFORM/groups`, by the words above the table. */
function operationsOf(methods = '', path = ''): string[] {
  const user = '/users/current';
  const paths = ['p4', 'p5'].map((family) =>
    path
      .replace('…', user)
      .replace('ACCOUNT', `${user}/accounts/:accountId`)
      .replace('PLATFORM', `${user}/${family}/provisioning-profiles/:profileId`),
  );
  return methods.split(' ').flatMap((method) => paths.map((each) => `${method} ${each}`));
}

test(`lines of the documents have at most ${LONGEST_LINE} columns, if they can be wrapped`, () => {
  const long = PAGES.flatMap((page) =>
    pageText(page)
      .split('\n')
      .map((line, index) => ({ line, at: `${page}:${index + 1}` }))
      .filter(({ line }) => line.length > LONGEST_LINE && canBeBroken(line))
      .map(({ at }) => at),
  );
  assert.deepEqual(long, []);
});

/** Rows of tables cannot; nor can a line that is one word, such as an address. */
function canBeBroken(line: string): boolean {
  return !line.trimStart().startsWith('|') && /\s/.test(line.trim());
}

test('code in the documents is in fenced blocks that name their language', () => {
  const faults = PAGES.flatMap((page) =>
    faultsOfBlocks(pageText(page)).map((fault) => `${page}:${fault}`),
  );
  assert.deepEqual(faults, []);
});

test('an indented block, which the next wrap would join, is found', () => {
  assert.deepEqual(faultsOfBlocks('Run it:\n\n    npm start\n'), ['3 is indented, not fenced']);
  assert.deepEqual(faultsOfBlocks('```\nnpm start\n```\n'), ['1 names no language']);
  assert.deepEqual(faultsOfBlocks('- An item\n\n  of a list\n\n```sh\n\n    x\n```\n'), []);
});

function faultsOfBlocks(text: string): string[] {
  const faults: string[] = [];
  let isFenced = false;
  let before = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (fence && !isFenced && fence[1] === '') faults.push(`${index + 1} names no language`);
    if (fence) isFenced = !isFenced;
    else if (!isFenced && before === '' && /^ {4,}\S/.test(line)) {
      faults.push(`${index + 1} is indented, not fenced`);
    }
    before = line;
  }
  return faults;
}

test('every relative link of the documents leads to a file, and to a heading in it', () => {
  assert.ok(PAGES.length > 5);
  const broken = PAGES.flatMap((page) => {
    const links = linksOf(pageText(page)).filter((link) => !leadsSomewhere(page, link));
    return links.map((link) => `${page} → ${link}`);
  });
  assert.deepEqual(broken, []);
});

/** Of a new operation, thread or migration that CONTRIBUTING.md makes up. */
const MADE_UP = /\bx[.-]|\bnotes?\b|-note|^\d{4}-what/;

test('every source file that the documents name exists', () => {
  const files = globSync('{src,test,bench,scripts,web/src,clients,bridge,deploy,docs}/**/*', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  });
  const named = PAGES.flatMap((page) =>
    [...pageText(page).matchAll(/`([\w/@-][\w./@-]*\.(?:ts|tsx|css|sql))`/g)].map(
      ([, name = '']) => ({ page, name }),
    ),
  );
  assert.ok(named.length > 80, `${named.length} names`);
  const missing = named.filter(
    ({ name }) =>
      !MADE_UP.test(name) && !files.some((file) => file === name || file.endsWith(`/${name}`)),
  );
  assert.deepEqual(missing, []);
});

function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).has(anchor);
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
