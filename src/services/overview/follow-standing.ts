import { createHash } from 'node:crypto';
import { MAX_TOLD_INCIDENTS } from '../../contract/operations/live-standing.ts';
import { ROUND_MS, type StandingFeed, TooManyFollowed } from '../../feeds/standing-feed.ts';
import type { LogItem } from '../../feeds/standing-log.ts';
import type { UserStanding } from '../../feeds/user-standing.ts';
import { LIVE_PARTS, type LiveBeginning, type LivePart } from '../../words/events.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { unavailable } from '../errors.ts';

const RETRY_AFTER_SECONDS = 5;
/** What a stream sends at a time, and has in memory: parts, and their bytes. */
const PARTS_PER_ROUND = 500;
const BYTES_PER_ROUND = 1_000_000;

export type FollowContext = Pick<Context, 'catalogue' | 'database'> & { standings: StandingFeed };
type StandingSelection = {
  accountId?: readonly string[] | undefined;
  part?: readonly LivePart[] | undefined;
};
type StreamItem = { id?: string; data: string };

/** A stream of standings: `next` as in Following. */
export type StandingStream = AsyncDisposable & {
  next(waitMs: number, signal: AbortSignal): Promise<StreamItem[] | 'check' | undefined>;
};

/**
 * Follows the standing of accounts, from the id of an earlier stream if what came since is known.
 * Throws `notFound` for an account that the caller cannot see, `unavailable` without room.
 */
export async function followStanding(
  context: FollowContext,
  principal: Principal,
  { accountId, part = LIVE_PARTS }: StandingSelection,
  lastEventId: string | undefined,
): Promise<StandingStream> {
  const userId = userOf(principal);
  const named = accountId && (await numbersOf(context, principal, accountId));
  const numbers = named ?? principal.accountNumbers;
  const { standings } = context;
  const open = (): Promise<UserStanding> => standings.follow(userId, numbers);
  const user = await open().catch((error: unknown) => {
    if (!(error instanceof TooManyFollowed)) throw error;
    throw unavailable(error.message, RETRY_AFTER_SECONDS);
  });
  const parts = new Set<LogItem['part']>(part);
  const passes = (item: LogItem): boolean =>
    (!numbers || numbers.has(item.accountNumber)) &&
    (item.part === 'gone' || parts.has(item.part === 'incident' ? 'incidents' : item.part));
  const scope = hashOf([numbers && [...numbers].sort(), [...parts].sort()]);
  const ids = { prefix: `${standings.epoch}.${scope}.` };
  return new Follower({ standings, user, numbers, open, passes, ids }, lastEventId);
}

async function numbersOf(
  context: FollowContext,
  principal: Principal,
  accountIds: readonly string[],
): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for (const id of accountIds) numbers.add((await accessAccount(context, principal, id)).number);
  return numbers;
}

/** An id is good for the accounts and parts alone that its stream had. */
const hashOf = (selection: unknown): string =>
  createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 10);

type FollowerParts = {
  standings: StandingFeed;
  user: UserStanding;
  numbers: ReadonlySet<number> | undefined;
  open: () => Promise<UserStanding>;
  passes: (item: LogItem) => boolean;
  ids: { prefix: string };
};

/** One reader of a user's log. It remembers how far it has read, and nothing else. */
class Follower implements StandingStream {
  readonly #parts: FollowerParts;
  #user: UserStanding;
  #version: number;
  #beginning: LiveBeginning | undefined;
  /** The whole state is being told: until its end there is no id to resume from. */
  #isTelling = false;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #tokenChanges: number;

  constructor(parts: FollowerParts, lastEventId: string | undefined) {
    const { prefix } = parts.ids;
    this.#parts = parts;
    this.#user = parts.user;
    this.#tokenChanges = parts.standings.tokenChanges;
    const known = lastEventId?.startsWith(prefix) ? Number(lastEventId.slice(prefix.length)) : -1;
    const isKnown = this.#user.log.isKnownSince(known);
    this.#version = isKnown ? known : 0;
    this.#beginning = isKnown ? 'resumed' : lastEventId ? 'unknownId' : 'first';
  }

