import { setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../domain/broker-time.ts';
import { demoProgram } from './demo-program.ts';
import { HttpClient } from './http-client.ts';

const EVERY_MS = 1000;
const BALANCE = 10_000;
const LIMIT = { name: 'Daily loss 5 %', period: 'date', relativeDrawdownThreshold: 0.05 };
const ACCOUNT = {
  ...{ platform: 'p5', broker: 'Plimsoll demo', currency: 'USD', leverage: 100 },
  brokerClock: { zone: 'UTC', shiftHours: 0 },
};
const NEAR = { id: 'demo-push-near', name: 'Near its limit', login: '900001' };
const FALLING = { id: 'demo-push-falling', name: 'About to break its limit', login: '900002' };
/** The falling account's loss, of the allowed 500, and the time it takes. */
const FALL = { loss: 560, ms: 110_000 };
const EXPLAINED_EVERY_MS = 5000;
const EXPLANATION =
  'This account of the demo loses 560 USD within two minutes of each start, and may lose 500 a day. What a risk manager does now: look at the evidence, take the incident, and acknowledge it once the trader is told.';

/**
 * Sends two accounts each second, whether markets are open or not: one that stays near its limit,
 * and one that breaks it within two minutes; both are enrolled in a program. The returned function
 * ends it at once.
 */
export async function feedDemo(
  address: string,
  token: string,
  now: () => number,
): Promise<() => void> {
  const client = new HttpClient(address, token);
  const path = '/users/current/accounts';
  const accounts = await client.send<{ id: string }[]>('GET', path);
  const known = new Set(accounts.map(({ id }) => id));
  // It falls again at each start.
  if (known.delete(FALLING.id)) await client.send('DELETE', `${path}/${FALLING.id}`);
  const programId = await demoProgram(client);
  for (const account of [NEAR, FALLING]) {
    if (known.has(account.id)) continue;
    await client.send('POST', path, { ...ACCOUNT, ...account });
    await client.send('POST', `${path}/${account.id}/trackers`, LIMIT);
    const enrolment = { programId, initialBalance: BALANCE };
    await client.send('POST', `${path}/${account.id}/enrolments`, enrolment);
  }
  const startMs = now();
  const ended = new AbortController();
  const { signal } = ended;
  const push = async (): Promise<void> => {
    const answer = await fetch(`${address}/users/current/snapshots`, {
      ...{ method: 'POST', signal, body: JSON.stringify(snapshotsAt(startMs, now())) },
      headers: { 'auth-token': token, 'content-type': 'application/json' },
    });
    await answer.arrayBuffer();
  };
  const feed = async (): Promise<void> => {
    while (!signal.aborted) {
      // Lost snapshots show on the accounts: as old snapshots.
      await push().catch(() => {});
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  };
  void feed();
  void explainFall(client, signal);
  return () => ended.abort();
}

/** Says what happened, and what to do, in the incident of the account that fell. */
async function explainFall(client: HttpClient, signal: AbortSignal): Promise<void> {
  const path = '/users/current/incidents';
  while (!signal.aborted) {
    await sleep(EXPLAINED_EVERY_MS, undefined, { signal }).catch(() => {});
    const found = await client
      .send<{ incidents: { id: number }[] }>('GET', `${path}?state=all&accountId=${FALLING.id}`)
      .catch(() => undefined);
    const ids = found?.incidents.map(({ id }) => id) ?? [];
    if (ids.length === 0 || signal.aborted) continue;
    await client.send('PATCH', path, { ids, note: EXPLANATION }).catch(() => {});
    return;
  }
}

function snapshotsAt(startMs: number, nowMs: number): object[] {
  const wave = Math.sin(nowMs / 7000) + Math.sin(nowMs / 2300) / 2;
  const fallen = Math.min(1, (nowMs - startMs) / FALL.ms) * FALL.loss;
  const at = (accountId: string, loss: number): object => ({
    ...{ accountId, brokerTime: formatBrokerTime(nowMs), balance: BALANCE },
    equity: Number((BALANCE - loss).toFixed(2)),
  });
  return [at(NEAR.id, 430 + 20 * wave), at(FALLING.id, fallen + (fallen > 0 ? 4 * wave : 0))];
}
