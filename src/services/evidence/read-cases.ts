import type { CaseFile, CaseStatement, SealChain } from '../../contract/operations/cases.ts';
import { firstHash, signedTextOf } from '../../domain/evidence/seal-chain.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { readEvidenceRows } from '../../storage/evidence-store.ts';
import { findSeal, listSeals, type StoredSeal } from '../../storage/seal-store.ts';
import { type Context, type Principal, userOf, wholeUserOf } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { presentSnapshots } from '../tracker-events/read-events.ts';
import type { EvidenceKey } from './evidence-key.ts';
import { makeAnnex } from './make-annex.ts';
import { openPositionsAt } from './open-positions.ts';

export type ChainContext = Context & { evidenceKey: EvidenceKey };
export type CaseContext = ChainContext & { trades: TradeComputer };

export type CaseAnswer = { ready: true; file: CaseFile } | NotReady;

/**
 * The case file of an event. Not ready while the account's trades are being computed. Throws
 * `notFound`, and `conflict` until the event is sealed.
 */
export async function readCase(
  { database, evidenceKey, trades, now }: CaseContext,
  principal: Principal,
  sequenceNumber: string,
): Promise<CaseAnswer> {
  const userId = userOf(principal);
  const number = /^\d{1,15}$/.test(sequenceNumber) ? Number(sequenceNumber) : 0;
  const event = await readEvidenceRows(database, userId, number);
  const { accountIds } = principal;
  if (!event || (accountIds && !accountIds.has(event.event.accountId))) throw notFound('Event');
  const seal = await findSeal(database, userId, number);
  if (!seal) throw conflict('The event is about to be sealed: ask again in a second');
  if (seal.statement === undefined) throw notFound('Event');
  const { place, digest, hash, signature } = seal;
  const statement = JSON.parse(seal.statement) as CaseStatement;
  const snapshots = presentSnapshots(event.before, event.moneyDigits);
  const [account] = await findNumbered(database, [event.accountNumber]);
  if (!account) throw notFound('Event');
  const open = await openPositionsAt(trades, account, event.event.timeMs);
  if (!open.ready) return open;
  const moment = { hash, generatedAtMs: now() };
  const annex = await makeAnnex(database, account, event, open.known, moment);
  const sign = await evidenceKey.signer();
  const file: CaseFile = {
    statement,
    ...(snapshots.length === statement.snapshots.count ? { snapshots } : {}),
    ...{ place, digest, previous: await hashBefore(database, seal), hash, signature },
    ...{ annex, annexSignature: sign(signedTextOf(annex)) },
    publicKey: await evidenceKey.publicKey(),
  };
  return { ready: true, file };
}

/** A part of the user's chain, from a place on. */
export async function readSeals(
  { database, evidenceKey }: ChainContext,
  principal: Principal,
  fromPlace: number,
  limit: number,
): Promise<SealChain> {
  const userId = wholeUserOf(principal, 'read the chain of all events');
  const stored = await listSeals(database, userId, fromPlace, limit);
  const [first] = stored;
  return {
    previous: first ? await hashBefore(database, first) : firstHash(userId),
    seals: stored.map(({ place, sequenceNumber, digest, hash, signature }) => ({
      ...{ place, sequenceNumber, digest, hash, signature },
    })),
    publicKey: await evidenceKey.publicKey(),
  };
}

async function hashBefore(sql: Context['database'], { userId, place }: StoredSeal) {
  const [before] = place > 1 ? await listSeals(sql, userId, place - 1, 1) : [];
  return before?.hash ?? firstHash(userId);
}
