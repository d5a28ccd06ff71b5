import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { BREACH_ACTIONS } from '../../src/words/actions.ts';
import { PERIOD_WORDS } from '../../src/words/periods.ts';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../src/words/programs.ts';
import { BASELINE_WORDS } from '../../src/words/trackers.ts';
import { wordsOf } from '../../src/words/words-of.ts';

const PAGES: [string, readonly string[]][] = [
  ['trackers.md', PERIOD_WORDS],
  ['trackers.md', BASELINE_WORDS],
  ['actions.md', wordsOf(BREACH_ACTIONS)],
  ['programs.md', [...wordsOf(RULE_KINDS), ...wordsOf(OBJECTIVE_KINDS)]],
];

for (const [page, words] of PAGES) {
  it(`${page} explains ${words.join(', ')}`, async () => {
    const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
    assert.deepEqual(
      words.filter((word) => !text.includes(`\`${word}\``)),
      [],
    );
  });
}
