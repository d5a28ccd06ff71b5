import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { newAccount, useDatabase } from '../../../test/storage-contract/fixture.ts';
import { Roster } from './roster.ts';

describe('the roster of a profile', () => {
  const use = useDatabase('sqlite');

  it('keeps two accounts of one login in separate requests', async () => {
    const profileId = randomUUID();
    for (const login of ['200001', '200001', '200002']) {
      await newAccount(use.database, { profileId, login });
    }
    const roster = new Roster(profileId);
    await roster.refresh(use.database);
    const slices = roster.slices.map(({ members }) => [...members].map(({ login }) => login));
    assert.deepEqual(slices, [[200_001, 200_002], [200_001]]);
  });
});
