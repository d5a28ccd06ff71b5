import { compileCheck } from '../../contract/check.ts';
import { type Fault, Faults } from '../../contract/faults.ts';
import { type Fields, newAccountOf, QUOTAS_BY_HOSTED_NAME } from '../../contract/hosted-names.ts';
import { createAccountOperation, type NewAccount } from '../../contract/operations/accounts.ts';
import { setQuotasOperation } from '../../contract/operations/quotas.ts';
import { createTrackerOperation, type NewTracker } from '../../contract/operations/trackers.ts';
import { accessAccount } from '../../services/accounts/access-account.ts';
import { accountFaults, createAccount } from '../../services/accounts/create-account.ts';
import type { Actor } from '../../services/changes.ts';
import type { Principal } from '../../services/context.ts';
import { invalid, ServiceError } from '../../services/errors.ts';
import { FORMATS } from '../../services/formats.ts';
import { readUserQuotas } from '../../services/quotas/read-quotas.ts';
import { setQuotas } from '../../services/quotas/set-quotas.ts';
import {
  continueNumbers,
  lastEventNumber,
  MOST_NUMBERS,
} from '../../services/tracker-events/continue-numbers.ts';
import { createTracker, trackerFaults } from '../../services/trackers/create-tracker.ts';
import { readTrackers } from '../../services/trackers/read-trackers.ts';
import { MARGIN_MODES } from '../../words/accounts.ts';
import { QUOTA_NAMES, type QuotaName } from '../../words/service.ts';
import type { CommandContext } from '../with-context.ts';
import { BadAnswer, type HostedApi } from './hosted-api.ts';

const PAGE = 1000;
const MAX_ACCOUNT_PAGES = 50;
const MAX_EVENT_PAGES = 1000;

type Outcome = 'there' | 'to take' | 'taken' | 'not taken';

/** What becomes of one thing there is at the hosted product. */
export type Step = {
  what: 'quotas' | 'account' | 'event numbers';
  id: string;
  name?: string;
  outcome: Outcome;
  /** Of an account: how many of its trackers. */
  trackers?: Partial<Record<Outcome, number>>;
  /** What could not be taken, and why; what was taken otherwise than it is there. */
  notes: string[];
};

type Parts = {
  context: CommandContext;
  by: Actor;
  userId: string;
  /** The three base addresses that are read. */
  apis: { provisioning: HostedApi; risk: HostedApi; client: HostedApi };
  /** Otherwise nothing is changed. */
  isReal: boolean;
};

/**
 * Takes over what a user of the hosted product has there, by its documented reads and our ordinary
 * verbs. What is here already, by the same id, or name of a tracker, stays as it is: it can be run
 * again after whatever ended it.
 */
