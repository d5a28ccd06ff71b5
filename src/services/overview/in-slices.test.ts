import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { sortInSlices } from './in-slices.ts';

type Item = { key: number; place: number };
const compare = (a: Item, b: Item) => a.key - b.key;

it('sorts like a stable sort, from any order', async () => {
  const lengths = fc.constantFrom(0, 1, 1_999, 2_000, 2_001, 6_000, 9_001);
  await fc.assert(
    fc.asyncProperty(
      lengths,
      fc.integer({ min: 1, max: 5_000 }),
      fc.boolean(),
      async (n, m, up) => {
        const items = Array.from({ length: n }, (_, place) => ({
          key: up ? Math.floor(place / m) : (place * 7_919) % m,
          place,
        }));
        assert.deepEqual(await sortInSlices(items, compare), items.toSorted(compare));
      },
    ),
    { numRuns: 40 },
  );
});

it('lets other work run in between', async () => {
  const items = Array.from({ length: 20_000 }, (_, place) => ({ key: -place, place }));
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await sortInSlices(items, compare);
  isDone = true;
  assert.ok(turns > 10, `${turns} turns`);
});
