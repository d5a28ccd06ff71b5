import type { SimulatedGateway } from '../../src/demo/platform/simulated-gateway.ts';
import { formatBrokerTime, parseBrokerTime } from '../../src/domain/broker-time.ts';
import type { Deal } from '../../src/domain/deal.ts';
import { fromUnits, fromVolume } from '../../src/domain/money.ts';
import type { PendingOrder } from '../../src/platforms/gateway.ts';
import type {
  BridgeOrder,
  BridgePosition,
  BridgeUser,
} from '../../src/platforms/p4-bridge/wire.ts';
import type { BridgePendingOrder } from '../../src/platforms/p4-bridge/wire-actions.ts';
import { actionOf } from './p4-bridge-server-actions.ts';

export type BridgeAnswer = { status: number; body: object };
/** An order of the history that the simulated server does not know. */
export type BookedOrder = { login: number; order: BridgeOrder };
export type BridgeSession = {
  loggedOut: boolean;
  booked: BookedOrder[];
  /** Tickets that managers took out of the history. */
  removed: Set<number>;
};

/** Small, so that every longer list is paged. */
const PAGE = 100;
const NOT_FOUND: BridgeAnswer = { status: 404, body: {} };
const MONEY_DIGITS = 4;

/** What the bridge answers to an authenticated call below /v1. */
export async function answerOf(
  gateway: SimulatedGateway,
  session: BridgeSession,
  method: string,
  url: URL,
  body: string,
  idempotencyKey: string,
): Promise<BridgeAnswer> {
  const path = url.pathname.replace('/v1', '');
  const query = url.searchParams;
  const login = Number(query.get('login') ?? path.split('/')[2]);
  const page = (items: readonly object[], cursor?: string) =>
    pageOf(session.loggedOut ? [] : items, cursor ?? query.get('cursor'));
  if (method === 'POST' && path === '/users') {
    const { id, ...user } = JSON.parse(body);
    const record = { ...user, ...(id === undefined ? {} : { clientId: Number(id) }) };
    const created = await gateway.createUser(record, idempotencyKey);
    return { status: 201, body: { login: Number(created.login) } };
  }
  if (path === '/health' || path === '/session') return health(gateway, session);
  if (path === '/symbols') {
    const group = query.get('group');
    return page(await gateway.symbols(group === null ? undefined : Number(group)));
  }
  if (path === '/users') {
    const users = await gateway.usersOfGroup(query.get('group') ?? '');
    return page(users.map(userRecord));
  }
  if (path === '/groups') return page(await gateway.groups());
  const acted = await actionOf(gateway, session, { method, path, body, page });
  if (acted) return acted;
  if (!(await gateway.user(login))) return NOT_FOUND;
  if (path.startsWith('/users/')) {
    const user = await gateway.user(login);
    return user ? { status: 200, body: userRecord(user) } : NOT_FOUND;
  }
  if (path.startsWith('/accounts/')) return account(gateway, login);
  if (path === '/closed-orders') return page(await closedOrders(gateway, session, login, query));
  if (path === '/closed-orders/count') {
    const orders = await closedOrders(gateway, session, login, query);
    return { status: 200, body: { count: session.loggedOut ? 0 : orders.length } };
  }
  if (path === '/pending-orders')
    return page((await gateway.pendingOrders(login)).map(pendingOrderRecord));
  if (path === '/positions') return page((await gateway.positions(login)).map(positionRecord));
  if (path === '/market') return market(gateway, login, query.get('symbol') ?? '');
  return NOT_FOUND;
}

async function health(gateway: SimulatedGateway, session: BridgeSession): Promise<BridgeAnswer> {
  const symbols = session.loggedOut ? 0 : (await gateway.symbols(undefined)).length;
  const { brokerTimeMs } = await gateway.check();
  const brokerTime = formatBrokerTime(brokerTimeMs);
  return { status: 200, body: { version: '1', connected: true, symbols, brokerTime } };
}

function pageOf(items: readonly object[], cursor: string | null): BridgeAnswer {
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  const next = start + PAGE;
  const nextCursor = Buffer.from(String(next)).toString('base64url');
  const rest = next < items.length ? { nextCursor } : {};
  return { status: 200, body: { items: items.slice(start, next), ...rest } };
}

