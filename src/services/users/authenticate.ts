import { hash as digest, timingSafeEqual } from 'node:crypto';
import { SESSION_IDLE_HOURS } from '../../contract/operations/sessions.ts';
import { HOUR_MS } from '../../domain/broker-time.ts';
import { type AccessToken, readLastUse } from '../../storage/token-store.ts';
import { OPERATOR_PREFIX, TOKEN_SCOPES } from '../../words/service.ts';
import type { Context, Principal } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { TokenUses } from './token-uses.ts';

const MAX_TOKEN_LENGTH = 256;
/** A session that is not used for so long has ended. */
export const IDLE_MS = SESSION_IDLE_HOURS * HOUR_MS;

export const hashToken = (token: string): string => digest('sha256', token, 'hex');

/** What callers are known by. */
export type Authentication = {
  /** SHA-256 of the operator's bootstrap token, if there is one. */
  adminTokenHash?: string | undefined;
  uses: Pick<TokenUses, 'note' | 'lastMs'>;
};

/** What a request shows: a token, or the secret of a session, and its network address. */
export type Presented = {
  token?: string | undefined;
  session?: string | undefined;
  address: string;
};

/**
 * Turns what a request shows into the caller. Throws `unauthorized` for a missing, unknown, revoked
 * or expired token, always with the same text, and likewise for a session. Each call checks the
 * database for changed tokens, so a revocation counts at once, in every process. A hash is looked
 * up, so timing reveals nothing about the secret. Every request comes through here, so its later
 * reads of the catalogue are as new as the request.
 */
export async function authenticate(
  context: Pick<Context, 'catalogue' | 'database' | 'now'> & Authentication,
  { token, session, address }: Presented,
): Promise<Principal> {
  const { catalogue, now, uses, adminTokenHash } = context;
  const secret = token ?? session;
  const refusal = (): ServiceError =>
    unauthorized(token === undefined && session !== undefined ? SESSION_HAS_ENDED : undefined);
  if (!secret || secret.length > MAX_TOKEN_LENGTH) throw refusal();
  const hash = secretHash(context, secret);
  await catalogue.refresh();
  if (adminTokenHash && token !== undefined && equal(hash, adminTokenHash)) return OPERATOR;
  const found = await catalogue.tokenByHash(hash);
  if (found?.kind !== (token === undefined ? 'session' : 'token')) throw refusal();
  const nowMs = now();
  if (found.expiresAtMs !== null && found.expiresAtMs <= nowMs) throw refusal();
  if (found.kind === 'session' && (await isIdle(context, found, nowMs))) throw refusal();
  uses.note(found.id, address, nowMs);
  return principalOf(found);
}

/** Whether a session was not used for long, also not in another process. */
async function isIdle(
  { database, uses }: Pick<Context, 'database'> & Authentication,
  { id, createdAtMs }: AccessToken,
  nowMs: number,
): Promise<boolean> {
  if (nowMs - (uses.lastMs(id) ?? createdAtMs) < IDLE_MS) return false;
  return nowMs - ((await readLastUse(database, id)) ?? createdAtMs) >= IDLE_MS;
}

/** What a secret is looked up by. Sessions of the operator are of the bootstrap token, too. */
export const secretHash = (
  { adminTokenHash = '' }: Pick<Authentication, 'adminTokenHash'>,
  secret: string,
): string => hashToken(secret.startsWith(OPERATOR_PREFIX) ? `${secret}${adminTokenHash}` : secret);

/** Made once per token, for as long as the catalogue remembers it. */
const principals = new WeakMap<AccessToken, Principal>();

function principalOf(token: AccessToken): Principal {
  const known = principals.get(token);
  if (known) return known;
  const principal = {
    userId: token.userId ?? undefined,
    tokenId: token.id,
    ...(token.role && token.email ? { role: token.role, actor: `person:${token.email}` } : {}),
    from: token.kind === 'session' ? (token.madeBy ?? undefined) : undefined,
    scopes: new Set(token.scopes),
    accountNumbers: token.accountNumbers ? new Set(token.accountNumbers) : undefined,
    expiresAtMs: token.expiresAtMs ?? undefined,
  };
  principals.set(token, principal);
  return principal;
}

export const OPERATOR: Principal = {
  userId: undefined,
  tokenId: 'bootstrap',
  scopes: new Set(TOKEN_SCOPES),
  accountNumbers: undefined,
};

const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const SESSION_HAS_ENDED = 'Your session has ended: sign in again';

export const unauthorized = (
  message = 'The auth-token header is missing or not valid',
): ServiceError => new ServiceError('unauthorized', message);
