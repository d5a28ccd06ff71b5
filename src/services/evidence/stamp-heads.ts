import { parseNote } from '../../domain/evidence/signed-note.ts';
import { digestOfText, readToken } from '../../domain/evidence/time-stamp.ts';
import { insertStamp, listUnstamped } from '../../storage/seal-stamp-store.ts';
import { findTree } from '../../storage/seal-store.ts';
import type { Context } from '../context.ts';

/** Returns the token of an authority over a text. Throws once the signal aborts. */
export type AskForStamp = (text: string, signal?: AbortSignal) => Promise<Buffer>;

/** How often a head that grew is stamped. */
export const STAMP_EVERY_MS = 3_600_000;
const TREES_AT_ONCE = 100;

/**
 * Has the heads of all users stamped that grew since their last stamp, if that is older than
 * `ageMs`: one after the other, as authorities bound how much one may ask. Returns how many. Throws
 * at the first that is not stamped.
 */
export async function stampHeads(
  { database, changes, now }: Pick<Context, 'database' | 'changes' | 'now'>,
  ask: AskForStamp,
  ageMs: number,
  signal?: AbortSignal,
): Promise<number> {
  let stamped = 0;
  for (let afterUserId = ''; ; ) {
    const part = { beforeMs: now() - ageMs, afterUserId };
    const trees = await listUnstamped(database, part, TREES_AT_ONCE);
    for (const { userId, size, head } of trees) {
      if (signal?.aborted) return stamped;
      const { text } = parseNote(head);
      const token = await ask(text, signal);
      if (!readToken(token).digest.equals(digestOfText(text)))
        throw new RangeError('the authority stamped something else');
      await changes.record(async (tx) => {
        // The user may be gone by now, with the tree.
        if (await findTree(tx, userId)) await insertStamp(tx, { userId, size, token, atMs: now() });
      });
      stamped += 1;
    }
    afterUserId = trees.at(-1)?.userId ?? '';
    if (trees.length < TREES_AT_ONCE) return stamped;
  }
}
