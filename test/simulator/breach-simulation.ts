import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { createAccount } from '../../src/services/accounts/create-account.ts';
import { deleteAccount } from '../../src/services/accounts/delete-account.ts';
import { setBreachActionSwitch } from '../../src/services/breach-actions/manage-breach-actions.ts';
import { recordSnapshots } from '../../src/services/snapshots/record-snapshots.ts';
import { deleteTracker } from '../../src/services/trackers/change-trackers.ts';
import { createTracker } from '../../src/services/trackers/create-tracker.ts';
import { insertProfile } from '../../src/storage/profile-store.ts';
import { PROFILE_ACTIONS } from '../../src/words/actions.ts';
import { BREACH_GUARDS, BreachTruth } from './breach-truth.ts';
import { Calls } from './calls.ts';
import { SETTINGS } from './clients.ts';
import { drawFaults, NO_FAULTS } from './faults.ts';
import { Fleet } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { SimulatedProcess } from './process.ts';
import { NO_PLATFORM_FAULTS, SimulatedPlatform } from './simulated-platform.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { type Given, inWorld, type Outcome, type Template, USERS } from './simulation.ts';
import type { World } from './world.ts';

const REST_MS = 20_000;
/** The pauses between attempts and of the platform's breaker are over by then. */
const LONG_REST_MS = 300_000;
const STEP_MS = 5000;
const STOP_WITHIN_MS = 15_000;
const DAY_MS = 86_400_000;
const EQUITY = 10_000;
const BROKEN = 9000;
const USER = USERS[0];
const PROFILE = 'profile';

type Work<T> = Parameters<typeof Calls.prototype.send<T>>[3];

/**
 * Lives through some seconds of a world in which limits are broken, by accounts on a platform that
 * is slow, refuses and does not answer, and in which resets come; and judges what is done there.
 * Clocks are right: whoever's clock is ahead enables trading too early.
 */
export function simulateBreaches(
  template: Template,
  seed: number,
  { isTold = false, given = {} as Pick<Given, 'faults'> } = {},
): Promise<Outcome> {
  return inWorld(template, seed, isTold, (world, server) =>
    new BreachRun(world, server).live(given),
  );
}

class BreachRun {
  readonly #world: World;
  readonly #server: SimulatedServer;
  readonly #truth: BreachTruth;
  readonly #platform: SimulatedPlatform;
  readonly #calls: Calls;
  readonly #fleet: Fleet<SimulatedProcess>;
  #untilMs = 0;
  #logins = 1000;

