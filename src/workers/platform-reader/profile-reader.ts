import { growingPause } from '../../domain/growing-pause.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { type Gateway, PlatformError } from '../../platforms/gateway.ts';
import type { PlatformContext } from '../../services/platform-accounts/use-platform.ts';
import { findProfile, type Profile } from '../../storage/profile-store.ts';
import { advanceSyncs, OLD_STATE_MS } from '../../storage/sync-store.ts';
import type { RecordReadings } from './account-reading.ts';
import { catchUp, isBehind } from './catch-up.ts';
import { compareSettings } from './compare-settings.ts';
import type { Member } from './member.ts';
import { PlatformClock } from './platform-clock.ts';
import { ProofQueue } from './proof-queue.ts';
import { proveHistory } from './prove-history.ts';
import { Roster, type Slice } from './roster.ts';
import { Settlement } from './settlement.ts';
import { QUICK_BACK_MS, type ReadingWorld, readSlice, type Sweep } from './slice-reading.ts';

/** A round begins this long after the one before, if the platform keeps up. */
const ROUND_MS = 1_000;
/** The circuit breaker of the platform pauses longer if need be. */
const RETRY = { firstMs: 1_000, maxMs: 5_000 };
/** Interval of checks for new accounts. */
const REFRESH_MS = 2_000;
/**
 * Concurrent slices. The gateway knows how many requests its platform takes at a time: these are
 * more, so that no session waits while a slice is stored.
 */
const SLICES_AT_ONCE = 8;
/** Interval for finding deals that move no money, or cancel each other out. */
const SWEEP_MS = 15_000;
/** Interval for finding edited and deleted deals of the last hour. */
const COMPARE_MS = 300_000;
const COMPARE_BACK_MS = 3_600_000;
/** How many members catch up in one turn. */
const CATCH_UP_MEMBERS = 400;
const IDLE_MS = 500;
/** The first reading of very many accounts takes its time. */
const FIRST_MS = 180_000;
const OLD_AT_ONCE = 200;
const AWAY: ReadonlySet<string> = new Set(['unavailable', 'denied']);
const OWN_TROUBLE = 'storing the readings failed; the log of the server says why';
/** Proofs are not urgent, and the platform has other users. */
const PROOF_PAUSE_MS = 50;

type Turn = 'round' | 'catchUp' | 'proof';

/**
 * Reads the accounts of one profile: the states of all of them in every round, their deals when
 * money moved and from time to time, and in parallel everything they must catch up on.
 */
export class ProfileReader {
  readonly #context: PlatformContext;
  readonly #time: Timekeeper;
  readonly #profileId: string;
  readonly #roster: Roster;
  readonly #clock = new PlatformClock();
  readonly #settlement: Settlement;
  readonly #proofs: ProofQueue;
  #refreshDueMs = Number.NEGATIVE_INFINITY;
  #profile: Profile | undefined;
  /** When the last round over all members began, in UTC. */
  readAtMs: number | undefined;
  /** Why the latest turn of a kind failed, while it fails. */
  readonly #failed = new Map<Turn, Error>();

