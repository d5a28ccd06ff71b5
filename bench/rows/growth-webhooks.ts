import { DAY_MS, formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { Client, newAccount, newUser } from '../../test/servers/plimsoll-process.ts';
import { copyRows, learnSizes, storeManyAccounts } from '../data/copies.ts';
import { storeManyEvents } from '../data/events.ts';
import { TOKEN, USER_ID } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { cpuMsOf } from '../process-use.ts';
import type { Bench } from '../row.ts';
import { type Stored, start, store } from '../servers/plimsoll.ts';
import { SlowTarget } from '../servers/slow-target.ts';

const ACCOUNTS = 50;
const DAYS_PER_ROUND = 5;
const BACKLOG = 5000;
const WEBHOOKS_PER_USER = 20;
const FIRST_MS = Date.UTC(2026, 0, 5, 9);
const STREAM = '/users/current/tracker-events/stream?limit=1000';
/** A target of 50 ms is to take a thousand events a second. */
const MOST_MS_PER_THOUSAND = 1000;
const SETTINGS = { PLIMSOLL_WEBHOOK_PRIVATE: 'allow' };

type Figure = 'started' | 'event' | 'told' | 'sent';

/** What the webhooks of others cost: those who have none, a start, and the one that is served. */
export const growthWebhooks = growthRow<Figure>({
  name: 'growth-webhooks',
  what: "events beside 10 to 10⁵ webhooks of others, and a webhook's own pace",
  ...{ largest: 100_000, of: 'webhooks of others', parts: [0.0001, 0.01, 1] },
  laws: {
    started: { what: "a start, the server's processor", unit: 'ms' },
    event: { what: "an event of a user without webhooks, the server's processor", unit: 'ms' },
    told: { what: `until ${ACCOUNTS} of them are told`, unit: 'ms' },
    sent: {
      ...{ what: '1,000 events sent in batches to a target of 50 ms', unit: 'ms' },
      most: MOST_MS_PER_THOUSAND,
    },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
  { quick }: Bench,
): Promise<Round<Figure>> {
  const backlog = quick ? BACKLOG / 5 : BACKLOG;
  const stored = await store(stack, kind, async (database) => {
    const account = await storeManyAccounts(database, 1, 0);
    await storeManyEvents(database, account, backlog, String(account.number));
  });
  const target = stack.use(new SlowTarget());
  const plain = await prepare(stored, await target.listen());
  await copyRows(stored.database, 'webhook', `user_id = '${USER_ID}'`, size, {
    id: `'other-' || cast(i as text)`,
    user_id: `'other-' || cast(i / ${WEBHOOKS_PER_USER} as text)`,
  });
  await learnSizes(stored.database);
  let day = 0;
  let lastNumber = backlog;
  return async () => {
    await using life = new AsyncDisposableStack();
    const { address, process: child } = await start(life, stored, SETTINGS);
    const pid = child.pid ?? 0;
    const started = cpuMsOf(pid);
    const user = new Client(address, plain.token);
    const beganMs = performance.now();
    for (let turn = 0; turn < DAYS_PER_ROUND; turn += 1) {
      day += 1;
      lastNumber = await breachAll(user, plain.accountIds, FIRST_MS + day * DAY_MS, lastNumber);
    }
    const told = (performance.now() - beganMs) / DAYS_PER_ROUND;
    const event = (cpuMsOf(pid) - started) / (ACCOUNTS * DAYS_PER_ROUND);
    const taken = target.take(backlog);
    await stored.database.run(
      'update webhook set last_number = 0, wanted_number = $2 where user_id = $1',
      [USER_ID, backlog],
    );
    return { started, event, told, sent: ((await taken) * 1000) / backlog };
  };
}

type Plain = { token: string | undefined; accountIds: string[] };

/** A webhook of the one user, and another user who has accounts with trackers, and no webhook. */
async function prepare(stored: Stored, url: string): Promise<Plain> {
  await using life = new AsyncDisposableStack();
  const { address } = await start(life, stored, SETTINGS);
  const webhook = { url, delivery: 'batch' };
  const made = await new Client(address, TOKEN).post('/users/current/webhooks', webhook);
  if (made.status !== 201) throw new Error(`POST webhooks: ${JSON.stringify(made.body)}`);
  const user = await newUser(address);
  const accountIds: string[] = [];
  while (accountIds.length < ACCOUNTS) {
    const id = await newAccount(user, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
    const tracker = { name: 'daily', period: 'day', relativeDrawdownThreshold: 0.05 };
    await user.post(`/users/current/accounts/${id}/trackers`, tracker);
    accountIds.push(id);
  }
  return { token: user.token, accountIds };
}

/** Each account loses a tenth within a day; the number of the last event, once all are told. */
async function breachAll(
  user: Client,
  accountIds: readonly string[],
  timeMs: number,
  after: number,
): Promise<number> {
  for (const [minute, equity] of [100_000, 90_000].entries()) {
    const brokerTime = formatBrokerTime(timeMs + minute * 60_000);
    const rows = accountIds.map((accountId) => ({
      accountId,
      brokerTime,
      balance: 100_000,
      equity,
    }));
    const answer = await user.post('/users/current/snapshots', rows);
    if (answer.status !== 200) throw new Error(`POST snapshots: ${JSON.stringify(answer.body)}`);
  }
  let last = after;
  for (let told = 0; told < accountIds.length; ) {
    const path = `${STREAM}&previousSequenceNumber=${last}`;
    const { body } = await user.get<{ sequenceNumber: number }[]>(path);
    told += body.length;
    last = body.at(-1)?.sequenceNumber ?? last;
  }
  return last;
}
