import type { Transaction } from '../../storage/database.ts';
import { type AccessToken, findToken, lockToken } from '../../storage/token-store.ts';
import { holdUser } from '../../storage/user-store.ts';
import {
  OPERATOR_PREFIX,
  SESSION_PREFIXES,
  type SessionKind,
  TOKEN_SCOPES,
} from '../../words/service.ts';
import type { Context } from '../context.ts';
import {
  type Authentication,
  authenticate,
  OPERATOR,
  secretHash,
  unauthorized,
} from '../users/authenticate.ts';
import { newSecret } from '../users/tokens.ts';

/** What sessions are begun with. */
export type SignIn = { token?: string | undefined; code?: string | undefined };

export type SessionContext = Context & Authentication;

/** The token that a session would be from. */
export type Maker = Pick<
  AccessToken,
  | 'id'
  | 'userId'
  | 'name'
  | 'scopes'
  | 'accountIds'
  | 'accountNumbers'
  | 'expiresAtMs'
  | 'role'
  | 'email'
>;

const BOOTSTRAP: Maker = {
  id: OPERATOR.tokenId,
  ...{ userId: null, name: null, scopes: [...TOKEN_SCOPES] },
  ...{ accountIds: null, accountNumbers: null, expiresAtMs: null },
  ...{ role: null, email: null },
};

/**
 * The token that is shown, or that a code is from. Throws `unauthorized` if there is none, or it
 * has ended.
 */
export async function makerOf(
  context: SessionContext,
  { token, code }: SignIn,
  address: string,
): Promise<{ maker: Maker; code: AccessToken | undefined }> {
  if (code === undefined) {
    const { tokenId } = await authenticate(context, { token, address });
    return { maker: await makerById(context, tokenId), code: undefined };
  }
  await context.catalogue.refresh();
  const found = await context.catalogue.tokenByHash(secretHash(context, code));
  if (found?.kind !== 'code' || hasEnded(found, context.now())) throw unauthorized(CODE_HAS_ENDED);
  return { maker: await makerById(context, found.madeBy ?? ''), code: found };
}

export const CODE_HAS_ENDED = 'This link has been used or has ended: ask for another';

/** Throws `unauthorized` for one that is gone or has ended. */
export async function makerById(
  { database, now }: Pick<Context, 'database' | 'now'>,
  id: string,
): Promise<Maker> {
  const maker = id === BOOTSTRAP.id ? BOOTSTRAP : await findToken(database, id);
  if (!maker || hasEnded(maker, now())) throw unauthorized();
  return maker;
}

/**
 * What a session or code is made from, which nobody changes or revokes until the end of the
 * transaction. Throws `unauthorized` if somebody just has.
 */
export async function heldMaker(tx: Transaction, maker: Maker): Promise<Maker> {
  if (maker.userId === null) return maker;
  const held = (await holdUser(tx, maker.userId)) ? await lockToken(tx, maker.id) : undefined;
  if (!held) throw unauthorized();
  return held;
}

const hasEnded = ({ expiresAtMs }: Pick<Maker, 'expiresAtMs'>, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** A new secret for a session or code from a token. Those of the operator end with its token. */
export function drawSecret(
  authentication: Pick<Authentication, 'adminTokenHash'>,
  { userId }: Maker,
  kind: SessionKind,
): { secret: string; hash: string } {
  const secret = newSecret(userId === null ? OPERATOR_PREFIX : SESSION_PREFIXES[kind]);
  return { secret, hash: secretHash(authentication, secret) };
}
