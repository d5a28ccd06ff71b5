/**
 * Questions that files leave open. Every reader decides in one way: it tests the possible answers
 * against other facts of the file.
 */
export type Question =
  | 'costs'
  | 'cost signs'
  | 'decimal mark'
  | 'date order'
  | 'sides'
  | 'deposit'
  | 'zone'
  | 'columns';

/** `contradicted`: facts of the file support several answers, or contradict the chosen one. */
export type Verdict = 'proved' | 'assumed' | 'contradicted';

export type Reading = { question: Question; answer: string; verdict: Verdict };

/** The answer supported by a fact of the file; undefined if it supports none. */
export type Fact<Answer> = () => Answer | undefined;

/** The answer that the facts agree on, or else that of the first fact, or else the usual one. */
export function judge<Answer>(
  facts: readonly Fact<Answer>[],
  usual: Answer,
): { answer: Answer; verdict: Verdict } {
  const votes = facts.map((fact) => fact()).filter((vote) => vote !== undefined);
  const [first] = votes;
  if (first === undefined) return { answer: usual, verdict: 'assumed' };
  return {
    answer: first,
    verdict: votes.every((vote) => vote === first) ? 'proved' : 'contradicted',
  };
}

/** Share of rows that must agree for a statement about all. */
const AGREEMENT = 0.9;

/** The answer of nearly all votes; undefined without votes. */
export function majority<Answer>(
  votes: readonly (Answer | undefined)[],
  least: number,
): Answer | undefined {
  const counts = new Map<Answer, number>();
  let cast = 0;
  for (const vote of votes) {
    if (vote === undefined) continue;
    cast += 1;
    counts.set(vote, (counts.get(vote) ?? 0) + 1);
  }
  if (cast < least) return undefined;
  for (const [answer, count] of counts) if (count >= AGREEMENT * cast) return answer;
  return undefined;
}
