import { randomBytes } from 'node:crypto';
import { MAX_PAGE } from '../../contract/primitives.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import {
  type AccessToken,
  deleteToken,
  insertToken,
  listTokens,
} from '../../storage/token-store.ts';
import { findUserRow, holdUser } from '../../storage/user-store.ts';
import type { TokenScope } from '../../words/service.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { hashToken } from './authenticate.ts';

/** All of a user's tokens fit in one answer. */
const MAX_TOKENS_PER_USER = MAX_PAGE;

export type NewToken = {
  name?: string | undefined;
  /** Default: read, write, ingest. */
  scopes?: TokenScope[] | undefined;
  accountIds?: string[] | undefined;
  expiresInDays?: number | undefined;
};

/**
 * Creates a token of a user. The secret is only in this answer; its hash is stored. Throws
 * `notFound` for an unknown user, `conflict` if there are too many tokens.
 */
export async function createToken(
  { changes, now, newId }: Context,
  by: Actor,
  userId: string,
  input: NewToken,
): Promise<{ id: string; token: string }> {
  const secret = `plm_${randomBytes(32).toString('base64url')}`;
  const createdAtMs = now();
  const token: AccessToken = {
    id: newId(),
    userId,
    name: input.name ?? null,
    hash: hashToken(secret),
    scopes: input.scopes ?? ['read', 'write', 'ingest'],
    accountIds: input.accountIds ?? null,
    createdAtMs,
    expiresAtMs:
      input.expiresInDays === undefined
        ? null
        : createdAtMs + Math.round(input.expiresInDays * DAY_MS),
  };
  await changes.make(by, async (tx) => {
    if (!(await holdUser(tx, userId))) throw notFound('User');
    await tx.lock(`tokens:${userId}`);
    const { length } = await listTokens(tx, userId);
    if (length >= MAX_TOKENS_PER_USER) {
      throw conflict(`This user already has ${length} tokens: revoke some first`);
    }
    await insertToken(tx, token);
    const { name, scopes, accountIds, expiresAtMs } = token;
    const details = { tokenId: token.id, name, scopes, accountIds, expiresAtMs };
    return { result: undefined, audit: [{ action: 'token.created', userId, details }] };
  });
  return { id: token.id, token: secret };
}

export async function readTokens({ database }: Context, userId: string): Promise<AccessToken[]> {
  if (!(await findUserRow(database, userId))) throw notFound('User');
  return listTokens(database, userId);
}

/** Revokes a token: once this returns, no new request is accepted with it. */
export async function revokeToken({ changes }: Context, by: Actor, tokenId: string): Promise<void> {
  await changes.make(by, async (tx) => {
    const token = await deleteToken(tx, tokenId);
    if (!token) throw notFound('Token');
    const details = { tokenId, name: token.name };
    return {
      result: undefined,
      audit: [{ action: 'token.revoked', userId: token.userId, details }],
    };
  });
}
