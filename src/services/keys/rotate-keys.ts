import { holdEvidenceKeys, listEvidenceKeys } from '../../storage/evidence-key-store.ts';
import { LockedSecret } from '../../storage/key-ring.ts';
import {
  listLacking,
  listSealedOtherwise,
  replaceSecret,
  SECRET_KINDS,
  type SecretKind,
} from '../../storage/secret-key-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, invalidParameter } from '../errors.ts';
import { EvidenceKeys } from '../evidence/evidence-keys.ts';

const SECRETS_AT_ONCE = 100;
/** The keys of evidence in an answer. */
export const MAX_EVIDENCE_KEYS = 1000;

export type Rotation = { keyId: string; encrypted: number; locked: number };
type RotationContext = Pick<Context, 'database' | 'changes' | 'now' | 'secrets'>;

/**
 * Encrypts all secrets under the first key of the settings, some at a time, while servers keep
 * running. Those whose key is missing stay unchanged. Throws `conflict` while a running process
 * does not have the key yet.
 */
export async function rotateKeys(context: RotationContext, by: Actor): Promise<Rotation> {
  const { secrets } = context;
  const [keyId] = secrets.settingIds;
  if (keyId === undefined) {
    throw invalidParameter('PLIMSOLL_SECRET_KEY', 'must be set to the key to encrypt under');
  }
  await context.changes.make(by, async (tx) => {
    const lacking = await listLacking(tx, keyId);
    if (lacking.length > 0) {
      throw conflict(
        `Processes on ${lacking.join(', ')} do not have the key ${keyId} yet: set ` +
          'PLIMSOLL_SECRET_KEY to the new key, a comma and the old one for all of them, restart ' +
          'one after the other, and run this again',
      );
    }
    await secrets.holdCurrent(tx);
    const audit = [{ action: 'key.rotated', details: { keyId } }] as const;
    return { result: undefined, audit };
  });
  const rotation = { keyId, encrypted: 0, locked: 0 };
  for (const kind of SECRET_KINDS) await encryptAll(context, kind, rotation);
  return rotation;
}

/** In order of the owners: a secret stored in the meantime is under the new key. */
async function encryptAll(
  { changes, secrets }: RotationContext,
  kind: SecretKind,
  rotation: Rotation,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const done = await changes.record(async (tx) => {
      const count = { encrypted: 0, locked: 0 };
      const box = await secrets.holdCurrent(tx);
      const some = await listSealedOtherwise(tx, kind, box.keyId, from, SECRETS_AT_ONCE);
      for (const { ownerId, ...sealed } of some) {
        const text = await secrets.open(sealed, ownerId).catch(unlessLocked);
        if (text === undefined) count.locked += 1;
        else {
          await replaceSecret(tx, kind, ownerId, sealed, box.seal(text, ownerId));
          count.encrypted += 1;
        }
      }
      return { ...count, after: some.length < SECRETS_AT_ONCE ? undefined : some.at(-1)?.ownerId };
    });
    rotation.encrypted += done.encrypted;
    rotation.locked += done.locked;
    after = done.after;
  }
}

/** Makes a new key that signs events from now on. The key before vouches for it, if available. */
export function rotateEvidenceKey(
  context: RotationContext,
  by: Actor,
): Promise<{ publicKey: string; isVouchedFor: boolean }> {
  const keys = new EvidenceKeys(context);
  return context.changes.make(by, async (tx) => {
    await holdEvidenceKeys(tx);
    const { length: known } = await listEvidenceKeys(tx);
    if (known >= MAX_EVIDENCE_KEYS) throw conflict(`${known} keys have signed events already`);
    const added = await keys.add(tx);
    const details = { publicKey: added.publicKey, isVouchedFor: added.isVouchedFor };
    return { result: added, audit: [{ action: 'evidenceKey.rotated', details }] };
  });
}

function unlessLocked(error: unknown): undefined {
  if (!(error instanceof LockedSecret)) throw error;
}
