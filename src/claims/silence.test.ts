import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestTime } from '../../test/servers/test-time.ts';
import type { ProcessRow } from '../storage/claim-store.ts';
import { Silence } from './silence.ts';

const PATIENCE_MS = 5000;
const BEAT_MS = 1000;

const rowOf = (id: string, beat: number, mark: string | null = null): ProcessRow => ({
  ...{ id, beat, mark, shares: [], startedAtMs: 0, host: '', seenAtMs: 0, report: null },
  ...{ schemaVersion: 1, keyIds: [] },
});
const idsOf = (rows: readonly ProcessRow[]): string[] => rows.map(({ id }) => id);

describe('watching other processes', () => {
  const time = new TestTime();
  const silence = new Silence(time, PATIENCE_MS);
  const look = (beats: Record<string, number>) =>
    silence.look(Object.entries(beats).map(([id, beat]) => rowOf(id, beat)));

  it('a process is alive once its beat has moved, not when first seen', async () => {
    const first = look({ own: 1, other: 1 });
    assert.deepEqual([idsOf(first.living), [...first.beating]], [['own', 'other'], []]);
    await time.pass(BEAT_MS);
    assert.deepEqual([...look({ own: 2, other: 2 }).beating], ['own', 'other']);
  });

  it('a process is silent once its beat stands still, but alive for a while after this process was away', async () => {
    for (let beat = 3; beat <= 7; beat += 1) {
      await time.pass(BEAT_MS);
      look({ own: beat, other: 2 });
    }
    const { living, silent, gone } = look({ own: 7, other: 2 });
    assert.deepEqual([living, silent, gone].map(idsOf), [['own'], ['other'], []]);
    await time.pass(2 * PATIENCE_MS);
    const after = look({ own: 8, other: 2 });
    // It may have been on its way, so none of its jobs are taken; but it is given no more either.
    assert.deepEqual([idsOf(after.living), [...after.beating]], [['own', 'other'], ['own']]);
    await time.pass(BEAT_MS);
    assert.deepEqual([...look({ own: 9, other: 3 }).beating], ['own', 'other']);
  });

  it('a process that was silent for long is gone', async () => {
    let beat = 10;
    for (; beat < 10 + 16 * 5; beat += 1) {
      await time.pass(BEAT_MS);
      look({ own: beat, other: 3 });
    }
    assert.deepEqual(idsOf(look({ own: beat, other: 3 }).gone), ['other']);
  });

  it('does not wait for an ended process of its own machine, even when first seen', () => {
    const local = { own: 'mark of own', hasEnded: (mark: string) => mark === 'mark of killed' };
    const rows = ['killed', 'paused', 'own'].map((id) => rowOf(id, 7, `mark of ${id}`));
    const seen = new Silence(time, PATIENCE_MS, local).look([...rows, rowOf('elsewhere', 7)]);
    assert.deepEqual(idsOf(seen.living), ['paused', 'own', 'elsewhere']);
    assert.deepEqual(idsOf(seen.gone), ['killed']);
  });
});
