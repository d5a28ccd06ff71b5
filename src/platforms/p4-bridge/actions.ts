import {
  type AccountPassword,
  type AccountSettings,
  type BalanceOperation,
  type ClosingOutcome,
  PlatformError,
} from '../gateway.ts';
import { markedComment } from '../operation-mark.ts';
import type { BridgeClient } from './client.ts';
import {
  type BridgeSettings,
  bridgeBooked,
  bridgeClosed,
  bridgeDone,
  bridgePasswordCheck,
  bridgeSettings,
} from './wire-actions.ts';

const OPERATION_TYPES: Partial<Record<BalanceOperation['type'], 'balance' | 'credit'>> = {
  DEAL_TYPE_BALANCE: 'balance',
  DEAL_TYPE_CREDIT: 'credit',
};

const CLOSE_PATHS = { position: '/positions/close', order: '/pending-orders/cancel' } as const;

export async function readSettings(
  client: BridgeClient,
  login: number,
): Promise<AccountSettings | undefined> {
  const call = { method: 'GET', path: `/users/${login}/settings` } as const;
  const found = await client.call(bridgeSettings, call);
  return found && settingsOf(found);
}

/** The bridge writes the given fields and answers with the server's state afterwards. */
export async function changeSettings(
  client: BridgeClient,
  login: number,
  change: Partial<AccountSettings>,
): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
  const path = `/users/${login}/settings`;
  const call = { method: 'PATCH', path, body: change, isRepeatable: true } as const;
  const settings = settingsOf(found(await client.call(bridgeSettings, call)));
  for (const [name, value] of Object.entries(change))
    if (value !== undefined && settings[name as keyof AccountSettings] !== value)
      throw new PlatformError('invalid', `the platform did not apply the change of ${name}`);
  return { settings, alsoChanged: [] };
}

export async function setPassword(
  client: BridgeClient,
  { login, ...body }: AccountPassword,
): Promise<void> {
  const path = `/users/${login}/password`;
  const call = { method: 'POST', path, body, isRepeatable: true } as const;
  found(await client.call(bridgeDone, call));
}

/** Undefined if the bridge can't check passwords. */
export async function checkPassword(
  client: BridgeClient,
  { login, ...body }: AccountPassword,
): Promise<boolean | undefined> {
  const path = `/users/${login}/password/check`;
  const call = { method: 'POST', path, body, isRepeatable: true } as const;
  try {
    return found(await client.call(bridgePasswordCheck, call)).matches;
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'unsupported') return undefined;
    throw error;
  }
}

/** The key and the mark in the comment let the bridge find its earlier work. */
export async function balanceOperation(
  client: BridgeClient,
  { login, type, amount, comment, requestId }: BalanceOperation,
): Promise<{ dealId: string }> {
  const word = OPERATION_TYPES[type];
  if (!word) throw new PlatformError('unsupported', `the p4 platform has no ${type}`);
  const { order } = found(
    await client.call(bridgeBooked, {
      method: 'POST',
      path: `/users/${login}/balance-operations`,
      body: { type: word, amount, comment: markedComment(comment, requestId) },
      idempotencyKey: requestId,
    }),
  );
  return { dealId: String(order) };
}

/**
 * Each ticket is closed or cancelled once: the bridge no longer finds one that it closed before.
 */
export async function closeAll(
  client: BridgeClient,
  { kind, login, ids }: { kind: keyof typeof CLOSE_PATHS; login: number; ids?: readonly string[] },
): Promise<ClosingOutcome> {
  const body = { login, ...(ids ? { orders: ids.map(Number) } : {}) };
  const call = { method: 'POST', path: CLOSE_PATHS[kind], body, isRepeatable: true } as const;
  const outcome = found(await client.call(bridgeClosed, { ...call }));
  return {
    done: outcome.done.map(String),
    failed: outcome.failed.map(({ order, message }) => ({ id: String(order), message })),
  };
}

const settingsOf = (record: BridgeSettings): AccountSettings => {
  const { enabled, tradingEnabled, group, leverage } = record;
  return { enabled, tradingEnabled, group, leverage };
};

function found<T>(answer: T | undefined): T {
  if (answer === undefined)
    throw new PlatformError('invalid', 'the p4 bridge does not know this login');
  return answer;
}
