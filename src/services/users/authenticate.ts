import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { AccessToken } from '../../storage/token-store.ts';
import { TOKEN_SCOPES } from '../../words/service.ts';
import type { Context, Principal } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { TokenUses } from './token-uses.ts';

const MAX_TOKEN_LENGTH = 256;

export const hashToken = (token: string): string => digest('sha256', token, 'hex');

/**
 * Turns the auth-token header of a request from an address into the caller. Throws `unauthorized` for a missing, unknown,
 * revoked or expired token, always with the same text. Each call checks the database for changed
 * tokens, so a revocation counts at once, in every process. A hash is looked up, so timing reveals
 * nothing about the secret. Every request comes through here, so its later reads of the catalogue
 * are as new as the request.
 */
export async function authenticate(
  {
    catalogue,
    now,
    adminTokenHash,
    uses,
  }: Pick<Context, 'catalogue' | 'now'> & {
    adminTokenHash?: string | undefined;
    uses: Pick<TokenUses, 'note'>;
  },
  token: string | undefined,
  address: string,
): Promise<Principal> {
  if (!token || token.length > MAX_TOKEN_LENGTH) throw unauthorized();
  const hash = hashToken(token);
  await catalogue.refresh();
  if (adminTokenHash && equal(hash, adminTokenHash)) return OPERATOR;
  const found = await catalogue.tokenByHash(hash);
  if (!found) throw unauthorized();
  const nowMs = now();
  if (found.expiresAtMs !== null && found.expiresAtMs <= nowMs) throw unauthorized();
  uses.note(found.id, address, nowMs);
  return principalOf(found);
}

/** Made once per token, for as long as the catalogue remembers it. */
const principals = new WeakMap<AccessToken, Principal>();

function principalOf(token: AccessToken): Principal {
  const known = principals.get(token);
  if (known) return known;
  const principal = {
    userId: token.userId,
    tokenId: token.id,
    scopes: new Set(token.scopes),
    accountNumbers: token.accountNumbers ? new Set(token.accountNumbers) : undefined,
    expiresAtMs: token.expiresAtMs ?? undefined,
  };
  principals.set(token, principal);
  return principal;
}

const OPERATOR: Principal = {
  userId: undefined,
  tokenId: 'bootstrap',
  scopes: new Set(TOKEN_SCOPES),
  accountNumbers: undefined,
};

const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const unauthorized = (): ServiceError =>
  new ServiceError('unauthorized', 'The auth-token header is missing or not valid');
