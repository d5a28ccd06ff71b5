import { DealRules, type StoredDealRules } from '../programs/deal-rules.ts';
import { neededRules } from '../programs/deal-verdict.ts';
import { FoldWindow, type LoggedChange, type LoggedReading } from './fold-window.ts';
import type { KnownDeal } from './known-deals.ts';
import type { AccountWindow, LiveAccount } from './live-account.ts';

/* The rare parts: waiting deals, rules over deals, several snapshots of a moment, and a window. */

type StoredReading = [
  timeMs: number,
  utcMs: number,
  balance: number,
  equity: number,
  receivedUtcMs: number | null,
  startsStretch: 0 | 1,
];
/** The state of an account, in base64. */
type StoredState = string;
type StoredChange =
  | (Extract<LoggedChange<LiveAccount>, { enrolmentId: string }> & { carrier?: never })
  | { at: number; kind: 'joined'; carrier: StoredState };

type StoredWindow = Pick<AccountWindow, 'deals' | 'told' | 'ended' | 'movements'> & {
  base: StoredState;
  readings: StoredReading[];
  changes: StoredChange[];
  openUntilUtcMs: number | null;
  equities: [number | null, number | null];
};

type Rest = {
  deals?: readonly KnownDeal[];
  ofMoment?: readonly number[];
  window?: StoredWindow;
  dealRules?: readonly StoredDealRules[];
};

/**
 * As JSON; empty for most accounts.
 * @param encode makes the state of an account
 */
export function restOf(account: LiveAccount, encode: (account: LiveAccount) => Uint8Array): string {
  const { waitingDeals, ofMoment, window } = account;
  const dealRules = neededRules(account).flatMap((one) => one.store() ?? []);
  if (waitingDeals.length + dealRules.length === 0 && !ofMoment && !window) return '';
  const rest: Rest = {
    ...(waitingDeals.length > 0 ? { deals: waitingDeals } : {}),
    ...(ofMoment ? { ofMoment } : {}),
    ...(window ? { window: storedWindow(window, encode) } : {}),
    ...(dealRules.length > 0 ? { dealRules } : {}),
  };
  return JSON.stringify(rest);
}

/** @param decode makes an account from the state of one */
export function restoreRest(
  account: LiveAccount,
  text: string,
  decode: (state: Uint8Array) => LiveAccount,
): void {
  if (text === '') return;
  const { deals, ofMoment, window, dealRules = [] } = JSON.parse(text) as Rest;
  if (deals) account.waitingDeals = deals;
  if (window) {
    account.window = restoredWindow(window, decode);
    account.dealRules = account.dealRules.concat(rulesOfEnded(account, account.window));
  }
  for (const stored of dealRules) {
    account.dealRules.find((one) => one.enrolmentId === stored.enrolmentId)?.restore(stored);
  }
  account.ofMoment = ofMoment;
}

/** Of enrolments that ended in the window, and have not come back. */
function rulesOfEnded({ enrolments }: LiveAccount, window: AccountWindow): DealRules[] {
  const joined = window.changes.flatMap((one) => (one.kind === 'joined' ? [one.carrier] : []));
  return [window.base, ...joined]
    .flatMap((account) => account.enrolments)
    .filter(({ id }) => window.ended.some(({ enrolmentId }) => enrolmentId === id))
    .filter(({ id }) => !enrolments.some((one) => one.id === id))
    .map(({ definition }) => new DealRules(definition))
    .filter(({ rules }) => rules.length > 0);
}

function storedWindow(
  window: AccountWindow,
  encode: (account: LiveAccount) => Uint8Array,
): StoredWindow {
  const stateOf = (account: LiveAccount): StoredState => encode(account).toBase64();
  const { deals, told, ended, movements, openUntilUtcMs, lowEquity, highEquity } = window;
  return {
    base: stateOf(window.base),
    readings: window.readings.map((one) => [
      ...([one.timeMs, one.utcMs, one.balance, one.equity, one.receivedUtcMs] as const),
      one.startsStretch ? 1 : 0,
    ]),
    changes: window.changes.map((change) =>
      change.kind === 'joined' ? { ...change, carrier: stateOf(change.carrier) } : change,
    ),
    ...{ deals, told, ended, movements, openUntilUtcMs, equities: [lowEquity, highEquity] },
  };
}

function restoredWindow(
  stored: StoredWindow,
  decode: (state: Uint8Array) => LiveAccount,
): AccountWindow {
  const accountOf = (state: StoredState): LiveAccount => decode(Uint8Array.fromBase64(state));
  const window = new FoldWindow(accountOf(stored.base));
  window.readings = stored.readings.map(
    ([timeMs, utcMs, balance, equity, receivedUtcMs, startsStretch]): LoggedReading => ({
      ...{ timeMs, utcMs, balance, equity, startsStretch: startsStretch === 1 },
      receivedUtcMs: receivedUtcMs ?? Number.POSITIVE_INFINITY,
    }),
  );
  window.changes = stored.changes.map((change) =>
    change.kind === 'joined' ? { ...change, carrier: accountOf(change.carrier) } : change,
  );
  window.deals = stored.deals;
  window.told = stored.told;
  window.ended = stored.ended;
  window.movements = stored.movements;
  window.openUntilUtcMs = stored.openUntilUtcMs ?? Number.NEGATIVE_INFINITY;
  window.lowEquity = stored.equities[0] ?? Number.NaN;
  window.highEquity = stored.equities[1] ?? Number.NaN;
  return window;
}
