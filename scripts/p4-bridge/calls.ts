import { formatBrokerTime, parseBrokerTime } from '../../src/domain/broker-time.ts';
import type {
  AccountPassword,
  AccountSettings,
  NewPlatformUser,
  Selection,
} from '../../src/platforms/gateway.ts';
import type { ClosedOrder, ManagerLibrary } from './library.ts';

export type BridgeAnswer = { status: number; body: object };
export type BridgeRequest = {
  /** From the path or the query; NaN if absent. */
  login: number;
  query: URLSearchParams;
  /** The body. */
  input: Input;
  idempotencyKey: string;
};
type Input = {
  logins?: number[];
  groups?: string[];
  orders?: number[];
  from?: string;
  to?: string;
  cursor?: string;
  [field: string]: unknown;
};
type Answer = (library: ManagerLibrary, request: BridgeRequest) => Promise<BridgeAnswer>;

/** Small, so that every longer list is paged. */
const PAGE = 100;
const OPERATION_TYPES = { balance: 'DEAL_TYPE_BALANCE', credit: 'DEAL_TYPE_CREDIT' } as const;
const NO_LOGIN: BridgeAnswer = { status: 404, body: {} };

const ok = (body: object): BridgeAnswer => ({ status: 200, body });
const found = (body: object | undefined): BridgeAnswer => (body ? ok(body) : NO_LOGIN);

/**
 * Every call of docs/p4-bridge.openapi.json by its name. A bridge may leave calls out: it then does
 * not list them in its health, and Plimsoll works around them where possible.
 */
export const BRIDGE_CALLS: Readonly<Record<string, Answer>> = {
  'GET /health': health,
  'POST /session': async (library) => {
    await library.logIn();
    return health(library);
  },
  'GET /groups': async (library, request) => page(library, request, await library.gateway.groups()),
  'GET /symbols': async (library, request) => {
    const group = request.query.get('group');
    return page(
      library,
      request,
      await library.symbols(group === null ? undefined : Number(group)),
    );
  },
  'GET /users': async (library, request) => {
    const users = await library.gateway.usersOfGroup(request.query.get('group') ?? '');
    return page(library, request, users.map(userRecord));
  },
  'POST /users': async ({ gateway }, { input, idempotencyKey }) => {
    const { id, ...user } = input;
    const record = { ...user, ...(id === undefined ? {} : { clientId: Number(id) }) };
    const { login } = await gateway.createUser(record as NewPlatformUser, idempotencyKey);
    return { status: 201, body: { login: Number(login) } };
  },
  'GET /users/{login}': async ({ gateway }, { login }) => {
    const user = await gateway.user(login);
    return found(user && userRecord(user));
  },
  'GET /users/{login}/settings': async ({ gateway }, { login }) => {
    const settings = await gateway.settings(login);
    return found(settings && { login, ...settings });
  },
  'PATCH /users/{login}/settings': async ({ gateway }, { login, input }) => {
    const { settings } = await gateway.changeSettings(login, input as Partial<AccountSettings>);
    return ok({ login, ...settings });
  },
  'POST /users/{login}/password': async ({ gateway }, { login, input }) => {
    await gateway.setPassword({ login, ...input } as AccountPassword);
    return ok({});
  },
  'POST /users/{login}/password/check': async ({ gateway }, { login, input }) => {
    const password = { login, ...input } as AccountPassword;
    return ok({ matches: await gateway.checkPassword(password) });
  },
  'POST /users/{login}/balance-operations': async (library, { login, input }) => {
    const type = OPERATION_TYPES[input.type as keyof typeof OPERATION_TYPES];
    const comment = String(input.comment);
    return ok({ order: await library.bookMoney(login, type, Number(input.amount), comment) });
  },
  'GET /accounts/{login}': async ({ gateway }, { login }) => {
    const account = await gateway.accountInformation(login);
    if (!account) return NO_LOGIN;
    const { broker, platform: _, marginMode: __, marginLevel: ___, ...rest } = account;
    return ok({ ...rest, company: broker });
  },
  'GET /positions': ofLogin(async (library, request) => {
    const positions = await library.gateway.positions(request.login);
    const rows = positions.map(({ positionId, type, volume, openTimeMs, ...rest }) => ({
      ...{ ...rest, order: Number(positionId), lots: volume },
      type: type === 'DEAL_TYPE_BUY' ? 'buy' : 'sell',
      openTime: formatBrokerTime(openTimeMs),
    }));
    return page(library, request, rows);
  }),
  'POST /positions/close': async ({ gateway }, { input }) => {
    const { done } = await gateway.closePositions(Number(input.login), input.orders?.map(String));
    return ok({ done: done.map(Number), failed: [] });
  },
  'GET /pending-orders': ofLogin(async (library, request) => {
    const orders = await library.gateway.pendingOrders(request.login);
    const rows = orders.map(({ orderId, type, volume, ...rest }) => ({
      ...{ ...rest, order: Number(orderId), lots: volume },
      type: type.replace('ORDER_TYPE_', '').toLowerCase().replace('_', '-'),
    }));
    return page(library, request, rows);
  }),
  'POST /pending-orders/cancel': async ({ gateway }, { input }) => {
    const { done } = await gateway.cancelOrders(Number(input.login), input.orders?.map(String));
    return ok({ done: done.map(Number), failed: [] });
  },
  'GET /market': async ({ gateway }, { login, query }) => {
    const market = await gateway.market(login, query.get('symbol') ?? '');
    if (!market) return NO_LOGIN;
    const quotes = market.quotes.map(({ brokerTimeMs, ...quote }) => ({
      ...{ ...quote, brokerTime: formatBrokerTime(brokerTimeMs) },
    }));
    return ok({ symbols: market.symbols, quotes });
  },
  'GET /closed-orders': ofLogin(async (library, request) =>
    page(library, request, await closedOrders(library, request.login, request.query)),
  ),
  'GET /closed-orders/count': ofLogin(async (library, request) => {
    const orders = library.seen(await closedOrders(library, request.login, request.query));
    return ok({ count: orders.length });
  }),
  'POST /closed-orders': async (library, request) => {
    const { from = '', to = '' } = request.input;
    const range = new URLSearchParams({ from, to });
    const rows: object[] = [];
    for await (const states of library.gateway.readStates(selectionOf(request)))
      for (const { login } of states)
        for (const order of await closedOrders(library, login, range)) rows.push({ login, order });
    return page(library, request, rows);
  },
  'POST /states': async (library, request) => {
    const states = await Array.fromAsync(library.gateway.readStates(selectionOf(request)));
    return page(library, request, states.flat());
  },
};

