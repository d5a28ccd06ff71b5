import {
  type AccountInformation,
  type AccountSettings,
  type ClosingOutcome,
  type Gateway,
  type PendingOrder,
  PlatformError,
  type PlatformPosition,
} from '../../src/platforms/gateway.ts';
import type { Machine, World } from './world.ts';

/** How likely each fault of a request is. */
export type PlatformFaults = {
  slow: number;
  /** It is refused before it has any effect. */
  busy: number;
  lost: number;
  /** It was done, and its answer gets lost. */
  unanswered: number;
  /** A change is refused for good: a person has to look. */
  denied: number;
};

export const NO_PLATFORM_FAULTS: PlatformFaults = {
  ...{ slow: 0, busy: 0, lost: 0, unanswered: 0, denied: 0 },
};

/** What the platform says to a change that it refuses for good. */
export const REFUSAL = 'the simulated platform refuses it';
/** After this its caller gives up a request. */
const PATIENCE_MS = 2000;
/** Less: what is on its way arrives before its caller gives it up. */
const MOST_SLOW_MS = 800;

export type Change = 'disable' | 'enable' | 'close';

/** A change of the state of a login, and who asked for it. */
export type PlatformChange = { login: number; change: Change; atMs: number; by: string };

type Login = { tradingEnabled: boolean; positions: number; equity: number };

/** A platform that all machines share, behind a network of its own. */
export class SimulatedPlatform {
  readonly world: World;
  faults = NO_PLATFORM_FAULTS;
  /** Of the world's UTC, in order; requests without an effect are left out. */
  readonly changes: PlatformChange[] = [];
  /** Called when a machine sends a change. */
  onSent: (machine: Machine, login: number, change: Change) => void = () => {};
  readonly #logins = new Map<number, Login>();

  constructor(world: World) {
    this.world = world;
  }

  open(login: number, equity: number): void {
    this.#logins.set(login, { tradingEnabled: true, positions: 0, equity });
  }

  of(login: number): Login {
    const known = this.#logins.get(login);
    if (!known) throw new PlatformError('invalid', `there is no login ${login}`);
    return known;
  }

  /** What its trader does: a position more, if trading is enabled. */
  trade(login: number, equity: number): void {
    const state = this.of(login);
    state.equity = equity;
    if (state.tradingEnabled && this.world.random.chance(0.3)) state.positions += 1;
  }

  apply(login: number, change: Change, by: string): void {
    if (!needs(this.of(login), change)) return;
    const state = this.of(login);
    if (change === 'close') state.positions = 0;
    else state.tradingEnabled = change === 'enable';
    this.changes.push({ login, change, atMs: this.world.utcMs, by });
    this.world.count(`platform: ${change}`);
    this.world.tell(() => `the platform has done ${change} of ${login} for ${by}`);
  }
}

const needs = ({ tradingEnabled, positions }: Login, change: Change): boolean =>
  change === 'close' ? positions > 0 : tradingEnabled !== (change === 'enable');

const unsupported = async (): Promise<never> => {
  throw new PlatformError('unsupported', 'not simulated');
};
async function* nothing(): AsyncGenerator<never> {}

/** The way of a machine to the platform. */
export class PlatformGateway implements Gateway {
  readonly platform = 'p5';
  readonly #platform: SimulatedPlatform;
  readonly #machine: Machine;
  /** Changes that the platform has shown to be needed, by login. */
  readonly #shown = new Map<number, Set<Change>>();

  constructor(platform: SimulatedPlatform, machine: Machine) {
    this.#platform = platform;
    this.#machine = machine;
  }

