import { PlatformError } from './gateway.ts';

export type CheckedCall = {
  call: string;
  outcome: 'ok' | 'missing' | 'failed' | 'not called';
  /** What it answered, or why it failed. */
  detail: string;
};

/** What was asked, and the answer as it came. */
export type RecordedCall = { call: string; answer: unknown };

/** What is told of an answer; an Error, if it is not what it should be. */
export type Tell<A> = (answer: A) => string | Error;

/** The calls of a platform that a check makes, one after the other, and what became of each. */
export class CallCheck {
  readonly rows: CheckedCall[] = [];
  readonly recorded: RecordedCall[] = [];
  readonly #isMissing: (error: unknown) => boolean;

  /** @param isMissing whether a failure says that the platform does not have the call */
  constructor(isMissing: (error: unknown) => boolean) {
    this.#isMissing = isMissing;
  }

  /** The answer, if it is as it should be; undefined answers of `ask` are logins unknown there. */
  async make<A>(call: string, ask: () => Promise<A | undefined>, tell: Tell<A>) {
    try {
      const answer = await ask();
      if (answer === undefined) throw new Error('it knows no such login');
      this.recorded.push({ call, answer });
      const told = tell(answer);
      if (told instanceof Error) throw told;
      this.note(call, 'ok', told);
      return answer;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const cause = error instanceof PlatformError && error.cause instanceof Error;
      const detail = cause ? `${error.message} (${(error.cause as Error).message})` : error.message;
      this.note(call, this.#isMissing(error) ? 'missing' : 'failed', detail);
      return undefined;
    }
  }

  note(call: string, outcome: CheckedCall['outcome'], detail: string): void {
    this.rows.push({ call, outcome, detail });
  }
}
