import { MAX_SESSIONS, SESSION_DAYS } from '../../contract/operations/sessions.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import {
  type AccessToken,
  deleteOldest,
  deleteToken,
  insertToken,
} from '../../storage/token-store.ts';
import { type Actor, type AuditNote, actorOf } from '../changes.ts';
import { isoTime } from '../present-time.ts';
import { unauthorized } from '../users/authenticate.ts';
import {
  CODE_HAS_ENDED,
  drawSecret,
  heldMaker,
  type Maker,
  makerOf,
  type SessionContext,
  type SignIn,
} from './credentials.ts';

export const MAX_DEVICE = 200;

/** Where a request to sign in comes from. */
export type Browser = { address: string; device: string | undefined };

/**
 * Begins a session with the rights of a token or person, and spends the code that led to it. Of
 * many sessions, the one used longest ago ends. Returns the secret for the cookie. Throws
 * `unauthorized`.
 */
export async function signIn(
  context: SessionContext,
  by: SignIn,
  browser: Browser,
): Promise<string> {
  const { maker, code } = await makerOf(context, by, browser.address);
  return beginSession(context, maker, { ...browser, code, by: code ? 'code' : 'token' });
}

export type Beginning = Browser & {
  by: 'token' | 'code' | 'provider';
  /** Spent by it. */
  code?: AccessToken | undefined;
  /** Of one that begins at an OpenID provider: its session there, or ''. */
  providerSession?: string;
};

/** Throws `unauthorized` if the maker or the code is gone. */
export async function beginSession(
  context: Pick<SessionContext, 'changes' | 'now' | 'newId' | 'adminTokenHash'>,
  maker: Maker,
  { address, device = '', by, code, providerSession }: Beginning,
): Promise<string> {
  const { changes, now, newId } = context;
  const { secret, hash } = drawSecret(context, maker, 'session');
  const own = { id: newId(), hash, device: device.slice(0, MAX_DEVICE), createdAtMs: now() };
  await changes.make(makerActor(maker), async (tx) => {
    if (code && !(await deleteToken(tx, code.id, 'code'))) throw unauthorized(CODE_HAS_ENDED);
    const held = await heldMaker(tx, maker);
    const endMs = held.expiresAtMs ?? Number.POSITIVE_INFINITY;
    const expiresAtMs = Math.min(own.createdAtMs + SESSION_DAYS * DAY_MS, endMs);
    const ended = await deleteOldest(tx, maker.id, 'session', MAX_SESSIONS - 1);
    await insertToken(tx, {
      ...{ ...held, ...own, kind: 'session', expiresAtMs, madeBy: maker.id },
      ...{ subject: null, providerSession: providerSession ?? null },
    });
    const details = {
      ...{ sessionId: own.id, by, from: address, device: own.device },
      expiresAt: isoTime(expiresAtMs),
    };
    const started: AuditNote = { action: 'session.started', ...concerning(maker), details };
    return { result: undefined, audit: [started, ...ended.map(noteOfEnd)] };
  });
  return secret;
}

export const noteOfEnd = ({ id, userId }: AccessToken): AuditNote => ({
  action: 'session.ended',
  ...concerning({ userId }),
  details: { sessionId: id },
});

const concerning = ({ userId }: Pick<Maker, 'userId'>): { userId?: string } =>
  userId === null ? {} : { userId };

export const makerActor = ({ id, userId, email }: Maker): Actor =>
  actorOf({
    ...{ userId: userId ?? undefined, tokenId: id, from: id },
    ...(email === null ? {} : { actor: `person:${email}` }),
  });