export class Adoption {
  readonly steps: Step[] = [];
  readonly #parts: Parts;
  readonly #principal: Principal;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { userId, by } = parts;
    const scopes = new Set(['read', 'write'] as const);
    this.#principal = {
      userId,
      actor: by.actor,
      tokenId: 'adopt',
      scopes,
      accountNumbers: undefined,
    };
  }

  /** Quotas first: accounts count in them. */
  async run(): Promise<void> {
    const { provisioning } = this.#parts.apis;
    for (const quotas of await provisioning.list('quotas')) await this.#takeQuotas(quotas);
    const profiles = await provisioning.list(`provisioning-profiles?limit=${PAGE}`);
    const zones = new Map(profiles.map(({ _id, brokerTimezone }) => [_id, brokerTimezone]));
    for await (const account of this.#accounts()) await this.#takeAccount(account, zones);
    await this.#takeNumbers();
  }

  async #takeQuotas(hosted: Fields): Promise<void> {
    const { context, by, userId } = this.#parts;
    const region = String(hosted.region);
    const step = this.#step('quotas', region);
    const here = (await readUserQuotas(context, this.#principal)).find(
      (quotas) => quotas.region === region,
    );
    if (!here) return refuse(step, 'no such region here: see PLIMSOLL_REGIONS');
    const wanted = Object.fromEntries(QUOTA_NAMES.map((name) => [name, here[name].quota]));
    for (const [hostedName, name] of QUOTA_ENTRIES) {
      const { quota } = (hosted[hostedName] ?? {}) as { quota?: unknown };
      if (typeof quota !== 'number' || quota <= here[name].quota) continue;
      wanted[name] = quota;
      step.notes.push(`${name} ${here[name].quota} → ${quota}`);
    }
    if (step.notes.length === 0) step.outcome = 'there';
    else
      await this.#take(step, async (isReal) => {
        const quotas = checked<Record<QuotaName, number>>(QUOTAS, wanted);
        if (isReal) await setQuotas(context, by, userId, region, quotas);
      });
  }

  async *#accounts(): AsyncGenerator<Fields> {
    const seen = new Set<unknown>();
    for (let page = 0; page < MAX_ACCOUNT_PAGES; page += 1) {
      const path = `accounts?limit=${PAGE}&offset=${page * PAGE}`;
      const accounts = await this.#parts.apis.provisioning.list(path);
      const others = accounts.filter(({ _id }) => !seen.has(_id));
      for (const account of others) seen.add(account._id);
      yield* others;
      if (accounts.length < PAGE || others.length === 0) return;
    }
    refuse(
      this.#step('account', '…'),
      `only ${seen.size} accounts are taken: make the others here`,
    );
  }

  async #takeAccount(hosted: Fields, zones: ReadonlyMap<unknown, unknown>): Promise<void> {
    const { context } = this.#parts;
    const id = String(hosted._id);
    const step = this.#step('account', id, hosted.name);
    if (/^DELET/.test(String(hosted.state))) return refuse(step, 'it is being deleted there');
    const isHere = await isThere(accessAccount(context, this.#principal, id));
    if (isHere) step.outcome = 'there';
    else
      await this.#take(step, async (isReal) => {
        const described = await this.#describe(hosted, zones, step.notes);
        const account = checked<NewAccount>(ACCOUNT, described);
        const faults = await accountFaults(context, this.#principal, account);
        if (faults.length > 0) throw invalid(faults);
        if (isReal) await createAccount(context, this.#principal, account);
      });
    if (step.outcome !== 'not taken') await this.#takeTrackers(id, step);
  }

  /** The account as a request would describe it. Its profile, with a password, cannot be read. */
  async #describe(
    { provisioningProfileId, ...hosted }: Fields,
    zones: ReadonlyMap<unknown, unknown>,
    notes: string[],
  ): Promise<Fields> {
    const { regions } = this.#parts.context;
    const { _id, state, connectionStatus, baseCurrency, copyFactoryRoles, region } = hosted;
    const isDeployed = /^DEPLOY/.test(String(state));
    const path = `accounts/${encodeURIComponent(String(_id))}/account-information`;
    const known =
      isDeployed && connectionStatus === 'CONNECTED'
        ? await this.#parts.apis.client.read(path).catch(noteOf(notes))
        : undefined;
    const { currency = baseCurrency, leverage = hosted.leverage, broker, marginMode } = known ?? {};
    if (typeof currency !== 'string') {
      throw new ServiceError(
        'conflict',
        'its currency is not known there: deploy it there, or make it here with this id',
      );
    }
    const zone = zones.get(provisioningProfileId);
    if (zone === undefined) notes.push('its broker clock is not known there: New York + 7 hours');
    const isOurs = regions.includes(String(region));
    if (!isOurs) notes.push(`its region ${region} is not here: it is in ${regions[0]}`);
    return {
      ...newAccountOf({
        ...{ ...hosted, server: hosted.server ?? broker, baseCurrency: currency, leverage },
        region: isOurs ? region : regions[0],
      }),
      ...{ id: _id, deployed: isDeployed },
      copy: Array.isArray(copyFactoryRoles) && copyFactoryRoles.length > 0,
      ...(zone === undefined ? {} : { brokerClock: { zone, shiftHours: 0 } }),
      ...(MARGIN_MODES.some((mode) => mode === marginMode) ? { marginMode } : {}),
    };
  }

  async #takeTrackers(accountId: string, step: Step): Promise<void> {
    const { context, apis, isReal } = this.#parts;
    const counts = new Map<Outcome, number>();
    const path = `accounts/${encodeURIComponent(accountId)}/trackers`;
    const hosted = await apis.risk.list(path).catch(noteOf(step.notes));
    // An account that is only going to be made has none.
    const here =
      step.outcome === 'to take' ? [] : await readTrackers(context, this.#principal, accountId);
    for (const tracker of hosted ?? []) {
      const { _id: id, name } = tracker;
      const one: Pick<Step, 'outcome' | 'notes'> = { outcome: 'there', notes: [] };
      if (!here.some((own) => own._id === id || own.name === name))
        await this.#take(one, async () => {
          const input = checked<NewTracker>(TRACKER, picked(tracker, TRACKER_FIELDS));
          const faults = trackerFaults(input);
          if (faults.length > 0) throw invalid(faults);
          const ownId = typeof id === 'string' && id.length <= 64 ? id : undefined;
          if (isReal) await createTracker(context, this.#principal, accountId, input, ownId);
        });
      counts.set(one.outcome, (counts.get(one.outcome) ?? 0) + 1);
      step.notes.push(...one.notes.map((note) => `tracker "${name}": ${note}`));
    }
    step.trackers = Object.fromEntries(counts);
  }

  /** Both feeds, which have numbers of their own there, go on as one. */
  async #takeNumbers(): Promise<void> {
    const { context, by } = this.#parts;
    const here = await lastEventNumber(context);
    const step = this.#step('event numbers', '');
    let last = here;
    for (const feed of ['drawdown-events', 'tracker-events'])
      last = Math.max(last, await this.#lastNumber(feed, here, step.notes));
    if (last === here) {
      step.outcome = 'there';
      return;
    }
    step.id = String(last);
    if (last > MOST_NUMBERS) return refuse(step, `let readers here begin at ${here}`);
    await this.#take(step, async (isReal) => {
      if (isReal) await continueNumbers(context, by, last);
    });
  }

  async #lastNumber(feed: string, after: number, notes: string[]): Promise<number> {
    let last = after;
    for (let page = 0; page < MAX_EVENT_PAGES; page += 1) {
      const path = `${feed}/stream?previousSequenceNumber=${last}&limit=${PAGE}`;
      const events = await this.#parts.apis.risk.list(path).catch(noteOf(notes));
      const numbers = (events ?? []).map(({ sequenceNumber }) => Number(sequenceNumber));
      const newest = Math.max(last, ...numbers.filter(Number.isSafeInteger));
      if (numbers.length < PAGE || newest === last) return newest;
      last = newest;
    }
    notes.push(`${feed} goes on above ${last}: run this again`);
    return last;
  }

  #step(what: Step['what'], id: string, name?: unknown): Step {
    const named = typeof name === 'string' ? { name } : {};
    const step: Step = { what, id, ...named, outcome: 'to take', notes: [] };
    this.steps.push(step);
    return step;
  }

  /** Refusals by the verb are notes; a failure of the database or the network ends the run. */
  async #take(
    step: Pick<Step, 'outcome' | 'notes'>,
    work: (isReal: boolean) => Promise<void>,
  ): Promise<void> {
    const { isReal } = this.#parts;
    try {
      await work(isReal);
      step.outcome = isReal ? 'taken' : 'to take';
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error;
      const faults = error.code === 'validation' ? (error.details as Fault[]) : undefined;
      const words = faults?.map(({ parameter, message }) => `${parameter} ${message}`);
      refuse(step, words?.join(', ') ?? error.message);
    }
  }
}