  async next(waitMs: number, signal: AbortSignal): Promise<StreamItem[] | 'check' | undefined> {
    const { standings } = this.#parts;
    const untilMs = standings.elapsed() + waitMs;
    const paceMs = this.#sentAtMs + ROUND_MS - standings.elapsed();
    if (paceMs > 0) await standings.pause(paceMs, signal);
    if (standings.isClosed) return undefined;
    if (this.#areTokensChanged()) return 'check';
    await this.#renew();
    if (this.#beginning) return this.#begin(this.#beginning);
    let items = this.#tell();
    while (items.length === 0) {
      const leftMs = untilMs - standings.elapsed();
      if (leftMs <= 0 || signal.aborted) return [];
      await standings.changed(this.#user, leftMs, signal);
      if (standings.isClosed) return undefined;
      if (this.#areTokensChanged() || this.#user.isOver) return 'check';
      items = this.#tell();
    }
    this.#sentAtMs = standings.elapsed();
    return items;
  }

  /** Since the last question. */
  #areTokensChanged(): boolean {
    const { tokenChanges } = this.#parts.standings;
    const areChanged = tokenChanges !== this.#tokenChanges;
    this.#tokenChanges = tokenChanges;
    return areChanged;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.standings.leave(this.#user);
  }

  /** The feed had to forget what it knew: everything is told anew. */
  async #renew(): Promise<void> {
    if (!this.#user.isOver) return;
    const { standings, open } = this.#parts;
    const user = await open();
    standings.leave(this.#user);
    this.#user = user;
    this.#version = 0;
    this.#beginning = 'forgotten';
  }

  #begin(reason: LiveBeginning): StreamItem[] {
    this.#beginning = undefined;
    this.#isTelling = reason !== 'resumed';
    const { numbers } = this.#parts;
    const { accounts } = this.#user;
    const all = numbers ? [...numbers].filter((number) => accounts.has(number)) : [...accounts];
    return [{ data: JSON.stringify({ kind: 'begin', reason, accounts: all.length }) }];
  }

  /** What comes next: messages of accounts, each with all that changed of it. */
  #tell(): StreamItem[] {
    const { log, accounts } = this.#user;
    const { passes, ids } = this.#parts;
    const whole = this.#isTelling ? passesOf(passes) : passes;
    const batch = log.after(this.#version, whole, PARTS_PER_ROUND);
    const taken = fitting(batch.items);
    const isAll = taken.length === batch.items.length;
    this.#version = isAll ? batch.version : (taken.at(-1)?.version ?? batch.version);
    const messages = [...Map.groupBy(taken, ({ accountNumber }) => accountNumber)].map(
      ([number, items]) => messageOf(accounts.get(number)?.id, items),
    );
    const isWhole = this.#isTelling && isAll && batch.version === log.version;
    if (isWhole) messages.push('{"kind":"complete"}');
    this.#isTelling &&= !isWhole;
    return messages.map((data, place) =>
      place === messages.length - 1 && !this.#isTelling
        ? { id: `${ids.prefix}${this.#version}`, data }
        : { data },
    );
  }
}

/** Nobody who is told the whole state has known a deleted account. */
const passesOf =
  (passes: FollowerParts['passes']): FollowerParts['passes'] =>
  (item) =>
    item.part !== 'gone' && passes(item);

/** Of items in order, as many as a batch takes in bytes and in incidents of one account. */
function fitting(items: readonly LogItem[]): LogItem[] {
  const taken: LogItem[] = [];
  const incidents = new Map<number, number>();
  let bytes = 0;
  for (const item of items) {
    const { accountNumber, part, text } = item;
    const ofAccount = (incidents.get(accountNumber) ?? 0) + (part === 'incident' ? 1 : 0);
    bytes += text.length;
    const isFull = bytes > BYTES_PER_ROUND || ofAccount > MAX_TOLD_INCIDENTS;
    if (isFull && taken.length > 0) break;
    incidents.set(accountNumber, ofAccount);
    taken.push(item);
  }
  return taken;
}

function messageOf(accountId: string | undefined, items: readonly LogItem[]): string {
  const gone = items.find(({ part }) => part === 'gone');
  if (gone) return `{"kind":"gone",${gone.text}}`;
  const fields = items.filter(({ part }) => part !== 'incident').map(({ text }) => text);
  const incidents = items.filter(({ part }) => part === 'incident').map(({ text }) => text);
  if (incidents.length > 0) fields.push(`"incidents":[${incidents.join(',')}]`);
  return `{"kind":"account","accountId":${JSON.stringify(accountId ?? '')},${fields.join(',')}}`;
}
