import type { Static } from 'typebox';
import type { AccountLabelRecord } from '../../contract/operations/accounts.ts';
import type {
  CurrencyTotalsRecord,
  readAccountTotalsOperation,
} from '../../contract/operations/accounts-overview.ts';
import { fromUnits } from '../../domain/money.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { isoTime } from '../present-time.ts';
import { eachInSlices } from './in-slices.ts';
import { isIn, matcherOf, type OverviewEntry, type Which } from './overview-entry.ts';
import { countsOf } from './overview-table.ts';
import type { OverviewTables } from './overview-tables.ts';
import { entriesFor } from './read-overview.ts';

type Answer = Static<(typeof readAccountTotalsOperation.response)[200]>;
type OverviewContext = Context & { overviews: OverviewTables };

const MAX_CURRENCIES = 200;
const MAX_LABELS = 1000;

/** Sums of the accounts that match, by currency: nothing is converted. */
export async function readAccountTotals(
  context: OverviewContext,
  principal: Principal,
  which: Which,
): Promise<Answer> {
  const { entries, madeAtMs } = await entriesOf(context, principal);
  const nowMs = context.now();
  const matches = matcherOf(which, nowMs);
  const groups = new Map<string, OverviewEntry[]>();
  let total = 0;
  await eachInSlices(entries, (entry) => {
    if (matches && !matches(entry)) return;
    total += 1;
    addTo(groups, entry.currency, entry);
  });
  const currencies: CurrencyTotalsRecord[] = [];
  for (const [currency, group] of [...groups].sort(byKey).slice(0, MAX_CURRENCIES)) {
    currencies.push(await totalsOf(currency, group, nowMs));
  }
  return { asOf: isoTime(madeAtMs), total, currencies };
}

/** Every label, with its number of accounts and how many of them need attention. */
export async function listAccountLabels(
  context: OverviewContext,
  principal: Principal,
): Promise<AccountLabelRecord[]> {
  const { entries } = await entriesOf(context, principal);
  const groups = new Map<string, OverviewEntry[]>();
  await eachInSlices(entries, (entry) => {
    for (const label of entry.labels) addTo(groups, label, entry);
  });
  const nowMs = context.now();
  const labels: AccountLabelRecord[] = [];
  for (const [label, group] of [...groups].sort(byKey).slice(0, MAX_LABELS)) {
    const { all: accounts, clockSuspect: _, ...counts } = await countsOf(group, nowMs);
    labels.push({ label, accounts, ...counts });
  }
  return labels;
}

function addTo(groups: Map<string, OverviewEntry[]>, key: string, entry: OverviewEntry): void {
  const group = groups.get(key);
  if (group) group.push(entry);
  else groups.set(key, [entry]);
}

async function entriesOf(
  { overviews }: OverviewContext,
  principal: Principal,
): Promise<{ entries: readonly OverviewEntry[]; madeAtMs: number }> {
  const table = await overviews.of(userOf(principal));
  const { madeAtMs } = table;
  return { entries: entriesFor(table, principal) ?? [...table.entries()], madeAtMs };
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** Sums as BigInt, because they may exceed safe integers. */
async function totalsOf(
  currency: string,
  entries: readonly OverviewEntry[],
  nowMs: number,
): Promise<CurrencyTotalsRecord> {
  const sums = { balance: 0n, equity: 0n, openProfit: 0n };
  const counts = { balances: 0, equities: 0, stale: 0 };
  await eachInSlices(entries, (entry) => {
    const { balance, equity } = entry;
    if (balance !== undefined) {
      sums.balance += BigInt(balance);
      counts.balances += 1;
    }
    if (equity === undefined) return;
    sums.equity += BigInt(equity);
    counts.equities += 1;
    if (isIn(entry, 'stale', nowMs)) counts.stale += 1;
    if (balance !== undefined) sums.openProfit += BigInt(equity - balance);
  });
  const digits = entries[0]?.moneyDigits ?? 0;
  const money = (units: bigint): number => fromUnits(Number(units), digits);
  return {
    ...{ currency, accounts: entries.length, ...counts },
    balance: money(sums.balance),
    equity: money(sums.equity),
    openProfit: money(sums.openProfit),
  };
}
