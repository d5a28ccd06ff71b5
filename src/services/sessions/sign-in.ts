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

const MAX_DEVICE = 200;

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
  { address, device = '' }: Browser,
): Promise<string> {
  const { changes, now, newId } = context;
  const { maker, code } = await makerOf(context, by, address);
  const { secret, hash } = drawSecret(context, maker, 'session');
  const id = newId();
  await changes.make(makerActor(maker), async (tx) => {
    if (code && !(await deleteToken(tx, code.id, 'code'))) throw unauthorized(CODE_HAS_ENDED);
    const session = sessionOf(await heldMaker(tx, maker), { id, hash, device, nowMs: now() });
    const ended = await deleteOldest(tx, maker.id, 'session', MAX_SESSIONS - 1);
    await insertToken(tx, session);
    const details = {
      ...{ sessionId: id, from: address, device: session.device ?? '' },
      expiresAt: isoTime(session.expiresAtMs ?? 0),
    };
    const started: AuditNote = { action: 'session.started', ...concerning(maker), details };
    return { result: undefined, audit: [started, ...ended.map(noteOfEnd)] };
  });
  return secret;
}

function sessionOf(
  maker: Maker,
  { id, hash, device, nowMs }: { id: string; hash: string; device: string; nowMs: number },
): AccessToken {
  const { expiresAtMs: endMs, ...rights } = maker;
  const expiresAtMs = Math.min(nowMs + SESSION_DAYS * DAY_MS, endMs ?? Number.POSITIVE_INFINITY);
  return {
    ...{ ...rights, id, kind: 'session', hash, createdAtMs: nowMs, expiresAtMs },
    ...{ madeBy: maker.id, device: device.slice(0, MAX_DEVICE) },
  };
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
