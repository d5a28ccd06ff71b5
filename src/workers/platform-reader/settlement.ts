import { growingPause } from '../../domain/growing-pause.ts';
import type { Timekeeper } from '../../domain/timekeeper.ts';
import type { PlatformAccountState } from '../../platforms/gateway.ts';
import type { Context } from '../../services/context.ts';
import { noteSyncFailure } from '../../storage/sync-store.ts';
import type { RecordReadings } from './account-reading.ts';
import type { Member } from './member.ts';
import type { MemberReading, SliceOutcome } from './slice-reading.ts';

/** An unchanged state is recorded at this interval. */
const SAME_STATE_MS = 10_000;
/**
 * How long a state is held back if the deals do not explain its money. Platforms do move money
 * without a deal, and a loss must be reported even then.
 */
const DOUBT_MS = 10_000;
const REST = { firstMs: 4_000, maxMs: 300_000 };

/** Settles the outcome of a reading: records states, notes failures and their ends. */
export class Settlement {
  readonly #context: Context;
  readonly #time: Timekeeper;
  readonly #record: RecordReadings;
  readonly #tell: { gone: (member: Member) => void; doubtful: (member: Member) => void };

  constructor(
    context: Context,
    time: Timekeeper,
    record: RecordReadings,
    tell: { gone: (member: Member) => void; doubtful: (member: Member) => void },
  ) {
    this.#context = context;
    this.#time = time;
    this.#record = record;
    this.#tell = tell;
  }

  async settle({ readings, doubtful, failed, gone }: SliceOutcome): Promise<void> {
    for (const member of gone) this.#tell.gone(member);
    for (const { member, message } of failed) await this.#noteFailure(member, message);
    const settled = [...readings, ...doubtful.filter((each) => this.#isDoubtOver(each))];
    for (const { member } of settled) {
      member.doubtedSinceMs = undefined;
      member.goodAtMs = this.#time.elapsed();
      member.sync.readAtMs = this.#context.now();
      if (member.sync.failures > 0) await this.#noteEnd(member);
    }
    await this.#recordNew(settled);
  }

  /** Whether to accept its state; if not, it waits, and its history is checked. */
  #isDoubtOver({ member, funds }: MemberReading): boolean {
    const nowMs = this.#time.elapsed();
    if (member.doubtedSinceMs === undefined) {
      member.doubtedSinceMs = nowMs;
      if (member.explained) this.#tell.doubtful(member);
    }
    if (nowMs - member.doubtedSinceMs < DOUBT_MS) return false;
    member.explained = funds;
    return true;
  }

  async #recordNew(settled: readonly MemberReading[]): Promise<void> {
    const nowMs = this.#time.elapsed();
    const fresh = settled.filter(
      ({ member: { recorded }, reading: { state } }) =>
        !recorded || nowMs - recorded.atMs >= SAME_STATE_MS || !isSame(recorded.state, state),
    );
    if (fresh.length === 0) return;
    await this.#record(fresh.map(({ reading }) => reading));
    for (const { member, reading } of fresh)
      member.recorded = { state: reading.state, atMs: nowMs };
  }

  async #noteFailure(member: Member, lastError: string): Promise<void> {
    const failures = member.sync.failures + 1;
    member.restUntilMs = this.#time.elapsed() + growingPause(failures, REST);
    member.sync = { ...member.sync, failures, lastError };
    await this.#context.changes.record((tx) => noteSyncFailure(tx, member.sync, member.sync));
  }

  async #noteEnd(member: Member): Promise<void> {
    member.sync = { ...member.sync, failures: 0, lastError: null };
    await this.#context.changes.record((tx) => noteSyncFailure(tx, member.sync, member.sync));
  }
}

const isSame = (a: PlatformAccountState, b: PlatformAccountState): boolean =>
  a.balance === b.balance && a.equity === b.equity;
