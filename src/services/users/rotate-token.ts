import { DEFAULT_OVERLAP_MINUTES } from '../../contract/operations/users.ts';
import { MINUTE_MS } from '../../domain/broker-time.ts';
import { inheritTokens, insertToken, lockToken, retireToken } from '../../storage/token-store.ts';
import { type Compatibility, TOKEN_PREFIXES } from '../../words/service.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { isoTime } from '../present-time.ts';
import { hashToken } from './authenticate.ts';
import { holdToken, newSecret } from './tokens.ts';

export type Rotation = {
  overlapMinutes?: number | undefined;
  /** Whose names requests with the new secret have. Default: ours. */
  compatibility?: Compatibility | undefined;
};

/**
 * Makes a token with the rights, the name and the end of another, which ends after the overlap.
 * What that made, or makes until then, counts as made by the new one. A token that rotates itself
 * is the maker of the new one instead, so that whoever stole it cannot outlive its revocation.
 * Throws `notFound`, and `conflict` for a token that has ended, or if there are too many.
 */
export async function rotateToken(
  { changes, now, newId }: Pick<Context, 'changes' | 'now' | 'newId'>,
  by: Actor,
  tokenId: string,
  { overlapMinutes = DEFAULT_OVERLAP_MINUTES, compatibility = 'none' }: Rotation = {},
): Promise<{ id: string; token: string }> {
  const id = newId();
  const nowMs = now();
  return changes.make(by, async (tx) => {
    const old = await lockToken(tx, tokenId);
    if (!old?.userId || old.kind !== 'token') throw notFound('Token');
    const { userId, expiresAtMs } = old;
    if (expiresAtMs !== null && expiresAtMs <= nowMs)
      throw conflict('This token has ended: create another');
    const secret = newSecret(TOKEN_PREFIXES[compatibility]);
    await holdToken(tx, userId, old);
    const isByItself = by.tokenId === old.id;
    const madeBy = isByItself ? old.id : old.madeBy;
    await insertToken(tx, { ...old, id, madeBy, hash: hashToken(secret), createdAtMs: nowMs });
    if (!isByItself) await inheritTokens(tx, [old.id], id);
    const endsAtMs = Math.min(
      expiresAtMs ?? Number.POSITIVE_INFINITY,
      nowMs + overlapMinutes * MINUTE_MS,
    );
    await retireToken(tx, old, endsAtMs, isByItself ? old.madeBy : id);
    const details = { tokenId: old.id, successorId: id, endsAt: isoTime(endsAtMs) };
    return {
      result: { id, token: secret },
      audit: [{ action: 'token.rotated', userId, details }],
    };
  });
}