  settings(login: number): Promise<AccountSettings> {
    return this.#ask(() => {
      const { tradingEnabled } = this.#platform.of(login);
      this.#note(login, ['enable', 'disable']);
      return { enabled: true, tradingEnabled, group: 'sim', leverage: 100 };
    });
  }

  accountInformation(login: number): Promise<AccountInformation> {
    return this.#ask(() => {
      const { equity, tradingEnabled } = this.#platform.of(login);
      return {
        ...{ platform: 'mt5', broker: 'Sim', currency: 'USD', balance: equity, equity, login },
        ...{ margin: 0, freeMargin: equity, leverage: 100, tradeAllowed: tradingEnabled },
        ...{ marginMode: 'hedging', name: `${login}`, credit: 0, marginLevel: 0 },
      };
    });
  }

  positions(login: number): Promise<PlatformPosition[]> {
    return this.#ask(() => {
      const { positions } = this.#platform.of(login);
      this.#note(login, ['close']);
      return Array.from({ length: positions }, (_, index) => ({
        ...{ positionId: `${index}`, symbol: 'EURUSD', type: 'DEAL_TYPE_BUY', volume: 0.1 },
        ...{ openPrice: 1, currentPrice: 1, profit: 0, swap: 0, openTimeMs: 0 },
      }));
    });
  }

  pendingOrders(): Promise<PendingOrder[]> {
    return this.#ask(() => []);
  }

  async changeSettings(login: number, { tradingEnabled }: Partial<AccountSettings>) {
    await this.#change(login, tradingEnabled ? 'enable' : 'disable');
    const settings = { enabled: true, tradingEnabled: tradingEnabled ?? true };
    return { settings: { ...settings, group: 'sim', leverage: 100 }, alsoChanged: [] };
  }

  async closePositions(login: number): Promise<ClosingOutcome> {
    await this.#change(login, 'close');
    return { done: [], failed: [] };
  }

  cancelOrders(): Promise<ClosingOutcome> {
    return this.#ask(() => ({ done: [], failed: [] }));
  }

  async close(): Promise<void> {}

  readonly check = unsupported;
  readonly groups = unsupported;
  readonly symbols = unsupported;
  readonly p5Symbols = unsupported;
  readonly user = unsupported;
  readonly usersOfGroup = unsupported;
  readonly market = unsupported;
  readonly addedMargin = unsupported;
  readonly deals = unsupported;
  readonly countDeals = unsupported;
  readonly readStates = nothing;
  readonly readDeals = nothing;
  readonly checkPassword = unsupported;
  readonly createUser = unsupported;
  readonly setPassword = unsupported;
  readonly balanceOperation = unsupported;

  #note(login: number, changes: readonly Change[]): void {
    const shown = this.#shown.get(login) ?? new Set();
    this.#shown.set(login, shown);
    for (const change of changes) {
      if (needs(this.#platform.of(login), change)) shown.add(change);
      else shown.delete(change);
    }
  }

  /** Nothing is asked for that the platform has just shown to be done. */
  #change(login: number, change: Change): Promise<void> {
    const platform = this.#platform;
    const { world, name } = this.#machine;
    const { faults } = platform;
    platform.onSent(this.#machine, login, change);
    if (!this.#shown.get(login)?.has(change))
      world.fail(`${name} sends ${change} of ${login}, which it has not seen to be missing`);
    if (world.random.chance(faults.denied))
      return this.#ask(() => {
        throw new PlatformError('invalid', REFUSAL);
      });
    return this.#ask(() => platform.apply(login, change, name));
  }

  /** Makes the platform do something, over the network. */
  #ask<T>(perform: () => T): Promise<T> {
    const { world } = this.#platform;
    const { random } = world;
    const { slow, busy, lost, unanswered } = this.#platform.faults;
    const [isBusy, isLost, isUnanswered] = [busy, lost, unanswered].map((one) =>
      random.chance(one),
    );
    const slowMs = random.chance(slow) ? random.next() * MOST_SLOW_MS : 0;
    return new Promise<T>((resolve, reject) => {
      const fail = (message: string, outcomeUnknown: boolean): void =>
        reject(new PlatformError('unavailable', message, { outcomeUnknown }));
      world.after(PATIENCE_MS, () => fail('it does not answer', true), this.#machine);
      if (isBusy) world.after(world.latencyMs(), () => fail('it is busy', false), this.#machine);
      if (isBusy || isLost) return;
      world.after(slowMs + world.latencyMs(), () => {
        let answer: () => void;
        try {
          const value = perform();
          answer = () => resolve(value);
        } catch (error) {
          answer = () => reject(error);
        }
        const ms = slowMs + world.latencyMs();
        if (!isUnanswered) world.after(ms, answer, this.#machine);
        else if (random.chance(0.5)) {
          world.after(ms, () => fail('the connection broke', true), this.#machine);
        }
      });
    });
  }
}