function userRecord(user: Awaited<ReturnType<SimulatedGateway['usersOfGroup']>>[number]) {
  const { clientId, leadCampaign: _, login, leverage, ...rest } = user;
  const record: BridgeUser = {
    ...rest,
    id: clientId,
    login: Number(login),
    leverage: Number(leverage),
  };
  return record;
}

async function account(gateway: SimulatedGateway, login: number): Promise<BridgeAnswer> {
  const information = await gateway.accountInformation(login);
  if (!information) return NOT_FOUND;
  const { broker, platform: _, marginMode: __, marginLevel: ___, ...rest } = information;
  return { status: 200, body: { ...rest, company: broker } };
}

async function market(
  gateway: SimulatedGateway,
  login: number,
  symbol: string,
): Promise<BridgeAnswer> {
  const found = await gateway.market(login, symbol);
  if (!found) return NOT_FOUND;
  const quotes = found.quotes.map(({ brokerTimeMs, ...quote }) => ({
    ...quote,
    brokerTime: formatBrokerTime(brokerTimeMs),
  }));
  return { status: 200, body: { symbols: found.symbols, quotes } };
}

/** The tickets that the deals were made of, by time of closing. */
export async function closedOrders(
  gateway: SimulatedGateway,
  session: BridgeSession,
  login: number,
  query: URLSearchParams,
): Promise<BridgeOrder[]> {
  const fromMs = parseBrokerTime(query.get('from') ?? '') ?? 0;
  const toMs = parseBrokerTime(query.get('to') ?? '') ?? 0;
  const deals = await gateway.deals({ login, fromMs, toMs, moneyDigits: MONEY_DIGITS });
  const openings = new Map(deals.map((deal) => [deal.id, deal]));
  const simulated = deals
    .filter((deal) => deal.entry !== 'DEAL_ENTRY_IN')
    .map((deal) => orderRecord(deal, openings.get(`${deal.positionId}-in`)));
  const booked = session.booked.flatMap((each) => {
    const closedMs = parseBrokerTime(each.order.closeTime) ?? 0;
    return each.login === login && closedMs >= fromMs && closedMs < toMs ? [each.order] : [];
  });
  return [...simulated, ...booked].filter(({ order }) => !session.removed.has(order));
}

function orderRecord(deal: Deal, opening: Deal | undefined): BridgeOrder {
  const closeTime = formatBrokerTime(deal.timeMs);
  const money = {
    profit: fromUnits(deal.profit, MONEY_DIGITS),
    swap: fromUnits(deal.swap, MONEY_DIGITS),
    commission: fromUnits(deal.commission, MONEY_DIGITS),
    taxes: fromUnits(deal.fee, MONEY_DIGITS),
    comment: deal.comment ?? '',
  };
  if (!opening) {
    const type = deal.type === 'DEAL_TYPE_CREDIT' ? 'credit' : 'balance';
    return { order: Number(deal.id), type, lots: 0, openTime: closeTime, closeTime, ...money };
  }
  return {
    order: Number(deal.positionId),
    type: opening.type === 'DEAL_TYPE_BUY' ? 'buy' : 'sell',
    lots: fromVolume(deal.volume),
    symbol: `${deal.symbol}`,
    digits: deal.digits ?? 0,
    contractSize: deal.contractSize ?? 0,
    openPrice: opening.price ?? 0,
    closePrice: deal.price ?? 0,
    openTime: formatBrokerTime(opening.timeMs),
    closeTime,
    ...money,
  };
}

function pendingOrderRecord(order: PendingOrder): BridgePendingOrder {
  const { orderId, type, volume, ...rest } = order;
  const word = type.replace('ORDER_TYPE_', '').toLowerCase().replace('_', '-');
  return {
    ...rest,
    order: Number(orderId),
    lots: volume,
    type: word as BridgePendingOrder['type'],
  };
}

function positionRecord(position: Awaited<ReturnType<SimulatedGateway['positions']>>[number]) {
  const { positionId, type, volume, openTimeMs, ...rest } = position;
  const record: BridgePosition = {
    ...rest,
    order: Number(positionId),
    type: type === 'DEAL_TYPE_BUY' ? 'buy' : 'sell',
    lots: volume,
    openTime: formatBrokerTime(openTimeMs),
  };
  return record;
}
