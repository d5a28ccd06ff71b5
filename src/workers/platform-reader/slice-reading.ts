import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { type Deal, isUnknown } from '../../domain/deal.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { Gateway, LoginFault, LoginState } from '../../platforms/gateway.ts';
import type { Context } from '../../services/context.ts';
import { type AccountSync, findSync } from '../../storage/sync-store.ts';
import {
  type AccountReading,
  AHEAD_MS,
  momentOf,
  newSync,
  storeReadings,
} from './account-reading.ts';
import { type Funds, isSame, type Member, platformFundsOf, withDeals } from './member.ts';
import { type DealRange, diffDeals } from './reconcile-deals.ts';
import { withEffects } from './unknown-deals.ts';

/** Members whose deals are compared at the same time. */
const COMPARED_AT_ONCE = 16;
/** Items stored by one transaction, so that others wait for it some milliseconds at most. */
const MEMBERS_AT_ONCE = 50;
const DEALS_AT_ONCE = 500;
/** Transactions that wait for the disk together. */
const STORED_AT_ONCE = 4;

/** Inputs of a reading of members. */
export type ReadingWorld = {
  context: Context;
  gateway: Gateway;
  time: Timekeeper;
  /** The current time on the platform's clock. */
  brokerTime: () => BrokerTimeMs;
};

/** Reads deals even of members whose money did not move. */
export type Sweep = {
  /** How far back from each one's cursor. */
  backMs: number;
  /** Whether to look for deals no longer on the platform. */
  isWhole: boolean;
};

/** A state of a member, and the funds in it. */
export type MemberReading = { member: Member; reading: AccountReading; funds: Funds };

export type SliceOutcome = {
  readings: MemberReading[];
  /** Those whose deals do not explain their movements of money. */
  doubtful: MemberReading[];
  failed: { member: Member; message: string }[];
  gone: Member[];
};

/**
 * Reads the states of some members, and the deals of those whose money moved or, with a sweep, of
 * all. A state is among the readings only if the stored deals explain its balance and credit, so
 * that a withdrawal is never taken for a loss. Throws PlatformError.
 */
export async function readSlice(
  world: ReadingWorld,
  members: readonly Member[],
  sweep: Sweep | undefined,
): Promise<SliceOutcome> {
  const slice = new SliceReading(world, members);
  await slice.readStates(members);
  const asked = sweep ? slice.known() : slice.unsettled();
  if (asked.length > 0) {
    await slice.readDeals(asked, sweep ?? { backMs: QUICK_BACK_MS, isWhole: false });
    // Those trading now, and those without a state to compare with.
    const again = slice.unsettled();
    if (again.length > 0) await slice.readStates(again);
    await slice.lookForOthers();
  }
  return slice.outcome();
}

/** Deals may be booked some time after their own time. */
export const QUICK_BACK_MS = 120_000;

/** How long deals of an unknown kind wait for figures that show their effect on the money. */
const UNKNOWN_MS = 5_000;

type MemberDeals = { member: Member; deals: readonly Deal[] };

/** Parts, each stored in one transaction. */
function partsOf(all: readonly MemberDeals[]): MemberDeals[][] {
  const parts: MemberDeals[][] = [];
  let deals = 0;
  for (const each of all) {
    deals += each.deals.length;
    const part = parts.at(-1);
    if (part && part.length < MEMBERS_AT_ONCE && deals <= DEALS_AT_ONCE) part.push(each);
    else {
      parts.push([each]);
      deals = each.deals.length;
    }
  }
  return parts;
}

class SliceReading {
  readonly #world: ReadingWorld;
  readonly #members: ReadonlyMap<number, Member>;
  readonly #states = new Map<Member, { state: LoginState; funds: Funds; timeMs: BrokerTimeMs }>();
  /** The funds, before their deals were read, of members without a state to compare with. */
  readonly #before = new Map<Member, Funds>();
  readonly #latest = new Map<Member, readonly Deal[]>();
  readonly #failed = new Map<Member, string>();
  readonly #gone = new Set<Member>();

  constructor(world: ReadingWorld, members: readonly Member[]) {
    this.#world = world;
    this.#members = new Map(members.map((member) => [member.login, member]));
  }

