import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { RecentMap } from './recent-map.ts';

it('never forgets the half that was used most recently, and never weighs more than its bound', () => {
  const use = fc.record({ key: fc.nat(30), isRead: fc.boolean() });
  fc.assert(
    fc.property(fc.array(use), fc.integer({ min: 20, max: 200 }), (uses, max) => {
      const weightOf = (value: number): number => 1 + (value % 5);
      const map = new RecentMap<number, number>(max, weightOf);
      let recent: number[] = [];
      for (const { key, isRead } of uses) {
        const isKnown = map.has(key);
        if (isRead) map.get(key);
        else map.set(key, key);
        if (isKnown || !isRead) recent = [key, ...recent.filter((each) => each !== key)];
        assert.ok(map.weight <= max);
        let weight = 0;
        for (const each of recent) {
          weight += weightOf(each);
          if (weight > max / 2) break;
          assert.equal(map.has(each), true, `${each} is forgotten`);
        }
      }
      const held = [...map.values()];
      assert.equal(held.length, map.size);
      assert.equal(
        map.weight,
        held.reduce((sum, value) => sum + weightOf(value), 0),
      );
    }),
  );
});

it('keeps nothing heavier than a half', () => {
  const map = new RecentMap<string, number>(10, (value) => value);
  map.set('a', 5);
  map.set('b', 6);
  assert.deepEqual([map.get('a'), map.get('b')], [5, undefined]);
  map.set('a', 6);
  assert.equal(map.size, 0);
});
