import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** One question to DNS, and its tries: packets can get lost. */
const QUESTION_MS = 1500;
const TRIES = 2;

/** The name was not resolved in time. */
export class NameUnanswered extends Error {
  override readonly name = 'NameUnanswered';
  constructor() {
    super('the name was not resolved in time');
  }
}

/**
 * All addresses of a name from outside. The system's own look-up would occupy one of its two
 * threads for as long as DNS is silent, up to half a minute, and the name of the database would
 * wait behind it. So DNS is asked here, without a thread and for a bounded time, and the system
 * only for names unknown to DNS, such as those of the hosts file. Throws NameUnanswered, or the
 * system's own error for an unknown name.
 */
export async function resolveName(
  host: string,
  withinMs: number,
  servers?: readonly string[],
): Promise<LookupAddress[]> {
  if (host === 'localhost') return lookup(host, { all: true });
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), withinMs);
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((found) => found.map(of(4))),
      resolver.resolve6(host).then((found) => found.map(of(6))),
    ]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    if (answers.some(isUnanswered)) throw new NameUnanswered();
  } finally {
    clearTimeout(late);
  }
  return lookup(host, { all: true });
}

const of =
  (family: 4 | 6) =>
  (address: string): LookupAddress => ({ address, family });

const isUnanswered = (answer: PromiseSettledResult<unknown>): boolean =>
  answer.status === 'rejected' && /^(?:ETIMEOUT|ECANCELLED)$/.test(answer.reason?.code);