  constructor(
    context: PlatformContext,
    time: Timekeeper,
    profileId: string,
    record: RecordReadings,
  ) {
    this.#context = context;
    this.#time = time;
    this.#profileId = profileId;
    this.#roster = new Roster(profileId);
    this.#proofs = new ProofQueue(this.#roster, context.now);
    this.#settlement = new Settlement(context, time, record, {
      gone: (member) => this.#roster.drop(member.account.number),
      doubtful: (member) => this.#proofs.prefer(member),
    });
  }

  /** The number of accounts it reads. */
  get accounts(): number {
    return this.#roster.size;
  }

  /** Reads until the signal aborts; never fails. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#repeat('round', signal, ROUND_MS, () => this.#round(signal)),
      this.#repeat('catchUp', signal, IDLE_MS, () => this.#catchUp(signal)),
      this.#repeat('proof', signal, IDLE_MS, () => this.#prove(signal)),
    ]);
  }

  /** Starts a turn every `everyMs`, or less often while turns fail. */
  async #repeat(
    kind: Turn,
    signal: AbortSignal,
    everyMs: number,
    turn: () => Promise<void>,
  ): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = this.#time.elapsed();
      try {
        await turn();
        failures = 0;
        this.#failed.delete(kind);
      } catch (error) {
        failures += 1;
        this.#noteFailure(kind, error);
      }
      const leftMs = everyMs - (this.#time.elapsed() - startedMs);
      const pauseMs = failures > 0 ? growingPause(failures, RETRY, this.#context.random()) : leftMs;
      await sleep(this.#time, Math.max(1, pauseMs), signal);
    }
  }

  /** Failures of a platform are noted in its profile; our own are logged. */
  #noteFailure(kind: Turn, error: unknown): void {
    this.#failed.set(kind, error instanceof PlatformError ? error : new Error(OWN_TROUBLE));
    const level = error instanceof PlatformError ? 'debug' : 'warn';
    const fields = { err: error, profileId: this.#profileId };
    this.#context.logger[level](fields, 'reading accounts failed');
  }

  /**
   * Accounts without a good state for too long fail, whatever the cause: a call missing on the
   * platform, or an unforeseen case in this reader. While the platform as a whole is unavailable,
   * its profile says so for all of them.
   */
  async #noteOld(): Promise<void> {
    const failure = this.#failed.get('round');
    const isAway = failure instanceof PlatformError && AWAY.has(failure.code);
    const nowMs = this.#time.elapsed();
    const old: Member[] = [];
    for (const member of this.#roster.members()) {
      member.goodAtMs ??= nowMs;
      const patienceMs = member.sync.cursorMs === 0 ? FIRST_MS : OLD_STATE_MS;
      const isOld = nowMs - member.goodAtMs > patienceMs && member.sync.failures === 0;
      if (isOld && !isAway && old.length < OLD_AT_ONCE) old.push(member);
    }
    const [why = new Error('the platform did not tell it')] = this.#failed.values();
    const message = `It has had no state for a minute: ${why.message}`;
    const failed = old.map((member) => ({ member, message }));
    await this.#settlement.settle({ readings: [], doubtful: [], gone: [], failed });
  }

  async #round(signal: AbortSignal): Promise<void> {
    await this.#refresh();
    await this.#noteOld();
    if (this.#roster.size === 0) return;
    const startedAtMs = this.#context.now();
    await this.#use(async (gateway) => {
      await this.#lookAtClock(gateway);
      await this.#readAll(gateway, signal);
    });
    if (!signal.aborted) this.readAtMs = startedAtMs;
  }

  async #refresh(): Promise<void> {
    if (this.#time.elapsed() < this.#refreshDueMs) return;
    const { database } = this.#context;
    this.#profile = await findProfile(database, this.#profileId);
    await this.#roster.refresh(database);
    this.#refreshDueMs = this.#time.elapsed() + REFRESH_MS;
  }

  /** Does nothing without a profile: it was deleted, or not read yet. */
  async #use(work: (gateway: Gateway) => Promise<void>): Promise<void> {
    if (this.#profile) await this.#context.gateways.use(this.#profile, work);
  }

  async #lookAtClock(gateway: Gateway): Promise<void> {
    const sentMs = this.#time.elapsed();
    const { brokerTimeMs } = await gateway.check();
    this.#clock.look(brokerTimeMs, sentMs, this.#time.elapsed());
  }

  async #readAll(gateway: Gateway, signal: AbortSignal): Promise<void> {
    const world = this.#worldOf(gateway);
    const compares = { left: Math.ceil(this.#roster.slices.length / 20) };
    const work = inParallel(this.#roster.slices, SLICES_AT_ONCE, (slice) =>
      this.#readSlice(world, slice, compares),
    );
    for await (const _ of work) if (signal.aborted) return;
  }

  async #readSlice(world: ReadingWorld, slice: Slice, compares: { left: number }): Promise<void> {
    const brokerTimeMs = world.brokerTime();
    const due = this.#awake([...slice.members]).filter((each) => !isBehind(each, brokerTimeMs));
    if (due.length === 0) return;
    const sweep = this.#sweepOf(slice, compares);
    await this.#settlement.settle(await readSlice(world, due, sweep));
    if (!sweep) return;
    const nowMs = this.#time.elapsed();
    slice.sweepDueMs = nowMs + SWEEP_MS;
    if (!sweep.isWhole) return;
    // Spread, so that slices that came together do not stay together.
    slice.compareDueMs = nowMs + COMPARE_MS * (0.5 + this.#context.random() / 2);
    const numbers = due
      .filter(({ sync }) => sync.failures === 0)
      .map((each) => each.account.number);
    await this.#context.changes.record((tx) =>
      advanceSyncs(tx, this.#profileId, numbers, brokerTimeMs),
    );
  }

  #sweepOf(slice: Slice, compares: { left: number }): Sweep | undefined {
    const nowMs = this.#time.elapsed();
    if (nowMs >= slice.compareDueMs && compares.left > 0) {
      compares.left -= 1;
      return { backMs: COMPARE_BACK_MS, isWhole: true };
    }
    return nowMs >= slice.sweepDueMs ? { backMs: QUICK_BACK_MS, isWhole: false } : undefined;
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const behind = (): Member[] =>
      this.#awake(this.#roster.members())
        .filter((member) => isBehind(member, this.#clock.at(this.#time.elapsed())))
        .slice(0, CATCH_UP_MEMBERS);
    while (!signal.aborted && this.#clock.isKnown) {
      const members = behind();
      if (members.length === 0) return;
      await this.#use(async (gateway) => {
        for await (const outcome of catchUp(this.#worldOf(gateway), members)) {
          await this.#settlement.settle(outcome);
          if (signal.aborted) return;
        }
      });
    }
  }

  async #prove(signal: AbortSignal): Promise<void> {
    for (const next of this.#proofs.due()) {
      if (signal.aborted) return;
      const { member, isDoubted } = next;
      const isReady = !isBehind(member, this.#clock.at(this.#time.elapsed()));
      if (!isReady || this.#awake([member]).length === 0) continue;
      // A member whose proof fails must not be the next one again.
      this.#proofs.rest(member);
      await this.#use(async (gateway) => {
        const world = this.#worldOf(gateway);
        const hasStored = await proveHistory(world, member, false);
        // Money moved, yet the number of deals is right: one may have been edited.
        if (isDoubted && !hasStored) await proveHistory(world, member, true);
        await compareSettings(world, member);
      });
      await sleep(this.#time, PROOF_PAUSE_MS, signal);
    }
  }

  #worldOf(gateway: Gateway): ReadingWorld {
    const brokerTime = () => this.#clock.at(this.#time.elapsed());
    return { context: this.#context, gateway, time: this.#time, brokerTime };
  }

  /** The members that are not resting after a failure. */
  #awake(members: Iterable<Member>): Member[] {
    const nowMs = this.#time.elapsed();
    return Array.from(members).filter(({ restUntilMs }) => restUntilMs <= nowMs);
  }
}
