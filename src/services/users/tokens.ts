import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../../domain/broker-time.ts';
import {
  type AccessToken,
  deleteToken,
  insertToken,
  listTokens,
  type TokenScope,
} from '../../storage/token-store.ts';
import { findUser } from '../../storage/user-store.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { hashToken } from './authenticate.ts';

export type NewToken = {
  name?: string | undefined;
  /** Default: read, write, ingest. */
  scopes?: TokenScope[] | undefined;
  accountIds?: string[] | undefined;
  expiresInDays?: number | undefined;
};

/** Creates a token of a user. The secret is in this answer and nowhere else; its hash is stored. */
export async function createToken(
  { database, now, newId }: Context,
  userId: string,
  input: NewToken,
): Promise<{ id: string; token: string }> {
  if (!(await findUser(database, userId))) throw notFound('User');
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
  await insertToken(database, token);
  return { id: token.id, token: secret };
}

export async function readTokens({ database }: Context, userId: string): Promise<AccessToken[]> {
  if (!(await findUser(database, userId))) throw notFound('User');
  return listTokens(database, userId);
}

/** Revokes a token: no request that starts after this returns is answered to it. */
export async function revokeToken({ database }: Context, tokenId: string): Promise<void> {
  const existed = await database.transaction((tx) => deleteToken(tx, tokenId));
  if (!existed) throw notFound('Token');
}
