import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFirst } from './count-first.ts';

test('halving counts what counting from the start counts, for each length and border', () => {
  for (let length = 0; length <= 20; length += 1) {
    for (let border = 0; border <= length; border += 1) {
      const asked: number[] = [];
      const count = countFirst(length, (place) => {
        asked.push(place);
        return place < border;
      });
      assert.equal(count, border);
      assert.ok(asked.every((place) => place >= 0 && place < length));
    }
  }
});
