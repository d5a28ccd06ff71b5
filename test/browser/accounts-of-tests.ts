import assert from 'node:assert/strict';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { type Client, newAccount } from '../servers/plimsoll-process.ts';

/** The wall clock of an account on UTC, `minutes` from now. */
export const brokerTime = (minutes: number): string =>
  formatBrokerTime(Date.now() + minutes * 60_000);

export type Snapshot = { minutes: number; balance?: number; equity: number };

/** Sends snapshots of an account whose clock is UTC; the balance defaults to 10,000. */
export async function push(
  client: Client,
  accountId: string,
  ...snapshots: readonly Snapshot[]
): Promise<void> {
  const rows = snapshots.map(({ minutes, balance = 10_000, equity }) => ({
    ...{ accountId, balance, equity },
    brokerTime: brokerTime(minutes),
  }));
  const answer = await client.post('/users/current/snapshots', rows);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** An account whose clock is UTC, with a tracker of its whole life; its id. */
export async function watchedAccount(
  client: Client,
  name: string,
  rule: Record<string, unknown> = { relativeDrawdownThreshold: 0.1 },
  account: Record<string, unknown> = {},
): Promise<string> {
  const id = await newAccount(client, { name, brokerClock: { zone: 'UTC' }, ...account });
  await addTracker(client, id, { name: `Limit of ${name}`, period: 'lifetime', ...rule });
  return id;
}

export async function addTracker(
  client: Client,
  accountId: string,
  tracker: Record<string, unknown>,
): Promise<string> {
  const path = `/users/current/accounts/${accountId}/trackers`;
  const answer = await client.post<{ id: string }>(path, tracker);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

export async function addDeals(
  client: Client,
  accountId: string,
  deals: readonly Record<string, unknown>[],
): Promise<void> {
  const answer = await client.post(`/users/current/accounts/${accountId}/deals`, deals);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}
