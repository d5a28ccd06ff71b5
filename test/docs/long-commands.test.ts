import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROWS } from '../../bench/rows.ts';
import manifest from '../../package.json' with { type: 'json' };
import { exampleOf, ROOT } from './blocks.ts';
import { Shell } from './shell.ts';

/**
 * Commands that run for minutes or hours, or that run this test: the names in them exist. A line
 * joined with the next one by a wrap names something that does not.
 */
const BLOCKS = [
  exampleOf('README.md', 'npm ci && npm test'),
  exampleOf('CONTRIBUTING.md', 'npm ci\n'),
  exampleOf('CONTRIBUTING.md', 'npm test\n'),
  exampleOf('CONTRIBUTING.md', 'npx biome'),
  exampleOf('docs/performance.md', 'npm run bench'),
  exampleOf('docs/reliability.md', 'npm run simulate'),
  exampleOf('docs/reliability.md', 'database}-deaths'),
  exampleOf('docs/reliability.md', 'npm run test:cluster'),
  exampleOf('docs/reliability.md', 'jetstream-faults'),
  exampleOf('docs/reliability.md', 'risk-quarter'),
  exampleOf('docs/reliability.md', 'risk-enrolments'),
  exampleOf('docs/reliability.md', 'npm run soak'),
  exampleOf('docs/security.md', 'neighbours-'),
  exampleOf('docs/security.md', 'FUZZ_SEED'),
];

/** Options of the scripts of package.json. */
const OPTIONS: Record<string, RegExp> = {
  bench: /^--(?:json|keep|quick|full|rounds \d+|on (?:sqlite|postgres))$/,
  soak: /^--(?:svg [\w-]+\.svg|(?:minutes|accounts|every) \d+|on (?:sqlite|postgres))$/,
  simulate: /^--(?:tell|books|(?:seed|runs|minutes) \d+)$/,
};
const rows = new Set(ROWS.map(({ name }) => name));
const scripts: Record<string, string> = manifest.scripts;
const sources = globSync('{test,scripts}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.startsWith('test/docs/'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

test('the long commands of the documents name what exists', () => {
  const wrong = BLOCKS.flatMap(linesOf).flatMap((line) => faultsOf(line));
  assert.deepEqual(wrong, []);
});

test('joined lines, and names that no longer exist, are found', () => {
  assert.equal(faultsOf('npm run bench -- small-answers npm run bench -- --quick').length, 4);
  assert.equal(faultsOf('npm run nothing').length, 1);
  assert.equal(faultsOf('npm run bench -- --json > results.json').length, 1);
  assert.equal(faultsOf("NOTHING=1 npm test -- 'test/nothing/*.test.ts'").length, 2);
  assert.equal(faultsOf('npx node scripts/nothing.ts').length, 1);
  assert.equal(faultsOf('npx nothing').length, 1);
});

test("the charts show the benchmark's results", async (t) => {
  const points = [
    [10, 2],
    [1000, 3],
  ];
  const growth = [{ of: 'a page, SQLite', unit: 'ms', points }];
  const results = [{ ratio: 1.5, goal: '≤ 2', growth }];
  const shell = new Shell(t);
  const lines = linesOf(exampleOf('docs/performance.md', 'growth-chart.ts'));
  for (const name of ['results', 'laws'])
    writeFileSync(join(shell.folder, `${name}.json`), JSON.stringify(results));
  const charts = lines.filter((line) => line.startsWith('npx node '));
  assert.equal(charts.length, 2);
  for (const line of charts)
    await shell.run(line.replace('npx node ', `"${process.execPath}" ${ROOT}/`));
  for (const name of ['growth', 'growth-laws'])
    assert.match(readFileSync(join(shell.folder, `${name}.svg`), 'utf8'), /a page/);
});

/** The commands of a block, each in a line, without comments. */
function linesOf(block: string): string[] {
  return block
    .replaceAll(/ *\\\n */g, ' ')
    .split(/\n| && /)
    .map((line) => line.replace(/(?:^|\s+)#.*$/, ''))
    .filter((line) => line !== '');
}

function faultsOf(line: string): string[] {
  const words = line.split(/ +/);
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const variables = words.slice(0, start).map((word) => word.replace(/=.*/, ''));
  const unknown = variables.filter(
    (name) => name !== 'NODE_OPTIONS' && !sources.includes(`process.env.${name}`),
  );
  return [...unknown, ...faultsOfCommand(words.slice(start).join(' '))];
}

function faultsOfCommand(command: string): string[] {
  const [, silent, name = '', rest = ''] =
    /^npm (?:run )?(--silent )?([\w:]+)(?: -- (.*))?/.exec(command.replace(/ > .*/, '')) ?? [];
  if (name === 'ci') return [];
  if (name === 'test') return patternsOf(rest).filter((pattern) => !leadsToTests(pattern));
  if (name !== '') {
    // npm prints what it runs before what that prints.
    const isSpoilt = command.includes(' > ') && silent === undefined;
    const faults = isSpoilt ? [`${command} is not silent`] : [];
    return scripts[name] === undefined ? [name] : [...faults, ...unknownArguments(name, rest)];
  }
  const [, file] = /^npx node (?:--test )?(\S+)/.exec(command) ?? [];
  if (file !== undefined) return existsSync(join(ROOT, file)) ? [] : [file];
  const [, tool = ''] = /^npx (\w+)/.exec(command) ?? [];
  return tool !== '' && existsSync(join(ROOT, 'node_modules/.bin', tool)) ? [] : [command];
}

const patternsOf = (rest: string): string[] =>
  rest.split(' ').flatMap((word) => (word === '' ? [] : [word.replaceAll("'", '')]));

const leadsToTests = (pattern: string): boolean => globSync(pattern, { cwd: ROOT }).length > 0;

/** Options that a script of package.json would not understand. */
function unknownArguments(script: string, rest: string): string[] {
  const words = rest.match(/--\w+(?: (?:\d+|sqlite|postgres|[\w-]+\.svg)\b)?|\S+/g) ?? [];
  const known = OPTIONS[script];
  return words.filter((word) => !(known?.test(word) || (script === 'bench' && rows.has(word))));
}
