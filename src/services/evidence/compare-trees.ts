import type { CaseStatement } from '../../contract/operations/cases.ts';
import type { CheckedHead } from '../../domain/evidence/check-case.ts';
import type { Hash } from '../../domain/evidence/merkle-tree.ts';

/** What a file shows of a tree: its root at one size or more, and, of a case, its statement. */
export type ShownTree = CheckedHead & {
  roots: ReadonlyMap<number, Hash>;
  sealed?: { text: string; statement: CaseStatement };
};

type Relation = 'same' | 'different' | 'unknown';

/** Whether the trees of two heads are one history, as far as some exports show. */
export function relationOf(
  one: ShownTree,
  other: ShownTree,
  exports: readonly ShownTree[],
): Relation {
  const { head: a } = one;
  const { head: b } = other;
  if (a.origin !== b.origin) return 'unknown';
  if (a.size === b.size) return a.root.equals(b.root) ? 'same' : 'different';
  const showing = exports.filter(
    ({ head, roots }) => head.origin === a.origin && roots.has(a.size) && roots.has(b.size),
  );
  if (showing.length === 0) return 'unknown';
  const fits = ({ roots }: ShownTree): boolean =>
    [a, b].every(({ size, root }) => roots.get(size)?.equals(root));
  return showing.every(fits) ? 'same' : 'different';
}

/** The fault of a case that another one of the same tree contradicts. */
export function contradiction(one: ShownTree, other: ShownTree): string | undefined {
  if (!one.sealed || !other.sealed || one.head.origin !== other.head.origin) return undefined;
  const [{ statement: a, text }, { statement: b, text: otherText }] = [one.sealed, other.sealed];
  if (text === otherText) return undefined;
  if (a.place === b.place) return `another file has another statement at the place ${a.place}`;
  const isInOrder = a.place < b.place === a.sequenceNumber < b.sequenceNumber;
  return isInOrder && a.sequenceNumber !== b.sequenceNumber
    ? undefined
    : `another file has event ${b.sequenceNumber} at the place ${b.place}, which does not fit`;
}
