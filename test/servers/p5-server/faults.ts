/**
 * Possible faults, switched on from outside. A fault hits the next `times` commands whose path
 * starts with `command`.
 *
 * slow: the answer comes after `ms`. hang: it does not run, and no answer comes. silent: it runs,
 * and no answer comes. refuse: `retcode` instead of running. drop: the command runs, half of its
 * answer is sent, the connection is cut. lose: the command runs and nothing is sent. break: cut
 * before it runs. garbage: an answer that is no JSON. wrongProof: the server's own proof in the
 * handshake is wrong. answer: `answer` instead of the command's own.
 */
export type FaultKind =
  | 'slow'
  | 'hang'
  | 'silent'
  | 'refuse'
  | 'drop'
  | 'lose'
  | 'break'
  | 'garbage'
  | 'wrongProof'
  | 'answer';
export type Fault = {
  kind: FaultKind;
  command: string;
  times: number;
  ms?: number;
  retcode?: string;
  answer?: unknown;
};

export class Faults {
  #active: Fault[] = [];
  add(fault: Partial<Fault> & Pick<Fault, 'kind'>): void {
    this.#active.push({ command: '/', times: 1, ...fault });
  }
  clear(): void {
    this.#active = [];
  }
  /** The fault that hits this command, if any; it is then used up by one. */
  take(command: string): Fault | undefined {
    const fault = this.#active.find((one) => command.startsWith(one.command));
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times <= 0) this.#active = this.#active.filter((other) => other !== fault);
    return fault;
  }
}
