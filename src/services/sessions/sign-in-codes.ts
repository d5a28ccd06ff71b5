import { CODE_MINUTES, MAX_SESSIONS } from '../../contract/operations/sessions.ts';
import { MINUTE_MS } from '../../domain/broker-time.ts';
import { deleteOldest, insertToken } from '../../storage/token-store.ts';
import { type Actor, actorOf, type ChangeTransaction } from '../changes.ts';
import type { Principal } from '../context.ts';
import { isoTime } from '../present-time.ts';
import {
  drawSecret,
  heldMaker,
  type Maker,
  makerById,
  type SessionContext,
} from './credentials.ts';

/** A code that signs one browser in with the rights of the caller. */
export async function createSignInCode(
  context: SessionContext,
  principal: Principal,
): Promise<{ code: string; expiresAt: string }> {
  const maker = await makerById(context, principal.from ?? principal.tokenId);
  return makeCode(context, actorOf(principal), maker, CODE_MINUTES * MINUTE_MS);
}

/** A code for a session of a token or person. It ends with that; of many, the oldest ends. */
export async function makeCode(
  context: Pick<SessionContext, 'changes' | 'now' | 'newId' | 'adminTokenHash'>,
  by: Actor,
  maker: Maker,
  lastsMs: number,
  /** In the same transaction. */
  also: (tx: ChangeTransaction, code: string) => Promise<void> = async () => {},
): Promise<{ code: string; expiresAt: string }> {
  const { secret: code, hash } = drawSecret(context, maker, 'code');
  const createdAtMs = context.now();
  const expiresAtMs = createdAtMs + lastsMs;
  const row = { id: context.newId(), kind: 'code', hash, createdAtMs, expiresAtMs } as const;
  await context.changes.make(by, async (tx) => {
    const held = await heldMaker(tx, maker);
    await deleteOldest(tx, maker.id, 'code', MAX_SESSIONS - 1);
    await insertToken(tx, {
      ...{ ...held, ...row, scopes: [], madeBy: maker.id },
      ...{ device: null, subject: null, providerSession: null },
    });
    await also(tx, code);
    const details = { codeId: row.id, expiresAt: isoTime(expiresAtMs) };
    const userId = maker.userId ?? undefined;
    return { result: undefined, audit: [{ action: 'session.offered', userId, details }] };
  });
  return { code, expiresAt: isoTime(expiresAtMs) };
}
