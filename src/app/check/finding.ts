import { FINDING_STATES, type FindingState } from '../../words/service.ts';

/** The result of one check; `unused`: there is nothing to check. */
export type Finding = {
  check: string;
  state: FindingState;
  found: string;
  /** A remedy, unless it is good. */
  toDo?: string;
};

/** Each ends on its own, and is given up after CHECK_MS. */
export type Check = { name: string; run(): Promise<Omit<Finding, 'check'>> };

/** Longer than any of them takes where all is well, on a machine that has much to do. */
const CHECK_MS = 15_000;

/** Runs checks at the same time. None can fail or hold up another. */
export const runChecks = (checks: readonly Check[]): Promise<Finding[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Omit<Finding, 'check'>>((resolve) => {
        const found = `no answer within ${CHECK_MS / 1000} s`;
        timer = setTimeout(() => resolve(bad(found, 'see that it is there')), CHECK_MS);
      });
      const failed = (error: unknown) =>
        bad(error instanceof Error ? error.message : String(error), 'see that it is there');
      try {
        return { check: name, ...(await Promise.race([run().catch(failed), late])) };
      } finally {
        clearTimeout(timer);
      }
    }),
  );

export const good = (found: string): Omit<Finding, 'check'> => ({ state: 'good', found });
export const unused = (found: string): Omit<Finding, 'check'> => ({ state: 'unused', found });
export const warning = (found: string, toDo: string): Omit<Finding, 'check'> => ({
  ...{ state: 'warning', found, toDo },
});
export const bad = (found: string, toDo: string): Omit<Finding, 'check'> => ({
  ...{ state: 'bad', found, toDo },
});

/** The result of several values of one kind: the worst of them. */
export function worst(findings: readonly Omit<Finding, 'check'>[]): Omit<Finding, 'check'> {
  const [first = unused('nothing')] = findings;
  return findings.reduce(
    (most, each) =>
      FINDING_STATES.indexOf(each.state) > FINDING_STATES.indexOf(most.state) ? each : most,
    first,
  );
}
