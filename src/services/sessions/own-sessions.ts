import {
  deleteSessionsOf,
  deleteToken,
  findToken,
  type ListedToken,
  listSessions,
} from '../../storage/token-store.ts';
import { actorOf, auditOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { beforeCreation, type Page, readMoment, readPage } from '../page.ts';
import { isOwner } from '../people/people.ts';
import { isoTime } from '../present-time.ts';
import { IDLE_MS } from '../users/authenticate.ts';
import { noteOfEnd } from './sign-in.ts';

/** Whose sessions the caller sees and ends: its token's, or all of the user. */
function reachOf(principal: Principal) {
  const { userId, tokenId, from = tokenId } = principal;
  return userId !== undefined && isOwner(principal) ? { userId } : { madeBy: from };
}

/** A page of the sessions that have not ended, newest first. */
export function listOwnSessions(
  { database, now }: Context,
  principal: Principal,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Page<ListedToken>> {
  const usedSinceMs = now() - IDLE_MS;
  const which = { ...reachOf(principal), sinceMs: now(), usedSinceMs };
  const from = readMoment(before);
  return readPage({ limit }, (most) => listSessions(database, which, from, most), beforeCreation);
}

/** A session as in lists. */
export const presentSession =
  ({ tokenId }: Principal) =>
  ({ id, name, device, createdAtMs, expiresAtMs, usedAtMs, usedFrom }: ListedToken) => ({
    id,
    ...(name === null ? {} : { name }),
    device: device ?? '',
    startedAt: isoTime(createdAtMs),
    expiresAt: isoTime(expiresAtMs ?? createdAtMs),
    lastUsedAt: isoTime(usedAtMs ?? createdAtMs),
    lastUsedFrom: usedFrom ?? '',
    isCurrent: id === tokenId,
  });

/** Ends a session; returns whether it was the caller's. Throws `notFound` beyond the reach. */
export async function endSession(
  { database, changes }: Context,
  principal: Principal,
  wanted: string,
): Promise<boolean> {
  const id = wanted === 'current' ? principal.tokenId : wanted;
  const reach = reachOf(principal);
  const found = await findToken(database, id);
  const isReached =
    'userId' in reach ? found?.userId === reach.userId : found?.madeBy === reach.madeBy;
  if (found?.kind !== 'session' || !isReached) throw notFound('Session');
  await changes.make(actorOf(principal), async (tx) => {
    const ended = await deleteToken(tx, id, 'session');
    return { result: undefined, audit: ended ? [noteOfEnd(ended)] : 'unchanged' };
  });
  return id === principal.tokenId;
}

/** Ends all sessions from the caller's token, and the codes for more. */
export async function endSessions({ changes }: Context, principal: Principal): Promise<void> {
  await changes.make(actorOf(principal), async (tx) => {
    const ended = await deleteSessionsOf(tx, principal.from ?? principal.tokenId);
    return { result: undefined, audit: auditOf(ended.map(noteOfEnd)) };
  });
}
