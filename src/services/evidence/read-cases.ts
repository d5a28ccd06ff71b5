import type { CaseFile, SealExport } from '../../contract/operations/cases.ts';
import { canonicalJson } from '../../domain/evidence/canonical-json.ts';
import { HASH_BYTES, leafHash } from '../../domain/evidence/merkle-tree.ts';
import { annexText, signNote } from '../../domain/evidence/signed-note.ts';
import { writeProof } from '../../domain/evidence/tree-proof.ts';
import type { NotReady, TradeComputer } from '../../histories/trade-computer.ts';
import { findNumbered } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import type { StoredEvent } from '../../storage/event-feed-store.ts';
import { findAsides } from '../../storage/seal-aside-store.ts';
import { findStamp, type SealStamp } from '../../storage/seal-stamp-store.ts';
import { findSeal, findTree, listSeals } from '../../storage/seal-store.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { asConflict, conflict, invalidParameter, notFound } from '../errors.ts';
import type { EvidenceKeys } from './evidence-keys.ts';
import { makeAnnex } from './make-annex.ts';
import { openPositionsAt } from './open-positions.ts';
import { reachedEvent } from './reached-event.ts';
import { TreeProofs } from './tree-proofs.ts';

export type TreeContext = Context & { evidenceKeys: EvidenceKeys };
export type CaseContext = TreeContext & { trades: TradeComputer };

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
  const { userId } = event;
  const seal = await findSeal(database, userId, event.sequenceNumber);
  const signer = await evidenceKeys.signer().catch(asConflict);
  const tree = await findTree(database, userId);
  if (!seal || !tree) throw conflict(await whyUnsealed(database, event));
  const { statement, place } = seal;
  if (statement === undefined) throw notFound('Event');
  const [account] = await findNumbered(database, [event.accountNumber]);
  if (!account) throw notFound('Event');
  const open = await openPositionsAt(trades, account, event.event.timeMs);
  if (!open.ready) return open;
  const moment = { leaf: leafHash(statement).toString('base64'), generatedAtMs: now() };
  const annex = canonicalJson(await makeAnnex(database, account, event, open.known, moment));
  const path = await new TreeProofs(database, userId).inclusion(place - 1, tree.size);
  const origin = await evidenceKeys.origin(userId);
  const stamped = await findStamp(database, userId, { least: place, most: tree.size }, 'first');
  const publicKey = await evidenceKeys.signerOf(tree.head);
  const file: CaseFile = {
    statement,
    proof: writeProof({ index: place - 1, path, head: tree.head }),
    annex,
    annexSignature: signNote(annexText(annex), origin, signer),
    ...(stamped ? { stamp: await caseStamp(database, stamped, place) } : {}),
    publicKey,
    ...(publicKey === signer.publicKey ? {} : { annexPublicKey: signer.publicKey }),
  };
  return { ready: true, file };
}

async function whyUnsealed(sql: Sql, { userId, sequenceNumber }: StoredEvent): Promise<string> {
  const [aside] = await findAsides(sql, [userId]);
  return aside === undefined || sequenceNumber < aside.fromNumber
    ? 'The event is about to be sealed: ask again in a second'
    : `The event cannot be sealed until the operator has repaired this: ${aside.reason}`;
}

const texts = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));

const textsOf = ({ size, token }: SealStamp) => ({ size, token: token.toString('base64') });

const caseStamp = async (sql: Sql, stamp: SealStamp, place: number) => ({
  ...textsOf(stamp),
  path: texts(await new TreeProofs(sql, stamp.userId).inclusion(place - 1, stamp.size)),
});

/** A part of the user's tree, from a place on. Throws `invalidParameter` for one beyond its end. */
export async function readSeals(
  { database, evidenceKeys }: TreeContext,
  principal: Principal,
  fromPlace: number,
  limit: number,
): Promise<SealExport> {
  const userId = wholeUserOf(principal, 'read the tree of all events');
  const tree = await findTree(database, userId);
  const size = tree?.size ?? 0;
  if (fromPlace > size + 1)
    throw invalidParameter('fromPlace', `must be at most ${size + 1}, the place of the next event`);
  // Those that were added since belong to the next head.
  const stored = await listSeals(
    database,
    userId,
    fromPlace,
    Math.min(limit, size + 1 - fromPlace),
  );
  const proofs = new TreeProofs(database, userId);
  const end = fromPlace - 1 + stored.length;
  const shown = { least: Math.max(1, fromPlace - 1), most: end };
  const stamped = await findStamp(database, userId, shown, 'last');
  return {
    ...(tree ? { head: tree.head } : {}),
    fromPlace,
    before: texts(await proofs.edge(fromPlace - 1)),
    seals: texts(stored.map(({ hashes }) => hashes.subarray(0, HASH_BYTES))),
    consistency: texts(end === 0 ? [] : await proofs.consistency(end, size)),
    ...(stamped ? { stamp: textsOf(stamped) } : {}),
    publicKey: await evidenceKeys.signerOf(tree?.head),
  };
}
