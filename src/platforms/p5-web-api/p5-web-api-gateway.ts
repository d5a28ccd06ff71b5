import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { compareDeals, type Deal } from '../../domain/deal.ts';
import { parseServerAddress, type TrustSettings } from '../connection/server-address.ts';
import {
  type AccountInformation,
  type AccountPassword,
  type AccountSettings,
  type BalanceOperation,
  type ClosingOutcome,
  type CreatedUser,
  type DealQuery,
  type DealsQuery,
  type Gateway,
  type LoginDeals,
  type LoginFault,
  type LoginState,
  type NewPlatformUser,
  type PendingOrder,
  type Platform5Symbol,
  PlatformError,
  type PlatformGroup,
  type PlatformMarket,
  type PlatformOrder,
  type PlatformPosition,
  type PlatformSymbol,
  type PlatformUser,
  type Selection,
} from '../gateway.ts';
import { type P5Group, readAccountInformation, readGroup } from './accounts.ts';
import { balanceOperation } from './balance.ts';
import { batchOf, countDealRows, dealRows, openRows } from './batches.ts';
import { changeSettings, type RecordHabits } from './change-settings.ts';
import { checkMargin } from './check-margin.ts';
import { P5Client } from './client.ts';
import { createUser } from './create-user.ts';
import { closeAll } from './dealing.ts';
import { toDeal, toPendingOrder, toPosition } from './deals.ts';
import { readGroups } from './groups.ts';
import { passwordKey } from './handshake.ts';
import { DEFAULT_LIMITS, type P5Limits } from './limits.ts';
import { readMarket } from './market.ts';
import { checkPassword, setPassword } from './passwords.ts';
import { type P5Record, textOf } from './record.ts';
import { platformErrorOf, RetcodeError } from './retcode.ts';
import { serverTimeMs } from './server-time.ts';
import { P5States } from './states.ts';
import { readSymbols } from './symbols.ts';
import { settingsOf, toPlatformUser } from './users.ts';

export type P5WebApiSettings = TrustSettings & {
  /** `https://host[:port]`; `http://` for loopback addresses only. */
  server: string;
  /** Login of the manager account. */
  login: number;
  password: string;
};

/** Groups and the list of symbols change rarely; they are cached this long. */
const DIRECTORY_MS = 600_000;
const MAX_KEPT_GROUPS = 1_000;
/** Characters that turn a group name into a mask. */
const MASK = /[*!,]/;

/**
 * A gateway over the Web API of a p5 access server. Throws PlatformError `invalid` for unusable
 * settings; connects on the first call. Keeps only a hash of the password, in a private field.
 */
export function createP5WebApiGateway(
  settings: P5WebApiSettings,
  limits: Partial<P5Limits> = {},
): Gateway {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const credentials = { login: settings.login, key: passwordKey(settings.password) };
  const address = parseServerAddress(settings.server, settings);
  return new P5WebApiGateway(new P5Client(address, credentials, all), all);
}

class P5WebApiGateway implements Gateway {
  readonly platform = 'p5';
  readonly #client: P5Client;
  readonly #limits: P5Limits;
  readonly #states: P5States;
  readonly #groups = new Map<string, { group: P5Group; untilMs: number }>();
  #names: { names: string[]; untilMs: number } | undefined;
  readonly #habits: RecordHabits = { replacesRecords: false };
  /** Changes of one account run one after another: each compares the record afterwards. */
  readonly #changes = new Map<number, Promise<unknown>>();

  constructor(client: P5Client, limits: P5Limits) {
    this.#client = client;
    this.#limits = limits;
    this.#states = new P5States(client, limits);
  }

  check(): Promise<{ brokerTimeMs: BrokerTimeMs }> {
    return mapped(async () => {
      const answer = await this.#client.call({ command: '/api/time/server' });
      return { brokerTimeMs: serverTimeMs(answer) };
    });
  }

