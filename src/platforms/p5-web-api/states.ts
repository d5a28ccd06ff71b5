import { compareDeals, type Deal } from '../../domain/deal.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { isTooLarge } from '../connection/transport-error.ts';
import type { DealsQuery, LoginDeals, LoginFault, LoginState, Selection } from '../gateway.ts';
import { PlatformError } from '../gateway.ts';
import { stateOf } from './accounts.ts';
import { batchOf, dealRows, isUnsupported } from './batches.ts';
import type { P5Client } from './client.ts';
import { toDeal } from './deals.ts';
import type { P5Limits } from './limits.ts';
import { numberOf, type P5Record } from './record.ts';
import type { P5Params } from './session.ts';

/** After this long, check again whether a server has batch commands. */
const SINGLY_MS = 60_000;
/** Most idle accounts with cached states. */
const MAX_IDLE = 200_000;

/**
 * States and deals of very many accounts. The server keeps a trading state only for accounts with
 * positions, orders or activity since its start; the balance of the others no longer moves, so it
 * is read from their records from time to time.
 */
export class P5States {
  readonly #client: P5Client;
  readonly #limits: P5Limits;
  readonly #idle = new Map<number, { state: LoginState; untilMs: number }>();
  #lossesSeen = 0;
  /** Servers older than the batch commands only have calls for single accounts. */
  #singlyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(client: P5Client, limits: P5Limits) {
    this.#client = client;
    this.#limits = limits;
  }

  readStates(selection: Selection): AsyncIterable<(LoginState | LoginFault)[]> {
    const parts = this.#partsOf(selection);
    return inParallel(parts, this.#client.maxSessions, (part) => this.#statesOf(part));
  }

  readDeals(query: DealsQuery): AsyncIterable<(LoginDeals | LoginFault)[]> {
    const parts = this.#partsOf(query.selection);
    return inParallel(parts, this.#client.maxSessions, (part) => this.#dealsOf(part, query));
  }

  /** The contents of each request. */
  #partsOf(selection: Selection): Selection[] {
    // A group may be large, so each gets a separate request.
    if ('groups' in selection) return selection.groups.map((group) => ({ groups: [group] }));
    const { maxLogins } = this.#limits;
    const parts = Math.ceil(selection.logins.length / maxLogins);
    return Array.from({ length: parts }, (_, part) => ({
      logins: selection.logins.slice(part * maxLogins, (part + 1) * maxLogins),
    }));
  }

  async #statesOf(part: Selection): Promise<(LoginState | LoginFault)[]> {
    const rows = await this.#rows('/api/user/account/get', part, {});
    const states = rows.map((row) => orFault(row, (login) => ({ login, ...stateOf(row, row) })));
    return 'groups' in part ? states : [...states, ...(await this.#idleOf(part, states))];
  }

  /** States of the logins without a trading state on the server. */
  async #idleOf(
    { logins }: { logins: readonly number[] },
    active: readonly { login: number }[],
  ): Promise<(LoginState | LoginFault)[]> {
    const nowMs = performance.now();
    // A restarted server has forgotten which accounts were active.
    if (this.#client.losses !== this.#lossesSeen) this.#idle.clear();
    this.#lossesSeen = this.#client.losses;
    const found = new Set(active.map(({ login }) => login));
    for (const login of found) this.#idle.delete(login);
    const states: (LoginState | LoginFault)[] = [];
    const unknown: number[] = [];
    for (const login of logins) {
      const kept = this.#idle.get(login);
      if (kept && kept.untilMs > nowMs) states.push(kept.state);
      else if (!found.has(login)) unknown.push(login);
    }
    if (unknown.length === 0) return states;
    for (const user of await this.#rows('/api/user/get', { logins: unknown }, {})) {
      const state = orFault(user, (login) => ({ login, ...stateOf(undefined, user) }));
      states.push(state);
      if (!('fault' in state)) this.#keepIdle(state, nowMs);
    }
    return states;
  }

  #keepIdle(state: LoginState, nowMs: number): void {
    if (this.#idle.size >= MAX_IDLE) this.#idle.clear();
    // Spread, so that states read together don't expire together.
    const untilMs = nowMs + this.#limits.idleMs * (0.5 + Math.random() / 2);
    this.#idle.set(state.login, { state, untilMs });
  }

  async #dealsOf(part: Selection, query: DealsQuery): Promise<(LoginDeals | LoginFault)[]> {
    const { fromMs, toMs, moneyDigits } = query;
    const range = { from: Math.max(0, Math.floor(fromMs / 1000)), to: Math.ceil(toMs / 1000) };
    const deals = new Map<number, Deal[]>();
    const faults = new Map<number, LoginFault>();
    for (const row of await this.#dealRows(part, range)) {
      const login = numberOf(row, 'Login');
      const digits = moneyDigits(login);
      if (digits === undefined || faults.has(login)) continue;
      const deal = orFault(row, () => toDeal(row, digits));
      if ('fault' in deal) faults.set(login, deal);
      else if (deal.timeMs >= fromMs && deal.timeMs < toMs) {
        const known = deals.get(login);
        if (known) known.push(deal);
        else deals.set(login, [deal]);
      }
    }
    for (const login of faults.keys()) deals.delete(login);
    const found = [...deals].map(([login, own]) => ({ login, deals: own.sort(compareDeals) }));
    return [...found, ...faults.values()];
  }

  /** For half of the logins each, if all together have more deals than one answer may hold. */
  async #dealRows(part: Selection, range: { from: number; to: number }): Promise<P5Record[]> {
    try {
      return await this.#rows('/api/deal/get', part, range);
    } catch (error) {
      if (!isTooLarge(error) || 'groups' in part || part.logins.length < 2) throw error;
      const half = Math.ceil(part.logins.length / 2);
      const first = await this.#dealRows({ logins: part.logins.slice(0, half) }, range);
      const second = await this.#dealRows({ logins: part.logins.slice(half) }, range);
      return [...first, ...second];
    }
  }

  /** Rows of all logins of a part: in one answer or, from old servers, one login after another. */
  async #rows(
    command: '/api/user/account/get' | '/api/user/get' | '/api/deal/get',
    part: Selection,
    range: { from: number; to: number } | Record<string, never>,
  ): Promise<P5Record[]> {
    const ask = (name: string, params: P5Params) => batchOf(this.#client, name, params, true);
    if (performance.now() >= this.#singlyUntilMs)
      try {
        return await ask(`${command}_batch`, { ...paramsOf(part), ...range });
      } catch (error) {
        if (!isUnsupported(error) || 'groups' in part) throw error;
        this.#singlyUntilMs = performance.now() + SINGLY_MS;
      }
    if ('groups' in part)
      throw new PlatformError('unsupported', `the server has no ${command}_batch`);
    const rows: P5Record[] = [];
    for (const login of part.logins)
      rows.push(
        ...('from' in range
          ? await dealRows(this.#client, login, range.from, range.to)
          : await ask(command, { login })),
      );
    return rows;
  }
}

/** A login's data from a row; an unreadable row must not prevent reading the others. */
function orFault<T>(row: P5Record, read: (login: number) => T): T | LoginFault {
  const login = numberOf(row, 'Login');
  try {
    return read(login);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { login, fault: error.message };
  }
}

const paramsOf = (part: Selection): P5Params =>
  'groups' in part ? { group: part.groups.join(',') } : { login: part.logins.join(',') };
