import type { Row } from '../../src/storage/database.ts';
import { BookKeepers } from './book-keepers.ts';
import { BookTruth } from './book-truth.ts';
import { Calls } from './calls.ts';
import { drawFaults, NO_FAULTS } from './faults.ts';
import { Fleet } from './fleet.ts';
import { Ledger } from './ledger.ts';
import { SimulatedProcess } from './process.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { type Given, inWorld, type Outcome, type Template, USERS } from './simulation.ts';
import type { World } from './world.ts';

const REST_MS = 15_000;
/** By then an abandoned import is taken back: see the sweeper. */
const LONG_REST_MS = 150_000;
const STEP_MS = 5000;
const READ_WITHIN_MS = 20_000;

/**
 * Lives through some seconds of a world in which people record, correct and delete deals, import
 * reports and take them back, while others read trades and statistics; and judges the answers.
 */
export function simulateBooks(
  template: Template,
  seed: number,
  { isTold = false, given = {} as Pick<Given, 'faults'> } = {},
): Promise<Outcome> {
  return inWorld(template, seed, isTold, (world, server) => new BookRun(world, server).live(given));
}

class BookRun {
  readonly #world: World;
  readonly #server: SimulatedServer;
  readonly #truth: BookTruth;
  readonly #calls: Calls;
  readonly #fleet: Fleet<SimulatedProcess>;
  readonly #keepers: BookKeepers[] = [];

  constructor(world: World, server: SimulatedServer) {
    this.#world = world;
    this.#server = server;
    this.#truth = new BookTruth(world);
    this.#calls = new Calls(world);
    server.onCommit = (writer) => this.#truth.observe(writer);
    const parts = { world, server, ledger: new Ledger() };
    this.#fleet = new Fleet(parts, world.random.between(1, 3), (machine, targets) =>
      SimulatedProcess.start(machine, server, targets),
    );
  }

  async live(given: Pick<Given, 'faults'>): Promise<void> {
    const world = this.#world;
    const { random } = world;
    const faults = { ...drawFaults(random), ...given.faults };
    world.tell(() => `faults: ${JSON.stringify(faults)}`);
    const chaosMs = 3000 + random.next() * 9000;
    this.#fleet.start();
    this.#startKeepers(chaosMs);
    await world.runUntil(1500);
    this.#server.faults = faults;
    this.#fleet.disturb(faults, chaosMs);
    await world.runUntil(chaosMs);
    this.#server.faults = NO_FAULTS;
    this.#fleet.calm();
    await world.runUntil(chaosMs + REST_MS);
    while (world.nowMs < chaosMs + LONG_REST_MS && (await this.#unsettled()) > 0) {
      await world.runUntil(world.nowMs + STEP_MS);
    }
    if (world.failure === undefined) await this.#judge();
  }

  #startKeepers(untilMs: number): void {
    const world = this.#world;
    const parts = {
      ...{ world, calls: this.#calls, truth: this.#truth, untilMs },
      anyProcess: () => this.#fleet.anyProcess(),
    };
    for (let place = world.random.between(1, 3); place > 0; place -= 1) {
      const keepers = new BookKeepers(parts, USERS[0], `book${place}`);
      this.#keepers.push(keepers);
      keepers.work().catch((error: unknown) => world.fail(`a keeper broke: ${error}`));
    }
  }

  async #unsettled(): Promise<number> {
    const [row] = await this.#server.writer.all<Row & { count: number }>(
      `select (select count(*) from statement_import where state <> 'stored')
         + (select count(*) from account_history where unsettled <> 0) as count`,
    );
    return row?.count ?? 0;
  }

  async #judge(): Promise<void> {
    const world = this.#world;
    for (const open of this.#calls.openSince(world.nowMs - REST_MS / 2)) {
      return world.fail(`never answered: ${open}`);
    }
    const unsettled = await this.#unsettled();
    if (unsettled > 0) return world.fail(`${unsettled} imports were never settled`);
    for (const keepers of this.#keepers) this.#judgeDeals(keepers);
    let areRead = false;
    Promise.all(this.#keepers.map((keepers) => keepers.readAll())).then(
      () => {
        areRead = true;
      },
      (error: unknown) => world.fail(`a keeper broke: ${error}`),
    );
    await world.runUntil(world.nowMs + READ_WITHIN_MS);
    if (!areRead) world.fail('trades or statistics are never there');
  }

  #judgeDeals(keepers: BookKeepers): void {
    const { accountId, promisedDeals } = keepers;
    const there = new Set(this.#truth.latest(accountId)?.deals.map(({ id }) => id));
    for (const [id, { isThere, isDoubtful }] of promisedDeals) {
      if (isThere && !isDoubtful && !there.has(id)) {
        this.#world.fail(`deal ${id} of ${accountId} was recorded and is gone`);
        return;
      }
    }
  }
}
