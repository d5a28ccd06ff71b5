import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['.', 'docs', 'deploy', 'bridge', 'clients/typescript', 'clients/python', 'web'];

/** Every document of the project, by its path. */
export const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

export type Block = { page: string; language: string; text: string };
/** A block of requests, and the answer that the document shows below it. */
export type Request = { text: string; answer: Block | undefined };

export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The fenced blocks of a document, in order; including indented ones of list items. */
export function blocksOf(page: string): Block[] {
  return [...pageText(page).matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', body = '']) => ({
      page,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/**
 * The one block of a document that has these words. `claims.test.ts` looks for calls of this and of
 * `requestsOf` in the tests, to know which blocks are run: write both arguments out.
 */
export function exampleOf(page: string, words: string): string {
  const [block, ...more] = blocksOf(page).filter(({ text }) => text.includes(words));
  assert.ok(block, `${page} has no block with ${words}`);
  assert.equal(more.length, 0, `${page} has several blocks with ${words}`);
  return block.text;
}

/** Every block of requests of a document, in order. */
export function requestsOf(page: string): Request[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, place) => {
    if (!isRequest(block)) return [];
    const next = blocks[place + 1];
    return [{ text: block.text, answer: next && isAnswer(next) ? next : undefined }];
  });
}

export const isRequest = ({ language, text }: Block): boolean =>
  language === 'sh' && /^curl /m.test(text);

/** Not a body shown alone. */
export const isAnswer = ({ language, text }: Block): boolean =>
  language === 'text' || (language === 'json' && !text.startsWith('{ '));
