/**
 * Questions that files leave open. A reader makes each reading in one way: it tests the possible
 * answers against what the file states elsewhere.
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

/** `contradicted`: what the file states speaks for several answers, or against the one taken. */
export type Verdict = 'proved' | 'assumed' | 'contradicted';

export type Reading = { question: Question; answer: string; verdict: Verdict };

/** The answer that a fact of the file speaks for; undefined if it speaks for none. */
export type Fact<Answer> = () => Answer | undefined;

/** The answer that the facts agree on, else that of the first of them, else the usual one. */
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

/** Share of rows that must agree with what is said of all. */
const AGREEMENT = 0.9;

/** The answer that nearly all votes are for; undefined without votes. */
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
