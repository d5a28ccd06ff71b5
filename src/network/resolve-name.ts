import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** One question to DNS, and how often it is asked: packets do get lost. */
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
 * All addresses of a name that somebody gave us. The system's own look-up would take one of the two
 * threads that it has for as long as a silent DNS lets it, half a minute, and the name of the
 * database would wait behind it. So DNS is asked here, without a thread and for a bounded time, and
 * the system only for what DNS says it does not know, as names of the hosts file are. Throws
 * NameUnanswered, or the system's own error where nobody knows the name.
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
