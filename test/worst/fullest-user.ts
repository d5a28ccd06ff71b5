import assert from 'node:assert/strict';
import { MAX_DOCUMENTS_PER_USER } from '../../src/contract/operations/account-views.ts';
import { MAX_TRACKERS_PER_ACCOUNT } from '../../src/contract/operations/trackers.ts';
import { MAX_TOKENS_PER_USER } from '../../src/contract/operations/users.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { World } from '../matrix/world.ts';
import { type Client, newAccount, retry } from '../servers/plimsoll-process.ts';
import { requestOf } from './requests.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2016, 0, 4);
const HOURS = 50_000;
const DEALS = 100_000;
const ACCOUNTS = 1000;
const ROWS_AT_ONCE = 10_000;
const NOTE = 'x'.repeat(2000);
const NOTES = 390;

/** What users make by calling an operation, and how often they may. */
const MADE: readonly (readonly [operationId: string, most: number])[] = [
  ['createOwnToken', MAX_TOKENS_PER_USER],
  ['createProgram', 190],
  ['updateProgram', 900],
  ['saveAccountView', MAX_DOCUMENTS_PER_USER],
  ['saveRuleTemplate', MAX_DOCUMENTS_PER_USER],
  ['saveTableMapping', MAX_DOCUMENTS_PER_USER],
  ['createWebhook', 18],
  ['createTracker', MAX_TRACKERS_PER_ACCOUNT - 1],
  ['recordDeals', 1],
  ['importStatement', 1],
];

/**
 * Has the owner of a world make as much as a user may have, or a share of it: of each thing as many
 * as there may be at their longest, histories, breaches and notes on them.
 */
export async function fillUser(world: World, share: number): Promise<void> {
  const { owner, accountId } = world;
  for (const [operationId, most] of MADE) {
    const { send } = requestOf(operationId, world);
    for (let turn = 0; turn < Math.max(1, most * share); turn += 1) {
      const { status, text } = await send(-1 - turn);
      assert.ok(status < 500, `${operationId}: ${status} ${text}`);
      if (status >= 400) break;
    }
  }
  await addHistory(owner, accountId, share);
  const others = Math.ceil(ACCOUNTS * share);
  for (let n = 0; n < others; n += 1) await newAccount(owner);
  await addNotes(owner, share);
  const metrics = `/users/current/accounts/${accountId}/metrics`;
  await retry(() => owner.get(metrics), 'the statistics');
}

const timeOf = (hour: number): string => formatBrokerTime(START_MS + hour * HOUR_MS);

/** Hours with breaches of every tracker that there is, and deals all over them. */
async function addHistory(owner: Client, accountId: string, share: number): Promise<void> {
  const path = `/users/current/accounts/${accountId}/deals`;
  const deals = Math.ceil(DEALS * share);
  const hours = Math.ceil(HOURS * share);
  for (let from = 0; from < deals; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, deals - from) }, (_, index) => {
      const n = from + index;
      const isIn = n % 2 === 0;
      return {
        ...{ id: `worst${n}`, positionId: `worst${n >> 1}`, symbol: `S${n % 500}`, volume: 1 },
        ...{ type: isIn ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', price: 1.1, profit: isIn ? 0 : 1 },
        ...{ entry: isIn ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT', comment: `${n}`.padEnd(256, 'x') },
        brokerTime: timeOf(Math.floor((n / deals) * hours)),
      };
    });
    const { status, body } = await owner.post(path, rows);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const headers = { 'content-type': 'application/x-ndjson' };
  for (let from = 0; from < hours; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, hours - from) }, (_, index) => {
      const brokerTime = timeOf(from + index);
      const equity = (from + index) % 24 < 20 ? 10_000 : 9000;
      return JSON.stringify({ accountId, brokerTime, balance: 10_000, equity });
    });
    const { status, body } = await owner.post('/users/current/snapshots', rows.join('\n'), headers);
    assert.equal(status, 200, JSON.stringify(body));
  }
}

async function addNotes(owner: Client, share: number): Promise<void> {
  const path = '/users/current/incidents';
  const { body } = await owner.get<{ incidents: { id: number }[] }>(`${path}?state=all&limit=200`);
  const ids = body.incidents.map(({ id }) => id);
  if (ids.length === 0) return;
  for (let n = 0; n < NOTES * share; n += 1) {
    const { status } = await owner.call('PATCH', path, { ids, note: NOTE });
    assert.ok(status < 500);
    if (status >= 400) return;
  }
}
