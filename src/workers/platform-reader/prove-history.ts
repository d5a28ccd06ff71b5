import { DAY_MS } from '../../domain/broker-time.ts';
import { type Deal, isUnknown } from '../../domain/deal.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import { countDeals } from '../../storage/deal-store.ts';
import { noteProof } from '../../storage/sync-store.ts';
import { AHEAD_MS, OVERLAP_MS, storeAccountReading } from './account-reading.ts';
import { type Member, platformFundsOf, withDeals } from './member.ts';
import { type DealRange, diffDeals } from './reconcile-deals.ts';
import type { ReadingWorld } from './slice-reading.ts';
import { withEffects } from './unknown-deals.ts';

/** Managers edit and delete deals within days: the latest ones are compared one by one. */
const TRAILING_MS = 3 * DAY_MS;
/** The most deals of a range read at once; larger ranges are halved first. */
const DEALS_PER_RANGE = 1_000;
/** The most questions of one proof; the next one finds the rest. */
const MAX_COUNTS = 2_000;

/**
 * Proves that an account's stored deals are all deals on its platform: the latest one by one, the
 * earlier ones by their number and, if that differs, range by range. Missing ones are stored, so a
 * deal is found however old it is. Before the latest days nothing is removed, because brokers
 * archive old deals. `isDeep` reads all ranges, for unexplained money although the number is right.
 * Returns whether anything was stored; also false if others are storing deals of the account now.
 */
export async function proveHistory(
  world: ReadingWorld,
  member: Member,
  isDeep: boolean,
): Promise<boolean> {
  const { context } = world;
  const trailing = Math.max(0, Math.min(world.brokerTime(), member.sync.cursorMs) - TRAILING_MS);
  // Whole seconds, as platforms count.
  const middleMs = Math.floor(trailing / 1000) * 1000;
  const latest = { fromMs: middleMs, toMs: world.brokerTime() + AHEAD_MS };
  let hasStored = await takeOver(world, member, latest, true);
  for await (const range of differing(world, member, { fromMs: 0, toMs: middleMs }, isDeep))
    if (await takeOver(world, member, range, false)) hasStored = true;
  const provenAtMs = context.now();
  await context.changes.record((tx) => noteProof(tx, member.sync, provenAtMs));
  member.sync.provenAtMs = provenAtMs;
  return hasStored;
}

/** Ranges with few deals, some of which may not be stored. */
async function* differing(
  { context, gateway }: ReadingWorld,
  { account, login }: Member,
  whole: DealRange,
  isDeep: boolean,
): AsyncGenerator<DealRange, void, undefined> {
  const pending = [whole];
  let questions = 0;
  for (let range = pending.pop(); range; range = pending.pop()) {
    const { fromMs, toMs } = range;
    if (fromMs >= toMs) continue;
    questions += 1;
    if (questions > MAX_COUNTS)
      throw new PlatformError('unavailable', 'its history differs in too many places');
    const theirs = await gateway.countDeals({ login, ...range });
    if (theirs === 0) continue;
    const ours = await countDeals(context.database, account.number, range);
    if (theirs === ours && !isDeep) continue;
    const halfMs = Math.floor((fromMs + toMs) / 2000) * 1000;
    if (theirs <= DEALS_PER_RANGE || halfMs === fromMs) yield range;
    else pending.push({ fromMs: halfMs, toMs }, { fromMs, toMs: halfMs });
  }
}

/** Stores the platform's deals of a range. Returns whether that changed anything. */
async function takeOver(
  world: ReadingWorld,
  member: Member,
  range: DealRange,
  isWhole: boolean,
): Promise<boolean> {
  const { context, gateway, brokerTime } = world;
  const { account, login, moneyDigits, sync } = member;
  const found = await gateway.deals({ login, ...range, moneyDigits });
  const deals = found.some(isUnknown) ? await tellEffects(world, member, range, found) : found;
  const { gone, fresh, edited } = await diffDeals(
    ...([context.database, account.number, range, deals] as const),
  );
  if (fresh.length + edited.length + (isWhole ? gone.length : 0) === 0) return false;
  const cursorMs = isWhole ? Math.min(sync.cursorMs, brokerTime()) : sync.cursorMs;
  const stored = await storeAccountReading(context, account, {
    ...{ range, deals, before: sync, cursorMs, isWhole },
  });
  if (typeof stored === 'string')
    throw new PlatformError('unavailable', 'another process is storing its deals');
  member.sync = stored.sync;
  if (member.explained) member.explained = withDeals(member.explained, stored.added);
  return true;
}

/** New deals of unknown kinds get their effect here, or are left to those who read them next. */
async function tellEffects(
  { context, gateway, brokerTime }: ReadingWorld,
  member: Member,
  range: DealRange,
  deals: readonly Deal[],
): Promise<readonly Deal[]> {
  for await (const [state] of gateway.readStates({ logins: [member.login] })) {
    if (!state || 'fault' in state) break;
    const funds = platformFundsOf(state, member);
    const { number } = member.account;
    const told = await withEffects(context.database, number, { range, deals }, undefined, funds);
    const freshFromMs = brokerTime() - OVERLAP_MS;
    return told.deals.filter(({ id, timeMs }) => timeMs < freshFromMs || !told.open.has(id));
  }
  throw new PlatformError('unavailable', 'its money cannot be read');
}
