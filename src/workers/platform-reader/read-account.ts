import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { moneyDigits } from '../../domain/money.ts';
import { sleep } from '../../domain/timekeeper.ts';
import type { Gateway, PlatformAccountState } from '../../platforms/gateway.ts';
import type { Context } from '../../services/context.ts';
import { notFound, unavailable } from '../../services/errors.ts';
import type { AccountSync } from '../../storage/sync-store.ts';
import {
  type AccountReading,
  AHEAD_MS,
  type BoundAccount,
  momentOf,
  OVERLAP_MS,
  storeAccountReading,
  syncOf,
} from './account-reading.ts';
import { platformFundsOf } from './member.ts';
import type { DealRange } from './reconcile-deals.ts';
import type { ReadingWorld } from './slice-reading.ts';
import { withEffects } from './unknown-deals.ts';

/** The window of a thorough reading. */
const TRAILING_MS = 3 * DAY_MS;
/** The first reading is done in steps, so that a crash repeats only one step. */
const STEPS_BACK_MS = [360 * DAY_MS, 120 * DAY_MS, 30 * DAY_MS];
/** Tries to read a state with its deals while the account trades. */
const MAX_TRIES = 3;
/** Tries of a reading overtaken by others, and the pause before the next. */
const MAX_READINGS = 5;
const QUIET_MS = 1_000;
/** The longest wait for that. */
const MAX_WAIT_MS = 60_000;

type World = Pick<ReadingWorld, 'context' | 'gateway' | 'time'>;
type ReadAlone = AccountReading & { sync: AccountSync };

/**
 * Reads one account's deals and state from its platform. Every step is stored with the cursor in
 * one transaction, so an interrupted reading continues where it stopped, and one overtaken by
 * others continues when they have finished: two that took turns would both read everything twice.
 * `thorough` reads the whole trailing window again. Undefined if the account was deleted since.
 * Throws PlatformError, `notFound` if the platform has no such login, or `unavailable`.
 */
export async function readAccount(
  world: World,
  account: BoundAccount,
  thorough: boolean,
): Promise<ReadAlone | undefined> {
  for (let tries = 0; tries < MAX_READINGS; tries += 1) {
    const reading = await tryReading(world, account, thorough);
    if (reading === 'gone') return undefined;
    if (reading !== 'stale') return reading;
    await othersHaveFinished(world, account);
  }
  throw unavailable('The account is being read elsewhere', 1);
}

/** Resolves when no reading of the account was stored for a while, or after a minute. */
async function othersHaveFinished({ context, time }: World, account: BoundAccount): Promise<void> {
  const startedMs = time.elapsed();
  let { version } = await syncOf(context, account);
  while (time.elapsed() - startedMs < MAX_WAIT_MS) {
    await sleep(time, QUIET_MS);
    const sync = await syncOf(context, account);
    if (sync.version === version) return;
    version = sync.version;
  }
}

async function tryReading(
  { context, gateway }: World,
  account: BoundAccount,
  thorough: boolean,
): Promise<ReadAlone | 'gone' | 'stale'> {
  const { brokerTimeMs } = await gateway.check();
  const checkedAtMs = context.now();
  let sync = await syncOf(context, account);
  if (sync.cursorMs === 0) await stateOf(gateway, account);
  for (const toMs of stepsBefore(sync.cursorMs, brokerTimeMs)) {
    const range = { fromMs: sync.cursorMs, toMs };
    const deals = await dealsOf(gateway, account, range);
    const stored = await storeAccountReading(context, account, {
      ...{ range, deals, before: sync, cursorMs: toMs },
    });
    if (typeof stored === 'string') return stored;
    sync = stored.sync;
  }
  const backMs = thorough ? TRAILING_MS : OVERLAP_MS;
  const fromMs = Math.max(0, Math.min(sync.cursorMs, brokerTimeMs) - backMs);
  const range = { fromMs, toMs: brokerTimeMs + AHEAD_MS };
  const { state, readAtMs, ...read } = await sameMoment(context, gateway, account, range);
  const funds = platformFundsOf(state, { moneyDigits: moneyDigits(account.currency) });
  const told = await withEffects(
    ...([context.database, account.number, { range, deals: read.deals }] as const),
    ...([undefined, funds] as const),
  );
  // Those without a known effect wait for figures that show it: see slice-reading.ts.
  const deals = told.deals.filter(({ id }) => !told.open.has(id));
  const stored = await storeAccountReading(context, account, {
    ...{ range, deals, before: sync, cursorMs: brokerTimeMs },
  });
  if (typeof stored === 'string') return stored;
  const timeMs = momentOf(brokerTimeMs + readAtMs - checkedAtMs, deals);
  return { account, state, timeMs, sync: stored.sync };
}

/** The ends of a first reading's steps, oldest first; none once the cursor is near. */
const stepsBefore = (cursorMs: BrokerTimeMs, nowMs: BrokerTimeMs): BrokerTimeMs[] =>
  STEPS_BACK_MS.map((backMs) => nowMs - backMs).filter((endMs) => endMs - cursorMs > TRAILING_MS);

const dealsOf = (
  gateway: Gateway,
  { login, currency }: BoundAccount,
  range: DealRange,
): Promise<Deal[]> =>
  gateway.deals({ login: Number(login), ...range, moneyDigits: moneyDigits(currency) });

/**
 * A state with the deals of the same moment: balance and credit did not move around them.
 * `readAtMs` is our clock just before the state was read.
 */
async function sameMoment(
  { now }: Context,
  gateway: Gateway,
  account: BoundAccount,
  range: DealRange,
): Promise<{ state: PlatformAccountState; deals: Deal[]; readAtMs: number }> {
  let before = await stateOf(gateway, account);
  for (let tries = 1; ; tries += 1) {
    const deals = await dealsOf(gateway, account, range);
    const readAtMs = now();
    const state = await stateOf(gateway, account);
    const same = before.balance === state.balance && before.credit === state.credit;
    if (same || tries >= MAX_TRIES) return { state, deals, readAtMs };
    before = state;
  }
}

async function stateOf(gateway: Gateway, { login }: BoundAccount): Promise<PlatformAccountState> {
  const information = await gateway.accountInformation(Number(login));
  if (!information) throw notFound(`Login ${login} on the platform`);
  const { balance, equity, margin, freeMargin, credit } = information;
  return { balance, equity, margin, freeMargin, credit };
}