const ACCOUNT = compileCheck(createAccountOperation.body, FORMATS);
const TRACKER = compileCheck(createTrackerOperation.body, FORMATS);
const QUOTAS = compileCheck(setQuotasOperation.body, FORMATS);
/** Of the hosted product's trackers. */
const TRACKER_FIELDS = [
  ...['name', 'period', 'startBrokerTime', 'endBrokerTime', 'relativeDrawdownThreshold'],
  ...['absoluteDrawdownThreshold', 'relativeProfitThreshold', 'absoluteProfitThreshold'],
];
/** One of them has two names in its documents. */
const QUOTA_ENTRIES = Object.entries({
  ...QUOTAS_BY_HOSTED_NAME,
  maxDeployedCopyAccounts: 'maxDeployedCopyAccounts' as const,
});

function checked<T>(check: ReturnType<typeof compileCheck>, value: Fields): T {
  const faults = new Faults();
  check.walk?.(value, '', faults);
  if (!faults.isEmpty) throw invalid(faults.list);
  return value as T;
}

const picked = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

function refuse(step: Pick<Step, 'outcome' | 'notes'>, why: string): void {
  step.outcome = 'not taken';
  step.notes.push(why);
}

/** An answer that is no good concerns one thing only, unless the token is refused. */
const noteOf =
  (notes: string[]) =>
  (error: Error): undefined => {
    if (!(error instanceof BadAnswer) || error.status === 401) throw error;
    notes.push(error.message);
  };

const isThere = (found: Promise<unknown>): Promise<boolean> =>
  found.then(
    () => true,
    (error) => {
      if (error instanceof ServiceError && error.code === 'notFound') return false;
      throw error;
    },
  );
