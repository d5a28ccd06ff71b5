import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import { ServiceError } from '../../services/errors.ts';
import { AHEAD_MS, OVERLAP_MS } from './account-reading.ts';
import { type Member, platformFundsOf } from './member.ts';
import { readAccount } from './read-account.ts';
import { Slice } from './roster.ts';
import { type ReadingWorld, readSlice, type SliceOutcome } from './slice-reading.ts';

/** An account further behind has too many deals to be read together with others. */
const MAX_BEHIND_MS = DAY_MS;
const COUNTS_AT_ONCE = 4;
/** Deals per request; accounts with more are read singly, step by step. */
const DEALS_PER_REQUEST = 5_000;

/** Whether a member must catch up on deals before it can be read together with others. */
export const isBehind = ({ sync }: Member, brokerTimeMs: BrokerTimeMs): boolean =>
  sync.cursorMs === 0 || Math.abs(brokerTimeMs - sync.cursorMs) >= MAX_BEHIND_MS;

/**
 * Reads members for the first time, or after a long time: those with few deals together, the others
 * one by one. Throws PlatformError, after yielding the members read so far.
 */
export async function* catchUp(
  world: ReadingWorld,
  members: readonly Member[],
): AsyncGenerator<SliceOutcome, void, undefined> {
  const large: Member[] = [];
  let together = new Slice();
  let deals = 0;
  for await (const { member, total } of inParallel(members, COUNTS_AT_ONCE, (each) =>
    countNew(world, each),
  )) {
    if (total > DEALS_PER_REQUEST) {
      large.push(member);
      continue;
    }
    if (deals + total > DEALS_PER_REQUEST || !together.hasRoomFor(member)) {
      yield readTogether(world, together);
      [together, deals] = [new Slice(), 0];
    }
    together.add(member);
    deals += total;
  }
  if (together.members.size > 0) yield readTogether(world, together);
  for (const member of large) {
    try {
      yield await readAlone(world, member);
    } catch (error) {
      // It counts as failed and rests, so that the next turn begins with another one.
      const message = error instanceof Error ? error.message : 'reading failed';
      yield { ...nothing(), failed: [{ member, message }] };
      throw error;
    }
  }
}

const readTogether = (world: ReadingWorld, { members }: Slice): Promise<SliceOutcome> =>
  readSlice(world, [...members], { backMs: OVERLAP_MS, isWhole: true });

async function countNew(
  { gateway, brokerTime }: ReadingWorld,
  member: Member,
): Promise<{ member: Member; total: number }> {
  if (Number.isNaN(member.login)) return { member, total: 0 };
  const fromMs = Math.max(0, member.sync.cursorMs - OVERLAP_MS);
  const range = { fromMs, toMs: brokerTime() + AHEAD_MS };
  return { member, total: await gateway.countDeals({ login: member.login, ...range }) };
}

const nothing = (): SliceOutcome => ({ readings: [], doubtful: [], failed: [], gone: [] });

/** Reads one member singly, in steps. */
async function readAlone(world: ReadingWorld, member: Member): Promise<SliceOutcome> {
  const outcome = nothing();
  try {
    const reading = await readAccount(world, member.account, false);
    if (!reading) outcome.gone.push(member);
    else {
      member.sync = reading.sync;
      member.explained = undefined;
      const { sync: _, ...rest } = reading;
      outcome.readings.push({ member, reading: rest, funds: platformFundsOf(rest.state, member) });
    }
  } catch (error) {
    const isItsOwn =
      error instanceof ServiceError || (error instanceof PlatformError && error.code === 'invalid');
    if (!isItsOwn) throw error;
    outcome.failed.push({ member, message: error.message });
  }
  return outcome;
}