  async readStates(members: readonly Member[]): Promise<void> {
    const logins = members.map(({ login }) => login).filter(Number.isSafeInteger);
    for await (const states of this.#world.gateway.readStates({ logins })) {
      const timeMs = this.#world.brokerTime();
      for (const state of states) this.#takeState(state, timeMs);
    }
    for (const member of members)
      if (!this.#states.has(member) && !this.#failed.has(member))
        this.#failed.set(member, `Login ${member.account.login} was not found on the platform`);
  }

  known(): Member[] {
    return [...this.#states.keys()];
  }

  /** Members whose deals do not explain their funds, or for which that is still unknown. */
  unsettled(): Member[] {
    return this.known().filter((member) => !member.explained || !this.#isExplained(member));
  }

  async readDeals(members: readonly Member[], { backMs, isWhole }: Sweep): Promise<void> {
    const cursorMs = this.#world.brokerTime();
    const oldestMs = Math.min(cursorMs, ...members.map(({ sync }) => sync.cursorMs));
    const range = { fromMs: Math.max(0, oldestMs - backMs), toMs: cursorMs + AHEAD_MS };
    for (const member of members) {
      const funds = this.#states.get(member)?.funds;
      if (!member.explained && funds) this.#before.set(member, funds);
    }
    const found = await this.#dealsOf(members, range);
    const compared = isWhole ? members : members.filter((member) => found.has(member));
    const changed: MemberDeals[] = [];
    const looked = inParallel(compared, COMPARED_AT_ONCE, async (member) => {
      const own = { member, deals: await this.#withEffects(member, range, found.get(member)) };
      if (await this.#hasChanges(own, range)) changed.push(own);
    });
    for await (const _ of looked);
    const work = inParallel(partsOf(changed), STORED_AT_ONCE, (part) =>
      this.#store(part, range, cursorMs),
    );
    for await (const _ of work);
    const isFine = (member: Member) => !this.#failed.has(member) && !this.#gone.has(member);
    for (const member of members)
      if (isFine(member)) member.sync.cursorMs = Math.max(member.sync.cursorMs, cursorMs);
  }

  /** Deals stored by a client's request in the meantime explain money, too. */
  async lookForOthers(): Promise<void> {
    for (const member of this.unsettled()) {
      if (!member.explained) continue;
      const sync = await this.#syncOf(member);
      if (sync.version !== member.sync.version) this.#restart(member, sync);
    }
  }

  outcome(): SliceOutcome {
    const outcome: SliceOutcome = {
      ...{ readings: [], doubtful: [], gone: [...this.#gone] },
      failed: [...this.#failed].map(([member, message]) => ({ member, message })),
    };
    for (const [member, { state, funds, timeMs }] of this.#states) {
      if (this.#failed.has(member) || this.#gone.has(member)) continue;
      const { login: _, ...rest } = state;
      const deals = this.#latest.get(member) ?? [];
      const reading = { account: member.account, state: rest, timeMs: momentOf(timeMs, deals) };
      const isExplained = this.#isExplained(member);
      (isExplained ? outcome.readings : outcome.doubtful).push({ member, reading, funds });
      if (isExplained) member.explained = funds;
    }
    return outcome;
  }

  #isExplained(member: Member): boolean {
    const funds = this.#states.get(member)?.funds;
    return funds !== undefined && isSame(member.explained ?? this.#before.get(member), funds);
  }

  #takeState(state: LoginState | LoginFault, timeMs: BrokerTimeMs): void {
    const member = this.#members.get(state.login);
    if (!member) return;
    if ('fault' in state) return void this.#failed.set(member, state.fault);
    try {
      this.#states.set(member, { state, funds: platformFundsOf(state, member), timeMs });
    } catch {
      this.#failed.set(
        member,
        'The platform reported an amount that is too large to be stored exactly',
      );
    }
  }

  async #dealsOf(members: readonly Member[], range: DealRange): Promise<Map<Member, Deal[]>> {
    const found = new Map<Member, Deal[]>();
    const digits = (login: number) => this.#members.get(login)?.moneyDigits;
    const selection = { logins: members.map(({ login }) => login) };
    const query = { selection, ...range, moneyDigits: digits };
    const asked = new Set(members);
    for await (const batch of this.#world.gateway.readDeals(query)) {
      for (const each of batch) {
        const member = this.#members.get(each.login);
        if (!member || !asked.has(member)) continue;
        if ('fault' in each) this.#failed.set(member, each.fault);
        else found.set(member, each.deals);
      }
    }
    return found;
  }

  async #withEffects(
    member: Member,
    range: DealRange,
    deals: readonly Deal[] = [],
  ): Promise<readonly Deal[]> {
    if (!deals.some(isUnknown)) return deals;
    const { context, time } = this.#world;
    const { account, explained, doubtedSinceMs = time.elapsed() } = member;
    for (let isAgain = false; ; isAgain = true) {
      const funds = this.#states.get(member)?.funds;
      if (!funds) return deals;
      const found = { range, deals };
      const told = await withEffects(context.database, account.number, found, explained, funds);
      if (told.open.size === 0) return told.deals;
      // Its state may be older than its deals.
      if (!isAgain) await this.readStates([member]);
      // Of one never compared, older deals may be missing: its figures may never fit.
      else if (!explained || time.elapsed() - doubtedSinceMs >= UNKNOWN_MS) return told.deals;
      else return deals.filter(({ id }) => !told.open.has(id));
    }
  }

  /** Whether there are data to store for a member, as for each one never read. */
  async #hasChanges({ member, deals }: MemberDeals, range: DealRange): Promise<boolean> {
    if (this.#failed.has(member)) return false;
    this.#latest.set(member, deals);
    if (member.sync.version === 0) return true;
    const { database } = this.#world.context;
    const { gone, fresh, edited } = await diffDeals(database, member.account.number, range, deals);
    return gone.length + fresh.length + edited.length > 0;
  }

  async #store(
    part: readonly MemberDeals[],
    range: DealRange,
    cursorMs: BrokerTimeMs,
  ): Promise<void> {
    const readings = part.map(({ member: { account, sync }, deals }) => ({
      ...{ account, found: { range, deals, before: sync, cursorMs } },
    }));
    const outcomes = await storeReadings(this.#world.context, readings);
    for (const { member } of part) {
      const stored = outcomes.get(member.account.number);
      if (stored === undefined || stored === 'gone') this.#gone.add(member);
      else if (stored === 'stale') this.#restart(member, await this.#syncOf(member));
      else {
        member.sync = stored.sync;
        if (member.explained) member.explained = withDeals(member.explained, stored.added);
      }
    }
  }

  async #syncOf({ account }: Member): Promise<AccountSync> {
    const now = await findSync(this.#world.context.database, account.number);
    return now?.profileId === account.profileId ? now : newSync(account, now);
  }

  /** Other deals of it were stored: check again what they explain. */
  #restart(member: Member, sync: AccountSync): void {
    member.sync = sync;
    member.explained = undefined;
    this.#before.delete(member);
  }
}
