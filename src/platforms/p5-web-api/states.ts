import { compareDeals, type Deal } from '../../domain/deal.ts';
import { inParallel } from '../connection/in-parallel.ts';
import type {
  DealsQuery,
  LoginDeals,
  LoginState,
  PlatformAccountState,
  Selection,
} from '../gateway.ts';
import { stateOf } from './accounts.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { toDeal } from './deals.ts';
import type { P5Limits } from './limits.ts';
import { numberOf, type P5Record } from './record.ts';
import type { P5Params } from './session.ts';

/** Accounts of which the states of idle ones are kept. */
const MAX_IDLE = 200_000;

/**
 * States and deals of very many accounts. The server keeps a trading state of accounts with
 * positions, orders or activity since its start only; the balance of the others moves no more, so it
 * is read from their records once in a while.
 */
export class P5States {
  readonly #client: P5Client;
  readonly #limits: P5Limits;
  readonly #idle = new Map<number, { state: LoginState; untilMs: number }>();
  #lossesSeen = 0;

  constructor(client: P5Client, limits: P5Limits) {
    this.#client = client;
    this.#limits = limits;
  }

  readStates(selection: Selection, signal?: AbortSignal): AsyncIterable<LoginState[]> {
    const parts = this.#partsOf(selection);
    return inParallel(parts, this.#client.maxSessions, (part) => this.#statesOf(part, signal));
  }

  readDeals(query: DealsQuery, signal?: AbortSignal): AsyncIterable<LoginDeals[]> {
    const parts = this.#partsOf(query.selection);
    return inParallel(parts, this.#client.maxSessions, (part) =>
      this.#dealsOf(part, query, signal),
    );
  }

  /** The states of those of the logins that exist. */
  async statesOf(
    logins: readonly number[],
    signal?: AbortSignal,
  ): Promise<Map<number, PlatformAccountState>> {
    const states = await this.#statesOf({ logins }, signal);
    return new Map(states.map(({ login, ...state }) => [login, state]));
  }

  /** What goes into one request each. */
  #partsOf(selection: Selection): Selection[] {
    // A group may be large, so each is a request of its own.
    if ('groups' in selection) return selection.groups.map((group) => ({ groups: [group] }));
    const { maxLogins } = this.#limits;
    const parts = Math.ceil(selection.logins.length / maxLogins);
    return Array.from({ length: parts }, (_, part) => ({
      logins: selection.logins.slice(part * maxLogins, (part + 1) * maxLogins),
    }));
  }

  async #statesOf(part: Selection, signal?: AbortSignal): Promise<LoginState[]> {
    const rows = await this.#rows('/api/user/account/get_batch', paramsOf(part), signal);
    const states = rows.map((row) => ({ login: numberOf(row, 'Login'), ...stateOf(row, row) }));
    return 'groups' in part ? states : [...states, ...(await this.#idleOf(part, states, signal))];
  }

  /** States of the logins that the server keeps no trading state of. */
  async #idleOf(
    { logins }: { logins: readonly number[] },
    active: readonly LoginState[],
    signal?: AbortSignal,
  ): Promise<LoginState[]> {
    const nowMs = performance.now();
    // A server that started anew has forgotten who was active.
    if (this.#client.losses !== this.#lossesSeen) this.#idle.clear();
    this.#lossesSeen = this.#client.losses;
    const found = new Set(active.map(({ login }) => login));
    for (const login of found) this.#idle.delete(login);
    const states: LoginState[] = [];
    const unknown: number[] = [];
    for (const login of logins) {
      const kept = this.#idle.get(login);
      if (kept && kept.untilMs > nowMs) states.push(kept.state);
      else if (!found.has(login)) unknown.push(login);
    }
    if (unknown.length === 0) return states;
    const params = { login: unknown.join(',') };
    for (const user of await this.#rows('/api/user/get_batch', params, signal)) {
      const state = { login: numberOf(user, 'Login'), ...stateOf(undefined, user) };
      states.push(state);
      this.#keepIdle(state, nowMs);
    }
    return states;
  }

  #keepIdle(state: LoginState, nowMs: number): void {
    if (this.#idle.size >= MAX_IDLE) this.#idle.clear();
    // Spread, so that those that were read together don't run out together.
    const untilMs = nowMs + this.#limits.idleMs * (0.5 + Math.random() / 2);
    this.#idle.set(state.login, { state, untilMs });
  }

  async #dealsOf(part: Selection, query: DealsQuery, signal?: AbortSignal): Promise<LoginDeals[]> {
    const { fromMs, toMs, moneyDigits } = query;
    const range = { from: Math.max(0, Math.floor(fromMs / 1000)), to: Math.ceil(toMs / 1000) };
    const rows = await this.#rows('/api/deal/get_batch', { ...paramsOf(part), ...range }, signal);
    const deals = new Map<number, Deal[]>();
    for (const row of rows) {
      const login = numberOf(row, 'Login');
      const digits = moneyDigits(login);
      if (digits === undefined) continue;
      const deal = toDeal(row, digits);
      if (deal.timeMs < fromMs || deal.timeMs >= toMs) continue;
      const known = deals.get(login);
      if (known) known.push(deal);
      else deals.set(login, [deal]);
    }
    return [...deals].map(([login, found]) => ({ login, deals: found.sort(compareDeals) }));
  }

  #rows(command: string, params: P5Params, signal?: AbortSignal): Promise<P5Record[]> {
    return batchOf(this.#client, command, params, signal, true);
  }
}

const paramsOf = (part: Selection): P5Params =>
  'groups' in part ? { group: part.groups.join(',') } : { login: part.logins.join(',') };