  constructor(world: World, server: SimulatedServer) {
    this.#world = world;
    this.#server = server;
    this.#truth = new BreachTruth(world, server);
    this.#calls = new Calls(world);
    this.#platform = new SimulatedPlatform(world);
    this.#platform.onSent = (machine, login, change) =>
      void this.#truth.checkSent(machine, login, change);
    server.platform = this.#platform;
    server.writer.exec(BREACH_GUARDS);
    server.onCommit = (writer) => this.#truth.observe(writer);
    const parts = { world, server, ledger: new Ledger() };
    this.#fleet = new Fleet(parts, world.random.between(1, 3), (machine, targets) =>
      SimulatedProcess.start(machine, server, targets),
    );
  }

  async live(given: Pick<Given, 'faults'>): Promise<void> {
    const world = this.#world;
    const { random } = world;
    await this.#addProfile();
    const faults = { ...drawFaults(random), ...given.faults, clocks: 0 };
    const some = (most: number): number => (random.chance(0.5) ? most * random.next() ** 2 : 0);
    const ofPlatform = {
      ...{ slow: some(1), busy: some(0.3), lost: some(0.2), unanswered: some(0.4) },
      denied: some(0.2),
    };
    world.tell(() => `faults: ${JSON.stringify({ ...faults, ofPlatform })}`);
    this.#untilMs = 6000 + random.next() * 14_000;
    this.#fleet.start();
    this.#startClients();
    await world.runUntil(1500);
    this.#server.faults = faults;
    this.#platform.faults = ofPlatform;
    this.#fleet.disturb(faults, this.#untilMs);
    await world.runUntil(this.#untilMs);
    this.#server.faults = NO_FAULTS;
    this.#platform.faults = NO_PLATFORM_FAULTS;
    this.#fleet.calm();
    await world.runUntil(this.#untilMs + REST_MS);
    const lastMs = this.#untilMs + LONG_REST_MS;
    while (world.nowMs < lastMs && (await this.#truth.unfinished()).length > 0)
      await world.runUntil(world.nowMs + STEP_MS);
    await this.#judge();
  }

  async #judge(): Promise<void> {
    const world = this.#world;
    for (const open of this.#calls.openSince(world.nowMs - REST_MS / 2))
      return world.fail(`never answered: ${open}`);
    if (world.failure !== undefined) return;
    let areStopped = false;
    void this.#fleet.stop().then(() => {
      areStopped = true;
    });
    await world.runUntil(world.nowMs + STOP_WITHIN_MS);
    if (!areStopped) return world.fail('a process does not stop');
    await this.#truth.judge(this.#platform.changes);
  }

  async #addProfile(): Promise<void> {
    await insertProfile(this.#server.writer, {
      ...{ id: PROFILE, userId: USER, name: PROFILE, platform: 'p5', kind: 'simulated' },
      ...{ server: null, login: null, tlsFingerprint: null, tlsCa: null, secret: null },
      ...{ secretKeyId: null, brokerClock: { zone: 'UTC', shiftHours: 0 }, createdAtMs: 0 },
      allowedActions: [...PROFILE_ACTIONS],
      ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null },
    });
  }

  #startClients(): void {
    const { random } = this.#world;
    const clients = [this.#toggle()];
    for (let place = random.between(1, 4); place > 0; place -= 1)
      clients.push(this.#trade(`account${place}`));
    for (const each of clients)
      each.catch((error: unknown) => this.#world.fail(`a client broke: ${error}`));
  }

  /** Now and then all actions are switched off for a while; in the end they are on. */
  async #toggle(): Promise<void> {
    const { random } = this.#world;
    const isUsed = random.chance(0.4);
    for (let isOn = true; isUsed && !(this.#isOver && isOn); ) {
      await this.#pause(2000);
      const wanted: boolean = this.#isOver || !isOn;
      const answer = await this.#send('switch', ({ context }, principal) =>
        setBreachActionSwitch(context, principal, wanted),
      );
      if (answer.kind === 'done') isOn = wanted;
      else isOn = false;
    }
  }

  /** An account whose trader loses too much now and then, and its owner's changes. */
  async #trade(accountId: string): Promise<void> {
    const { random } = this.#world;
    let login = await this.#open(accountId);
    const trackers: string[] = [];
    const meanPauseMs = random.pick([100, 400]);
    const [deletions, moreTrackers] = [random.pick([0, 0.03]), random.pick([0.05, 0.15])];
    while (!this.#isOver) {
      await this.#pause(meanPauseMs);
      if (trackers.length === 0 || random.chance(moreTrackers)) {
        const id = await this.#track(accountId);
        if (id !== undefined) trackers.push(id);
      } else if (random.chance(deletions)) {
        const id = trackers.splice(random.between(0, trackers.length - 1), 1)[0] ?? '';
        await this.#send('delete tracker', ({ context }, principal) =>
          deleteTracker(context, principal, accountId, id),
        );
      } else if (random.chance(deletions / 3)) {
        await this.#send('delete account', ({ context }, principal) =>
          deleteAccount(context, principal, accountId),
        );
        trackers.length = 0;
        login = await this.#open(accountId);
      } else await this.#see(accountId, login);
    }
  }

  /** Each account has a login of its own. */
  async #open(accountId: string): Promise<number> {
    this.#logins += 1;
    const login = this.#logins;
    this.#platform.open(login, EQUITY);
    const account = { id: accountId, name: accountId, platform: 'p5', broker: 'Sim' } as const;
    const place = { login: `${login}`, profileId: PROFILE, currency: 'USD', leverage: 100 };
    const input = { ...account, ...place, brokerClock: { zone: 'UTC', shiftHours: 0 } };
    while (!this.#isOver) {
      const answer = await this.#send('create account', ({ context }, principal) =>
        createAccount({ ...context, ...SETTINGS }, principal, input),
      );
      if (answer.kind !== 'unknown') break;
    }
    return login;
  }

  /** The next reset comes within the seconds of this world. */
  async #track(accountId: string): Promise<string | undefined> {
    const { random, utcMs, nowMs } = this.#world;
    const resetMs = utcMs + random.between(500, 12_000);
    const close = { action: 'closePositions', confirm: 'none' } as const;
    const enable = { action: 'enableTrading', moment: 'reset' } as const;
    const answer = await this.#send('create tracker', ({ context }, principal) =>
      createTracker(context, principal, accountId, {
        ...{ name: `tracker ${nowMs} ${random.next()}`, period: 'day' },
        startBrokerTime: formatBrokerTime(resetMs - DAY_MS),
        absoluteDrawdownThreshold: 100,
        actions: [
          { action: 'disableTrading', confirm: 'none' },
          ...(random.chance(0.5) ? [close] : []),
          ...(random.chance(0.8) ? [enable] : []),
        ],
      }),
    );
    return answer.kind === 'done' ? answer.value.id : undefined;
  }

  async #see(accountId: string, login: number): Promise<void> {
    const { random, utcMs } = this.#world;
    const equity = random.chance(0.1) ? BROKEN : EQUITY;
    this.#platform.trade(login, equity);
    const brokerTime = formatBrokerTime(Math.floor(utcMs));
    const body = Buffer.from(JSON.stringify([{ accountId, brokerTime, balance: EQUITY, equity }]));
    await this.#send('snapshots', ({ reader, snapshots }, principal) =>
      recordSnapshots({ reader, snapshots }, principal, {
        ...{ body, isNdjson: false, idempotencyKey: undefined },
      }),
    );
  }

  get #isOver(): boolean {
    return this.#world.nowMs >= this.#untilMs;
  }

  async #send<T>(what: string, work: Work<T>) {
    const process = this.#fleet.anyProcess();
    if (!process) {
      await this.#pause(100);
      return { kind: 'unknown' } as const;
    }
    const answer = await this.#calls.send(process, what, USER, work);
    this.#world.count(`${what}: ${answer.kind}`);
    this.#world.tell(() => `${what} at ${process.machine.name}: ${JSON.stringify(answer)}`);
    return answer;
  }

  #pause(meanMs: number): Promise<void> {
    const world = this.#world;
    return new Promise((resolve) => world.after(2 * meanMs * world.random.next(), resolve));
  }
}
