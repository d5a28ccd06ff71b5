import type { CaseFile, CaseStatement, SealChain } from '../../contract/operations/cases.ts';
import { firstHash, signedTextOf } from '../../domain/evidence/seal-chain.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { findSeal, listSeals, type StoredSeal } from '../../storage/seal-store.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { asConflict, conflict, notFound } from '../errors.ts';
import { presentSnapshots } from '../tracker-events/read-events.ts';
import type { EvidenceKeys } from './evidence-keys.ts';
import { makeAnnex } from './make-annex.ts';
import { openPositionsAt } from './open-positions.ts';
import { reachedEvent } from './reached-event.ts';

export type ChainContext = Context & { evidenceKeys: EvidenceKeys };
export type CaseContext = ChainContext & { trades: TradeComputer };

export type CaseAnswer = { ready: true; file: CaseFile } | NotReady;

/**
 * The case file of an event. Not ready while the account's trades are being computed. Throws
 * `notFound`, and `conflict` until the event is sealed.
 */
export async function readCase(
  { database, evidenceKeys, trades, now }: CaseContext,
  principal: Principal,
  sequenceNumber: string,
): Promise<CaseAnswer> {
  const event = await reachedEvent(database, principal, sequenceNumber);
  const seal = await findSeal(database, event.userId, event.sequenceNumber);
  const signer = await evidenceKeys.signer().catch(asConflict);
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
  const publicKey = await keyOf(evidenceKeys, seal);
  const file: CaseFile = {
    statement,
    ...(snapshots.length === statement.snapshots.count ? { snapshots } : {}),
    ...{ place, digest, previous: await hashBefore(database, seal), hash, signature },
    ...{ annex, annexSignature: signer.sign(signedTextOf(annex)), publicKey },
    ...(publicKey === signer.publicKey ? {} : { annexPublicKey: signer.publicKey }),
  };
  return { ready: true, file };
}

/** A part of the user's chain, from a place on. */
export async function readSeals(
  { database, evidenceKeys }: ChainContext,
  principal: Principal,
  fromPlace: number,
  limit: number,
): Promise<SealChain> {
  const userId = wholeUserOf(principal, 'read the chain of all events');
  const stored = await listSeals(database, userId, fromPlace, limit);
  const [first] = stored;
  const keys = await evidenceKeys.list();
  const publicKey = keys.at(-1)?.publicKey ?? '';
  const keyed = new Map(keys.map((key) => [key.number, key.publicKey]));
  return {
    previous: first ? await hashBefore(database, first) : firstHash(userId),
    seals: stored.map(({ place, sequenceNumber, digest, hash, signature, keyNumber }) => {
      const own = keyed.get(keyNumber);
      const other = own === undefined || own === publicKey ? {} : { publicKey: own };
      return { place, sequenceNumber, digest, hash, signature, ...other };
    }),
    publicKey,
  };
}

async function hashBefore(sql: Context['database'], { userId, place }: StoredSeal) {
  const [before] = place > 1 ? await listSeals(sql, userId, place - 1, 1) : [];
  return before?.hash ?? firstHash(userId);
}

/** The key of an event's seal. */
async function keyOf(evidenceKeys: EvidenceKeys, { keyNumber }: StoredSeal): Promise<string> {
  const key = (await evidenceKeys.list()).find(({ number }) => number === keyNumber);
  if (!key) throw new Error(`Invariant: the key ${keyNumber} of a seal is there`);
  return key.publicKey;
}
