import type { Ledger } from '../../src/demo/platform/ledger.ts';
import type { SimulatedGateway } from '../../src/demo/platform/simulated-gateway.ts';
import {
  type AccountPassword,
  type AccountSettings,
  PlatformError,
  type Selection,
} from '../../src/platforms/gateway.ts';
import { type BridgeAnswer, type BridgeSession, closedOrders } from './p4-bridge-server-answers.ts';

export type ActionRequest = {
  method: string;
  path: string;
  body: string;
  page: (items: readonly object[], cursor?: string) => BridgeAnswer;
};

const OPERATION_TYPES = { balance: 'DEAL_TYPE_BALANCE', credit: 'DEAL_TYPE_CREDIT' } as const;
const MARK_LENGTH = 13;
const ok = (body: object): BridgeAnswer => ({ status: 200, body });

/** The part of the contract that changes accounts, or reads very many of them. */
export async function actionOf(
  gateway: SimulatedGateway,
  session: BridgeSession,
  { method, path, body, page }: ActionRequest,
): Promise<BridgeAnswer | undefined> {
  const [, room, name, action, check] = path.split('/');
  const login = Number(name);
  if (room === 'users' && action === 'settings') {
    if (method === 'PATCH') await gateway.changeSettings(login, JSON.parse(body));
    const settings: AccountSettings | undefined = await gateway.settings(login);
    return settings ? ok({ login, ...settings }) : { status: 404, body: {} };
  }
  if (method !== 'POST') return undefined;
  const input = JSON.parse(body === '' ? '{}' : body);
  if (room === 'users' && action === 'password') {
    const password: AccountPassword = { login, ...input };
    if (check) return ok({ matches: await gateway.checkPassword(password) });
    await gateway.setPassword(password);
    return ok({});
  }
  if (room === 'users' && action === 'balance-operations')
    return ok({ order: await book(gateway, login, input) });
  if (path === '/positions/close' || path === '/pending-orders/cancel') {
    const ids = input.orders?.map(String);
    const outcome =
      room === 'positions'
        ? await gateway.closePositions(input.login, ids)
        : await gateway.cancelOrders(input.login, ids);
    return ok({ done: outcome.done.map(Number), failed: [] });
  }
  if (path === '/states') {
    const states = await Array.fromAsync(gateway.readStates(selectionOf(input)));
    return page(states.flat(), input.cursor);
  }
  if (path === '/closed-orders') {
    const query = new URLSearchParams({ from: input.from, to: input.to });
    const items: object[] = [];
    for await (const batch of gateway.readStates(selectionOf(input)))
      for (const { login: each } of batch)
        for (const order of await closedOrders(gateway, session, each, query))
          items.push({ login: each, order });
    return page(items, input.cursor);
  }
  return undefined;
}

/** The mark at the end of the comment tells whether it was done before, also after a restart. */
async function book(
  gateway: SimulatedGateway,
  login: number,
  input: { type: keyof typeof OPERATION_TYPES; amount: number; comment: string },
): Promise<number> {
  const type = OPERATION_TYPES[input.type];
  const { amount, comment } = input;
  const mark = comment.slice(-MARK_LENGTH);
  const find = (ledger: Ledger | undefined) =>
    ledger?.cash.find((entry) => entry.comment.endsWith(mark));
  await gateway.broker.operate(login, (ledger) => {
    const done = find(ledger);
    if (!done) return { kind: 'cash', login, type, amount, comment };
    if (done.type !== type || done.amount !== ledger.valuation.money(amount))
      throw new PlatformError('invalid', 'This key was used for another amount');
    return undefined;
  });
  const ledger = await gateway.broker.ledger(login, gateway.broker.moment(login));
  return find(ledger)?.ticket ?? 0;
}

const selectionOf = (input: { logins?: number[]; groups?: string[] }): Selection =>
  input.groups ? { groups: input.groups } : { logins: input.logins ?? [] };
