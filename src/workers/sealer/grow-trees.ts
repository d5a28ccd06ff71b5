import { canonicalJson } from '../../domain/evidence/canonical-json.ts';
import { GrowingTree, leafHash } from '../../domain/evidence/merkle-tree.ts';
import { headText, parseHead, parseNote, signNote } from '../../domain/evidence/signed-note.ts';
import type { EvidenceKeys, Signer } from '../../services/evidence/evidence-keys.ts';
import { TreeProofs } from '../../services/evidence/tree-proofs.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { type Database, DatabaseUnavailable } from '../../storage/database.ts';
import {
  findTree,
  hasSealsBeyond,
  ownerOfSeal,
  type StoredSeal,
  type StoredTree,
  type WaitingEvent,
} from '../../storage/seal-store.ts';
import { makeStatement } from './make-statement.ts';

/** Why a user's event cannot be sealed, nor those after it. */
export type Hindrance = WaitingEvent & { reason: string; error: unknown };

/** What is to be stored: seals of events, the new heads, and whose events wait. */
export type Grown = { seals: StoredSeal[]; trees: StoredTree[]; hindrances: Hindrance[] };

type World = {
  database: Database;
  keys: EvidenceKeys;
  now: () => number;
  signer: Signer;
  /** Called after each event. */
  rest: () => Promise<void>;
};

/** A reason that is made for its readers. */
class Unsealable extends Error {}

/**
 * Seals events in order, as if each user were alone: what hinders one does not hinder others.
 * Events of deleted accounts are skipped, as in the feed.
 */
export async function growTrees(world: World, events: readonly WaitingEvent[]): Promise<Grown> {
  const seals: StoredSeal[] = [];
  const grown = new Map<string, GrowingTree>();
  const hindrances = new Map<string, Hindrance>();
  for (const event of events) {
    const { userId, sequenceNumber } = event;
    if (hindrances.has(userId)) continue;
    try {
      const tree = grown.get(userId) ?? (await treeOf(world, userId));
      const seal = await sealOf(world, event, tree);
      if (seal) grown.set(userId, tree);
      if (seal) seals.push(seal);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const unknown = `Event ${sequenceNumber} or its tree cannot be read; the log has the error`;
      const reason = error instanceof Unsealable ? error.message : unknown;
      hindrances.set(userId, { ...event, reason, error });
    }
    await world.rest();
  }
  const trees = Array.from(grown, async ([userId, { size, root }]) => {
    const origin = await world.keys.origin(userId);
    return { userId, size, head: signNote(headText({ origin, size, root }), origin, world.signer) };
  });
  return { seals, trees: await Promise.all(trees), hindrances: [...hindrances.values()] };
}

/** The seal of an event, which is added to the tree; undefined if it needs none. */
async function sealOf(
  { database, now }: World,
  { userId, accountNumber, sequenceNumber, read }: WaitingEvent,
  tree: GrowingTree,
): Promise<StoredSeal | undefined> {
  const [account] = await findNumbered(database, [accountNumber]);
  if (!account) return undefined;
  const owner = await ownerOfSeal(database, sequenceNumber);
  if (owner === userId) return undefined;
  if (owner !== undefined)
    throw new Unsealable(`Event ${sequenceNumber} is in the tree of another user`);
  const place = tree.size + 1;
  const moment = { place, sealedAtMs: now() };
  const statement = canonicalJson(await makeStatement(database, account, read(), moment));
  const hashes = Buffer.concat(tree.add(leafHash(statement)));
  return { userId, place, sequenceNumber, accountNumber, hashes, statement };
}

/**
 * The tree of a user, to be added to. Nothing is signed on top of hashes that somebody changed in
 * the database, who has no key: they must be those of the head that was signed last.
 */
async function treeOf({ database, keys }: World, userId: string): Promise<GrowingTree> {
  const stored = await findTree(database, userId);
  const size = stored?.size ?? 0;
  if (await hasSealsBeyond(database, userId, size))
    throw new Unsealable(`There are seals beyond the ${size} of the head that was signed last`);
  if (!stored) return new GrowingTree(0, []);
  await keys.signerOf(stored.head);
  const tree = new GrowingTree(size, await new TreeProofs(database, userId).edge(size));
  const signed = parseHead(parseNote(stored.head));
  if (signed.size !== size || !signed.root.equals(tree.root))
    throw new Unsealable(
      `The stored hashes of ${signed.origin} are not those that were signed: restore the rows of event_seal and seal_tree from a backup`,
    );
  return tree;
}