/** Pings during the call: wrapper libraries report "connected" long after the end. */
async function health(library: ManagerLibrary): Promise<BridgeAnswer> {
  const symbols = library.seen(await library.symbols()).length;
  const { brokerTimeMs } = await library.gateway.check();
  const brokerTime = formatBrokerTime(brokerTimeMs);
  return ok({ version: '1', connected: true, symbols, brokerTime });
}

/** No data of a login that does not exist. */
function ofLogin(answer: Answer): Answer {
  return async (library, request) =>
    (await library.gateway.user(request.login)) ? answer(library, request) : NO_LOGIN;
}

/**
 * A page of a list. On a real server, let the cursor of closed orders name the last one by closing
 * time and ticket: orders that close in between shift the list.
 */
function page<T>(library: ManagerLibrary, request: BridgeRequest, all: T[]): BridgeAnswer {
  const items = library.seen(all);
  const cursor = request.input.cursor ?? request.query.get('cursor');
  const start = cursor ? Number(Buffer.from(cursor, 'base64url').toString()) : 0;
  const next = start + PAGE;
  const nextCursor = Buffer.from(String(next)).toString('base64url');
  return ok({ items: items.slice(start, next), ...(next < items.length ? { nextCursor } : {}) });
}

type UserRecord = Awaited<ReturnType<ManagerLibrary['gateway']['usersOfGroup']>>[number];

function userRecord({ clientId, leadCampaign: _, login, leverage, ...rest }: UserRecord): object {
  return { ...rest, id: clientId, login: Number(login), leverage: Number(leverage) };
}

function closedOrders(
  library: ManagerLibrary,
  login: number,
  range: URLSearchParams,
): Promise<ClosedOrder[]> {
  const fromMs = parseBrokerTime(range.get('from') ?? '') ?? 0;
  const toMs = parseBrokerTime(range.get('to') ?? '') ?? 0;
  return library.closedOrders(login, fromMs, toMs);
}

const selectionOf = ({ input }: BridgeRequest): Selection =>
  input.groups ? { groups: input.groups } : { logins: input.logins ?? [] };
