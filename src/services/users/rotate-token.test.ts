import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { newUser, useDatabase } from '../../../test/storage-contract/fixture.ts';
import { findToken } from '../../storage/token-store.ts';
import { addPerson, changePerson } from '../people/people.ts';
import { revokeToken } from './revoke-token.ts';
import { rotateToken } from './rotate-token.ts';
import { createToken } from './tokens.ts';

needs('postgres');

const OPERATOR = { actor: 'operator', tokenId: 'bootstrap' };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a rotation on ${kind}`, () => {
    const use = useDatabase(kind);

    it('gives no secret to a token or person that has just lost the right to it', async () => {
      const { database } = use;
      const userId = await newUser(database);
      const context = { ...(await testContext(database)), database };
      const stolen = await createToken(context, OPERATOR, userId, {});
      const { id } = await createToken(context, OPERATOR, userId, {});
      const invited = { name: 'Anna', email: 'anna@example.com', role: 'owner' } as const;
      const person = await addPerson(context, OPERATOR, userId, invited, {});
      const before = await findToken(database, id);
      // Both were let in before: what follows is all that stands in the way.
      await revokeToken(context, OPERATOR, stolen.id, { withMade: true });
      await changePerson(context, OPERATOR, userId, person.id, { role: 'viewer' });
      for (const tokenId of [stolen.id, person.id]) {
        const rotation = rotateToken(context, { actor: 'user', tokenId }, id);
        await assert.rejects(rotation, { code: 'unauthorized' });
      }
      assert.deepEqual(await findToken(database, id), before);
    });
  });
}
