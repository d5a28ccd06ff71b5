import { formatBrokerTime } from '../../src/domain/broker-time.ts';
/**
 * A process that is a firm in a bad market: a snapshot a second from each account, and every few
 * seconds a fifth of the accounts falls through its next limit. Goes on until it is killed.
 */
export type BadMarketOrder = {
  address: string;
  token: string;
  accountIds: readonly string[];
  /** What is lost with each limit, from the nearest to the farthest. */
  losses: readonly number[];
  balance: number;
};

const EVERY_MS = 1000;
const SECONDS_A_WAVE = 4;
const SHARE_OF_WAVE = 5;
/** Of the balance, from second to second. */
const TREMBLING = 0.0005;

const order = JSON.parse(process.argv[2] ?? '{}') as BadMarketOrder;
const { address, token, accountIds, losses, balance } = order;
const headers = { 'auth-token': token, 'content-type': 'application/x-ndjson' };
let second = 0;

/** Share of the balance that an account has lost: each wave takes another fifth a limit further. */
function lostBy(index: number): number {
  const waves = Math.floor(second / SECONDS_A_WAVE);
  const own = Math.floor((waves + SHARE_OF_WAVE - 1 - (index % SHARE_OF_WAVE)) / SHARE_OF_WAVE);
  return own === 0 ? 0.01 : (losses[Math.min(own, losses.length) - 1] ?? 0) * 1.02;
}

async function send(): Promise<void> {
  const brokerTime = formatBrokerTime(Date.now());
  const rows = accountIds.map((accountId, index) => {
    const trembling = TREMBLING * Math.sin(second * 1.7 + index);
    const equity = Math.round(balance * (1 - lostBy(index) + trembling) * 100) / 100;
    return JSON.stringify({ accountId, brokerTime, balance, equity });
  });
  const request = { method: 'POST', headers, body: rows.join('\n') };
  const answer = await fetch(`${address}/users/current/snapshots`, request);
  if (!answer.ok) throw new Error(await answer.text());
  if (second === 0) process.send?.('ready');
  second += 1;
}

setInterval(() => void send(), EVERY_MS);
await send();
