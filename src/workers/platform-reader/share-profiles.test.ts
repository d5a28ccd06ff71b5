import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import type { ProfileReading } from '../../storage/profile-reading-store.ts';
import { shareProfiles } from './share-profiles.ts';

const PROCESSES = ['a', 'b', 'c'];
const free = (sizes: readonly number[]): ProfileReading[] =>
  sizes.map((accounts, index) => ({ profileId: `p${index}`, reader: undefined, accounts }));
const loadOf = (id: string, readings: readonly ProfileReading[]): number =>
  readings.filter(({ reader }) => reader === id).reduce((sum, each) => sum + each.accounts + 10, 0);

/** Each process in turn makes its moves, until none has any. */
function settle(processes: readonly string[], readings: ProfileReading[]): number {
  for (let rounds = 0; ; rounds += 1) {
    let isCalm = true;
    for (const own of processes) {
      const { take, leave } = shareProfiles(own, processes, readings);
      for (const reading of readings) {
        if (take.includes(reading.profileId)) reading.reader = own;
        if (reading.profileId === leave) reading.reader = undefined;
      }
      isCalm &&= take.length === 0 && leave === undefined;
    }
    if (isCalm) return rounds;
    assert.ok(rounds < 1_000, 'it never comes to rest');
  }
}

test('a process alone takes all free profiles, and releases none', () => {
  assert.deepEqual(shareProfiles('a', ['a'], free([5, 0, 9])), {
    take: ['p2', 'p0', 'p1'],
    leave: undefined,
  });
  // Announced or not.
  assert.equal(shareProfiles('a', [], free([5])).take.length, 1);
});

test('concurrent processes want different profiles, and together all', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { maxLength: 30 }), (sizes) => {
      const readings = free(sizes);
      const wanted = PROCESSES.flatMap((own) => shareProfiles(own, PROCESSES, readings).take);
      assert.deepEqual(wanted.toSorted(), readings.map(({ profileId }) => profileId).toSorted());
    }),
  );
});

test('from any state all profiles get read, as evenly as one profile allows', () => {
  const readers = fc.constantFrom<string | undefined>('a', 'b', 'c', 'dead', undefined);
  const some = fc.array(fc.record({ accounts: fc.nat(10_000), reader: readers }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(some, (each) => {
      const readings = each.map((fields, index) => ({
        profileId: `p${index}`,
        ...fields,
        reader: fields.reader === 'dead' ? undefined : fields.reader,
      }));
      settle(PROCESSES, readings);
      assert.ok(readings.every(({ reader }) => reader !== undefined));
      const loads = PROCESSES.map((id) => loadOf(id, readings));
      const busiest = PROCESSES[loads.indexOf(Math.max(...loads))];
      for (const { accounts, reader } of readings)
        if (reader === busiest)
          assert.ok(2 * (accounts + 10) > Math.max(...loads) - Math.min(...loads));
    }),
  );
});
