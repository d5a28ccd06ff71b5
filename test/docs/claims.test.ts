import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Block, blocksOf, isAnswer, isRequest, PAGES, ROOT } from './blocks.ts';

/** Commands that no test runs, and why. */
const NOT_RUN: readonly { page: string; words: string; why: string }[] = [
  {
    page: 'docs/guide.md',
    words: 'openapi-generator-cli',
    why: 'The generators come from PyPI and Maven, which the tests do without. What they stumble over is in generators.test.ts',
  },
  {
    page: 'deploy/README.md',
    words: 'docker buildx imagetools',
    why: 'It asks a registry of images, with a plugin of docker',
  },
];

/** Pages whose tests read every block of JSON, section by section. */
const JSON_READ: Record<string, string> = {
  'docs/programs.md': 'test/simulation/published-programs.test.ts',
  'docs/trackers.md': 'test/simulation/prop-firm-rules.test.ts',
};

const sources = globSync('test/**/*.test.ts', { cwd: ROOT })
  .filter((path) => path !== 'test/docs/claims.test.ts')
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');
const examples = [...sources.matchAll(/\bexampleOf\(\s*'([^']+)',\s*'([^']+)',?\s*\)/g)].map(
  ([, page = '', words = '']) => ({ page, words: words.replaceAll('\\n', '\n') }),
);
const requested = new Set(
  [...sources.matchAll(/\brequestsOf\('([^']+)'\)/g)].map(([, page = '']) => page),
);

test('every command and example of the documents is run by a test', () => {
  const blocks = PAGES.flatMap(orphansOf);
  assert.deepEqual(
    blocks.map(({ page, text }) => `${page}: ${text.split('\n')[0]}`),
    [],
  );
});

test('only known parts of the documents are run by no test', () => {
  for (const { page, words } of NOT_RUN) {
    const named = blocksOf(page).filter(({ text }) => text.includes(words));
    assert.equal(named.length, 1, words);
    assert.ok(!named.some(isRun), `${words} is run`);
  }
  for (const [page, path] of Object.entries(JSON_READ)) {
    assert.match(readFileSync(join(ROOT, path), 'utf8'), new RegExp(page));
  }
});

/**
 * Blocks that no test takes from the document; an answer is compared with the request before it.
 */
function orphansOf(page: string): Block[] {
  const blocks = blocksOf(page);
  return blocks.filter((block, place) => {
    const before = blocks[place - 1];
    if (isRun(block) || block.language === 'text') return false;
    if (isAnswer(block) && before && isRequest(before) && isRun(before)) return false;
    if (block.language === 'json' && page in JSON_READ) return false;
    return !NOT_RUN.some((other) => isNamed(block, other));
  });
}

const isRun = (block: Block): boolean =>
  (requested.has(block.page) && isRequest(block)) ||
  examples.some((example) => isNamed(block, example));

const isNamed = ({ page, text }: Block, other: { page: string; words: string }): boolean =>
  page === other.page && text.includes(other.words);
