import { DEFAULT_OVERLAP_MINUTES } from '../../contract/operations/users.ts';
import { MINUTE_MS } from '../../domain/broker-time.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  type AccessToken,
  findToken,
  inheritTokens,
  insertToken,
  lockToken,
  retireToken,
  roleBehind,
} from '../../storage/token-store.ts';
import { holdUser } from '../../storage/user-store.ts';
import { type Compatibility, TOKEN_PREFIXES } from '../../words/service.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { isoTime } from '../present-time.ts';
import { hashToken } from './authenticate.ts';
import { holdMaker, holdToken, newSecret } from './tokens.ts';

export type Rotation = {
  overlapMinutes?: number | undefined;
  /** Whose names requests with the new secret have. Default: ours. */
  compatibility?: Compatibility | undefined;
};

/**
 * Makes a token with the rights, the name and the end of another, which ends after the overlap.
 * Whoever is given a secret is the maker of it, so that nobody who stole a token outlives its
 * revocation: the caller's token makes the new one, and the old one stays as it was, with what it
 * made. By the maker of the old one, or by a command, the new one takes the old one's place, and is
 * the maker of it and of what it made. Throws `notFound`, `conflict` for a token that has ended, or
 * if there are too many, and `unauthorized` if the caller's was just revoked.
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
    // The user and the maker first, as everybody locks them: from the root down.
    const known = await findToken(tx, tokenId);
    if (!known?.userId || !(await holdUser(tx, known.userId))) throw notFound('Token');
    await holdMaker(tx, by, known.scopes);
    const old = await lockToken(tx, tokenId);
    if (!old?.userId || old.kind !== 'token') throw notFound('Token');
    const { userId, expiresAtMs } = old;
    if (expiresAtMs !== null && expiresAtMs <= nowMs)
      throw conflict('This token has ended: create another');
    const secret = newSecret(TOKEN_PREFIXES[compatibility]);
    await holdToken(tx, userId, old);
    const { tokenId: caller } = by;
    const isMakers = caller === null || caller === old.madeBy;
    const lineage = isMakers ? {} : await takenBy(tx, caller, old);
    const fresh = { id, hash: hashToken(secret), createdAtMs: nowMs };
    await insertToken(tx, { ...old, ...lineage, ...fresh });
    if (isMakers) await inheritTokens(tx, [old.id], id);
    const endsAtMs = Math.min(
      expiresAtMs ?? Number.POSITIVE_INFINITY,
      nowMs + overlapMinutes * MINUTE_MS,
    );
    await retireToken(tx, old, endsAtMs, isMakers ? id : old.madeBy);
    const details = { tokenId: old.id, successorId: id, endsAt: isoTime(endsAtMs) };
    return {
      result: { id, token: secret },
      audit: [{ action: 'token.rotated', userId, details }],
    };
  });
}

/** A token that another takes over still reaches only the tokens that the old one did. */
async function takenBy(
  tx: Transaction,
  madeBy: string,
  { id, role }: AccessToken,
): Promise<Pick<AccessToken, 'madeBy' | 'role'>> {
  const behind = await roleBehind(tx, id);
  return { madeBy, role: behind === (await roleBehind(tx, madeBy)) ? role : (behind ?? null) };
}
