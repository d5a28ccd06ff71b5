import { nextTurn } from '../../domain/loop-turns.ts';
import { findNumbered } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { findSyncs, listBoundAccounts } from '../../storage/sync-store.ts';
import { newSync } from './account-reading.ts';
import { type Member, newMember } from './member.ts';

const PAGE = 500;
/** Members that are read with the same requests. */
const SLICE_MEMBERS = 200;

/** Members read together, and when their deals are read even if no money moved. */
export class Slice {
  readonly #members = new Set<Member>();
  readonly #logins = new Set<number>();
  sweepDueMs = Number.NEGATIVE_INFINITY;
  compareDueMs = Number.NEGATIVE_INFINITY;

  get members(): ReadonlySet<Member> {
    return this.#members;
  }

  /** Two of our accounts may have the same login, which one request can contain only once. */
  hasRoomFor({ login }: Member): boolean {
    const isTaken = !Number.isNaN(login) && this.#logins.has(login);
    return this.#members.size < SLICE_MEMBERS && !isTaken;
  }

  add(member: Member): void {
    this.#members.add(member);
    this.#logins.add(member.login);
  }

  drop(member: Member): void {
    this.#members.delete(member);
    this.#logins.delete(member.login);
  }
}

/** The accounts read through a profile, in slices that one request each covers. */
export class Roster {
  readonly #profileId: string;
  readonly #members = new Map<number, { member: Member; slice: Slice }>();
  readonly #slices = new Set<Slice>();

  constructor(profileId: string) {
    this.#profileId = profileId;
  }

  get size(): number {
    return this.#members.size;
  }

  get slices(): Slice[] {
    return [...this.#slices];
  }

  *members(): Iterable<Member> {
    for (const { member } of this.#members.values()) yield member;
  }

  /** Adds new accounts, and drops those no longer to be read. */
  async refresh(sql: Sql): Promise<void> {
    const left = new Set(this.#members.keys());
    for (let after = 0; ; ) {
      const numbers = await listBoundAccounts(sql, this.#profileId, after, PAGE);
      const fresh = numbers.filter((number) => !left.delete(number));
      if (fresh.length > 0) await this.#take(sql, fresh);
      if (numbers.length < PAGE) break;
      after = numbers.at(-1) ?? 0;
      await nextTurn();
    }
    for (const number of left) this.drop(number);
  }

  drop(accountNumber: number): void {
    const known = this.#members.get(accountNumber);
    if (!known) return;
    this.#members.delete(accountNumber);
    known.slice.drop(known.member);
    if (known.slice.members.size === 0) this.#slices.delete(known.slice);
  }

  async #take(sql: Sql, numbers: readonly number[]): Promise<void> {
    const syncs = new Map(
      (await findSyncs(sql, numbers)).map((each) => [each.accountNumber, each]),
    );
    for (const account of await findNumbered(sql, numbers)) {
      const { profileId, number } = account;
      if (profileId !== this.#profileId) continue;
      const bound = { ...account, profileId };
      const sync = syncs.get(number);
      const known = sync?.profileId === profileId ? sync : newSync(bound, sync);
      this.#add(newMember(bound, known));
    }
  }

  #add(member: Member): void {
    let slice = this.#slices.values().find((each) => each.hasRoomFor(member));
    if (!slice) {
      slice = new Slice();
      this.#slices.add(slice);
    }
    slice.add(member);
    this.#members.set(member.account.number, { member, slice });
  }
}
