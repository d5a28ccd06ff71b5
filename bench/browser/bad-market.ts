import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { type Client, newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { forkBeside } from '../forked.ts';
import type { BadMarketOrder } from '../load/bad-market-task.ts';

const BALANCE = 100_000;
const HOUR_MS = 3_600_000;
const DAYS_OF_CHART = 30;
const AT_ONCE = 20;
/** Nearest first. */
const LIMITS = [
  { name: 'Daily loss', period: 'date', relativeDrawdownThreshold: 0.03 },
  { name: 'Weekly loss', period: 'week', relativeDrawdownThreshold: 0.06 },
  { name: 'Largest loss', period: 'lifetime', relativeDrawdownThreshold: 0.1 },
];
const LOSSES = LIMITS.map(({ relativeDrawdownThreshold }) => relativeDrawdownThreshold);

export type Firm = { client: Client; accountIds: readonly string[] };

/** Accounts with three loss limits each; the first has a month behind it, for its chart. */
export async function openFirm(address: string, accounts: number): Promise<Firm> {
  const client = await newUser(address, { scopes: ['read', 'write', 'ingest'] });
  const accountIds: string[] = [];
  const fields = { brokerClock: { zone: 'UTC' }, currency: 'USD' };
  while (accountIds.length < accounts) {
    const made = Array.from({ length: Math.min(AT_ONCE, accounts - accountIds.length) }, (_, at) =>
      watchedAccount(client, accountIds.length + at, fields),
    );
    accountIds.push(...(await Promise.all(made)));
  }
  const first = accountIds[0] ?? '';
  good(await client.post('/users/current/snapshots', monthOf(first)));
  return { client, accountIds };
}

async function watchedAccount(client: Client, index: number, fields: object): Promise<string> {
  const name = `Trader ${String(index + 1).padStart(3, '0')}`;
  const labels = [`Phase ${1 + (index % 2)}`];
  const id = await newAccount(client, { ...fields, name, login: `${70_000 + index}`, labels });
  for (const tracker of LIMITS) {
    good(await client.post(`/users/current/accounts/${id}/trackers`, tracker));
  }
  return id;
}

function monthOf(accountId: string): object[] {
  const nowMs = Date.now();
  return Array.from({ length: DAYS_OF_CHART * 24 }, (_, hour) => {
    const timeMs = nowMs - (DAYS_OF_CHART * 24 - hour) * HOUR_MS;
    const brokerTime = formatBrokerTime(timeMs);
    const equity = BALANCE + Math.round(800 * Math.sin(hour / 9));
    return { accountId, brokerTime, balance: BALANCE, equity };
  });
}

/** Sets the market off, in a process of its own that ends with the stack. */
export async function letFall(
  stack: AsyncDisposableStack,
  { client, accountIds }: Firm,
): Promise<void> {
  const { address, token = '' } = client;
  const order: BadMarketOrder = { address, token, accountIds, losses: LOSSES, balance: BALANCE };
  await forkBeside(stack, 'load/bad-market-task.ts', order);
}

function good({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}