  groups(): Promise<PlatformGroup[]> {
    return mapped(() => readGroups(this.#client));
  }

  async symbols(): Promise<PlatformSymbol[]> {
    throw new PlatformError('unsupported', 'only the p4 platform has symbol groups');
  }

  p5Symbols(mask: string | undefined): Promise<Platform5Symbol[]> {
    return mapped(() => readSymbols(this.#client, mask ?? '*'));
  }

  user(login: number): Promise<PlatformUser | undefined> {
    return mapped(async () => {
      const row = await this.#userRow(login);
      return row && toPlatformUser(row);
    });
  }

  usersOfGroup(group: string): Promise<PlatformUser[]> {
    if (MASK.test(group)) return Promise.resolve([]);
    return mapped(async () => {
      const rows = await batchOf(this.#client, '/api/user/get_batch', { group });
      return rows.map(toPlatformUser).filter((user) => user.group === group);
    });
  }

  accountInformation(login: number): Promise<AccountInformation | undefined> {
    return mapped(async () => {
      const user = await this.#userRow(login);
      if (!user) return undefined;
      const group = await this.#group(textOf(user, 'Group'));
      return readAccountInformation(this.#client, user, group);
    });
  }

  createUser(user: NewPlatformUser, requestId: string): Promise<CreatedUser> {
    if (MASK.test(user.group))
      return Promise.reject(new PlatformError('invalid', 'a group name must not contain * ! or ,'));
    return mapped(() => createUser(this.#client, user, requestId));
  }

  settings(login: number): Promise<AccountSettings | undefined> {
    return mapped(async () => {
      const row = await this.#userRow(login);
      return row && settingsOf(row);
    });
  }

  changeSettings(
    login: number,
    change: Partial<AccountSettings>,
  ): Promise<{ settings: AccountSettings; alsoChanged: string[] }> {
    return mapped(() =>
      this.#inTurn(login, () => changeSettings(this.#client, this.#habits, login, change)),
    );
  }

  setPassword(password: AccountPassword): Promise<void> {
    return mapped(() => setPassword(this.#client, password));
  }

  checkPassword(password: AccountPassword): Promise<boolean> {
    return mapped(() => checkPassword(this.#client, password));
  }

  balanceOperation(operation: BalanceOperation): Promise<{ dealId: string }> {
    return mapped(() =>
      this.#inTurn(operation.login, () => balanceOperation(this.#client, operation)),
    );
  }

  closePositions(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    const what = { kind: 'position', login, ids } as const;
    return mapped(() => closeAll(this.#client, this.#limits, what));
  }

  cancelOrders(login: number, ids: readonly string[] | undefined): Promise<ClosingOutcome> {
    const what = { kind: 'order', login, ids } as const;
    return mapped(() => closeAll(this.#client, this.#limits, what));
  }

  deals(query: DealQuery): Promise<Deal[]> {
    const { login, fromMs, toMs, moneyDigits } = query;
    if (fromMs >= toMs) return Promise.resolve([]);
    return mapped(async () => {
      const fromSec = Math.max(0, Math.floor(fromMs / 1000));
      const rows = await dealRows(this.#client, login, fromSec, Math.ceil(toMs / 1000));
      return rows
        .map((row) => toDeal(row, moneyDigits))
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        .sort(compareDeals);
    });
  }

  readStates(selection: Selection): AsyncIterable<(LoginState | LoginFault)[]> {
    return mappedEach(this.#states.readStates(selection));
  }

  readDeals(query: DealsQuery): AsyncIterable<(LoginDeals | LoginFault)[]> {
    return mappedEach(this.#states.readDeals(query));
  }

  countDeals({
    login,
    fromMs,
    toMs,
  }: Pick<DealQuery, 'login' | 'fromMs' | 'toMs'>): Promise<number> {
    if (fromMs >= toMs) return Promise.resolve(0);
    const [from, to] = [Math.max(0, Math.floor(fromMs / 1000)), Math.ceil(toMs / 1000)];
    // For one login after another, of very many.
    return mapped(() => countDealRows(this.#client, login, from, to, true));
  }

  positions(login: number): Promise<PlatformPosition[]> {
    return mapped(async () => (await openRows(this.#client, 'position', login)).map(toPosition));
  }

  pendingOrders(login: number): Promise<PendingOrder[]> {
    return mapped(async () =>
      (await openRows(this.#client, 'order', login)).flatMap((row) => toPendingOrder(row) ?? []),
    );
  }

  market(login: number, symbol: string): Promise<PlatformMarket | undefined> {
    return mapped(async () => {
      const user = await this.#userRow(login);
      if (!user) return undefined;
      const group = textOf(user, 'Group');
      const { currency, floatingMargin } = await this.#group(group);
      const names = await this.#symbolNames();
      const market = await readMarket(this.#client, { group, currency, symbol, names });
      return floatingMargin === '' ? market : { ...market, doubt: floats(floatingMargin) };
    });
  }

  addedMargin(order: PlatformOrder): Promise<number> {
    return mapped(() => checkMargin(this.#client, order));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #inTurn<T>(login: number, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(login) ?? Promise.resolve();
    const change = before.then(work, work);
    this.#changes.set(login, change);
    try {
      return await change;
    } finally {
      if (this.#changes.get(login) === change) this.#changes.delete(login);
    }
  }

  async #userRow(login: number): Promise<P5Record | undefined> {
    const rows = await batchOf(this.#client, '/api/user/get', { login });
    return rows.find((row) => textOf(row, 'Login') === String(login));
  }

  async #group(name: string): Promise<P5Group> {
    const kept = this.#groups.get(name);
    if (kept && performance.now() < kept.untilMs) return kept.group;
    const group = await readGroup(this.#client, name);
    if (this.#groups.size >= MAX_KEPT_GROUPS) this.#groups.clear();
    this.#groups.set(name, { group, untilMs: performance.now() + DIRECTORY_MS });
    return group;
  }

  async #symbolNames(): Promise<string[]> {
    if (this.#names && performance.now() < this.#names.untilMs) return this.#names.names;
    const { answer } = await this.#client.call({ command: '/api/symbol/list' });
    const names = Array.isArray(answer) ? answer.map(String) : [];
    this.#names = { names, untilMs: performance.now() + DIRECTORY_MS };
    return names;
  }
}

/** Its rules count what is held over all symbols of a path, which no order tells. */
const floats = (rules: string): string =>
  `margin rises with what is held, by the floating margin "${rules}": ask the platform`;

/** Refusals without a special meaning to a method become platform errors. */
async function mapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RetcodeError ? platformErrorOf(error) : error;
  }
}

async function* mappedEach<T>(batches: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* batches;
  } catch (error) {
    throw error instanceof RetcodeError ? platformErrorOf(error) : error;
  }
}
