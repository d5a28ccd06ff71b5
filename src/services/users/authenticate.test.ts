import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccessToken } from '../../storage/token-store.ts';
import { OPERATOR_PREFIX } from '../../words/service.ts';
import { authenticate, hashToken, secretHash } from './authenticate.ts';
import { TokenUses } from './token-uses.ts';

const HOUR_MS = 3_600_000;

/** One stored secret, and the last use of it that others stored. */
function world(stored: Partial<AccessToken> & { hash: string }, storedUse = { atMs: 0 }) {
  const row: AccessToken = {
    ...{ id: 'id', kind: 'session', userId: 'user', name: null, scopes: ['read'] },
    ...{ accountIds: null, accountNumbers: null, createdAtMs: 0, expiresAtMs: 170 * HOUR_MS },
    ...{ madeBy: 'token', device: '', role: null, email: null },
    ...{ subject: null, providerSession: null },
    ...stored,
  };
  const time = { nowMs: 0 };
  const context = {
    catalogue: {
      refresh: async () => {},
      tokenByHash: (hash: string) => (hash === row.hash ? row : undefined),
    },
    database: { get: async () => ({ used_at_ms: storedUse.atMs }) },
    ...{ now: () => time.nowMs, uses: new TokenUses(), adminTokenHash: hashToken('admin') },
  } as object as Parameters<typeof authenticate>[0];
  const isGood = async (session: string, atHour: number): Promise<boolean> => {
    time.nowMs = atHour * HOUR_MS;
    const asked = authenticate(context, { session, address: '192.0.2.1' });
    return asked.then(
      () => true,
      () => false,
    );
  };
  return { context, isGood };
}

it('a session ends after twelve hours without a request, and after its time', async () => {
  const { isGood } = world({ hash: hashToken('s') });
  for (const hour of [0, 11.9, 23.8, 35.7]) assert.equal(await isGood('s', hour), true);
  assert.equal(await isGood('s', 47.8), false);
  const { isGood: isOther } = world({ hash: hashToken('s') });
  for (let hour = 0; hour < 170; hour += 10) assert.equal(await isOther('s', hour), true);
  assert.equal(await isOther('s', 170), false);
});

it('a session that another process saw is not idle', async () => {
  const storedUse = { atMs: 10 * HOUR_MS };
  const { isGood } = world({ hash: hashToken('s') }, storedUse);
  assert.equal(await isGood('s', 21), true);
  storedUse.atMs = 0;
  assert.equal(await isGood('s', 32), true, 'seen here');
  assert.equal(await isGood('s', 44), false);
});

it('sessions of the operator end when the bootstrap token is another', async () => {
  const secret = `${OPERATOR_PREFIX}x`;
  const hash = secretHash({ adminTokenHash: hashToken('admin') }, secret);
  const { isGood, context } = world({ hash, userId: null });
  assert.equal(await isGood(secret, 1), true);
  context.adminTokenHash = hashToken('other');
  assert.equal(await isGood(secret, 1), false);
  context.adminTokenHash = undefined;
  assert.equal(await isGood(secret, 1), false);
});
