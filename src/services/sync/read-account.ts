import { type BrokerTimeMs, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { AccountInformation, Gateway } from '../../platforms/gateway.ts';
import { type Account, findAccount } from '../../storage/account-store.ts';
import { type AccountSync, findSync, saveSync } from '../../storage/sync-store.ts';
import type { Context } from '../context.ts';
import { type Reconciled, reconcileDeals } from '../deals/reconcile-deals.ts';
import { notFound } from '../errors.ts';

/** An account's state at a moment, with the deals that were found since the state before. */
export type AccountReading = {
  information: AccountInformation;
  timeMs: BrokerTimeMs;
  deals: Deal[];
};

/** Deals are read again this far back each time: bookings come late by moments. */
const OVERLAP_MS = HOUR_MS;
/** Managers edit and delete deals within days: this far back is read again now and then. */
const TRAILING_MS = 3 * DAY_MS;
const RECONCILE_EVERY_MS = 600_000;
/** The first reading goes in steps, so that a crash repeats one step and not all. */
const STEP_MS = 60 * DAY_MS;
const STEPPED_MS = 24 * STEP_MS;
/** A deal may bear a time a little ahead of the clock that was read. */
const AHEAD_MS = DAY_MS;
/** Tries to read a state and the deals that belong to it while the account trades. */
const MAX_TRIES = 3;

/**
 * Reads an account's deals and state from its platform. Every step is stored with the cursor in one
 * transaction, so a reading that was cut off goes on where it stopped. `thorough` reads the whole
 * trailing window again. Throws PlatformError, or `notFound` when the platform has no such login;
 * undefined when the account was deleted meanwhile.
 */
export async function readAccount(
  context: Context,
  gateway: Gateway,
  account: Account & { profileId: string },
  thorough: boolean,
): Promise<AccountReading | undefined> {
  const { brokerTimeMs } = await gateway.check();
  let sync = await startOf(context, account);
  if (sync.cursorMs === 0) await informationOf(gateway, account);
  for (const toMs of stepsBefore(sync.cursorMs, brokerTimeMs)) {
    const range = { fromMs: sync.cursorMs, toMs };
    const read = await dealsOf(gateway, account, range);
    sync = { ...sync, cursorMs: toMs };
    if (!(await store(context, account, range, read, sync))) return undefined;
  }
  const nowMs = context.now();
  const whole = thorough || nowMs - sync.reconciledAtMs >= RECONCILE_EVERY_MS;
  const backMs = whole ? TRAILING_MS : OVERLAP_MS;
  const fromMs = Math.max(0, Math.min(sync.cursorMs, brokerTimeMs) - backMs);
  const range = { fromMs, toMs: brokerTimeMs + AHEAD_MS };
  const { information, read } = await consistent(gateway, account, range);
  const done = {
    ...sync,
    cursorMs: brokerTimeMs,
    reconciledAtMs: whole ? nowMs : sync.reconciledAtMs,
    failures: 0,
    lastSuccessMs: nowMs,
    lastError: null,
  };
  const reconciled = await store(context, account, range, read, done);
  return reconciled && { information, timeMs: brokerTimeMs, deals: reconciled.added };
}

/** Where the steps of a first reading end, oldest first; none once the cursor has come near. */
function stepsBefore(cursorMs: BrokerTimeMs, nowMs: BrokerTimeMs): BrokerTimeMs[] {
  const steps: BrokerTimeMs[] = [];
  for (let endMs = nowMs - STEPPED_MS; endMs < nowMs; endMs += STEP_MS)
    if (endMs > cursorMs && endMs - cursorMs > TRAILING_MS) steps.push(endMs);
  return steps;
}

async function startOf(
  { database }: Context,
  { id, profileId }: Account & { profileId: string },
): Promise<AccountSync> {
  const known = await findSync(database, id);
  if (known && known.profileId === profileId) return known;
  return {
    accountId: id,
    profileId,
    cursorMs: 0,
    reconciledAtMs: 0,
    nextAtMs: known?.nextAtMs ?? 0,
    failures: 0,
    lastSuccessMs: null,
    lastError: null,
  };
}

const dealsOf = (
  gateway: Gateway,
  { login, currency }: Account,
  range: { fromMs: BrokerTimeMs; toMs: BrokerTimeMs },
): Promise<Deal[]> =>
  gateway.deals({ login: Number(login), ...range, moneyDigits: moneyDigits(currency) });

/** A state with the deals of the same moment: balance and credit did not move around them. */
async function consistent(
  gateway: Gateway,
  account: Account,
  range: { fromMs: BrokerTimeMs; toMs: BrokerTimeMs },
): Promise<{ information: AccountInformation; read: Deal[] }> {
  let before = await informationOf(gateway, account);
  for (let tries = 1; ; tries += 1) {
    const read = await dealsOf(gateway, account, range);
    const information = await informationOf(gateway, account);
    const still = before.balance === information.balance && before.credit === information.credit;
    if (still || tries >= MAX_TRIES) return { information, read };
    before = information;
  }
}

async function informationOf(gateway: Gateway, { login }: Account): Promise<AccountInformation> {
  const information = await gateway.accountInformation(Number(login));
  if (!information) throw notFound(`Login ${login} on the platform`);
  return information;
}

/** Stores a step and the cursor behind it at once; undefined when the account was deleted. */
async function store(
  { database }: Context,
  account: Account & { profileId: string },
  range: { fromMs: BrokerTimeMs; toMs: BrokerTimeMs },
  deals: readonly Deal[],
  sync: AccountSync,
): Promise<Reconciled | undefined> {
  return database.transaction(async (tx) => {
    await tx.lock(`account:${account.id}`);
    const current = await findAccount(tx, account.id);
    const same =
      current?.createdAtMs === account.createdAtMs && current.profileId === account.profileId;
    if (!same) return undefined;
    const reconciled = await reconcileDeals(tx, account.id, range, deals);
    await saveSync(tx, { ...sync, nextAtMs: (await findSync(tx, account.id))?.nextAtMs ?? 0 });
    return reconciled;
  });
}
