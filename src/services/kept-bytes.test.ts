import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PageCache } from './page-cache.ts';
import { ownBytes, SharedAnswers } from './shared-answers.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const BOUND = 4 * 2 ** 20;
const ENTRY = 1500;

function heldBytes(): number {
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Other requests make short buffers in the slabs from which those of the entries would come. */
function otherWork(): void {
  for (let made = 0; made < 64_000; made += 1000) Buffer.from('y'.repeat(1000));
}

it('caches of short answers hold no more than their bound, whatever is made between them', async () => {
  const pages = new PageCache(BOUND);
  const answers = new SharedAnswers<Buffer>(BOUND, ({ length }) => length);
  const before = heldBytes();
  for (let number = 0; number * ENTRY < 2 * BOUND; number += 1) {
    const part = Buffer.from('x'.repeat(ENTRY));
    pages.set(`page ${number}`, '1', [part]);
    pages.set(`page ${number}`, '1', [part]);
    otherWork();
    await answers.of(`answer ${number}`, '1', async () => ownBytes('x'.repeat(ENTRY)));
    otherWork();
  }
  const held = heldBytes() - before;
  const counted = pages.bytes + answers.bytes;
  assert.ok(counted > BOUND && counted <= 2 * BOUND, String(counted));
  assert.ok(held < 1.2 * counted, `they count ${counted} bytes and hold ${held}`);
});
