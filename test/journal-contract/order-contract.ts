import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal } from '../../src/journal/journal.ts';
import type { Database } from '../../src/storage/database.ts';
import { seedOr } from '../seed.ts';
import { Random } from '../simulation/random.ts';
import { useWorld } from './journal-contract.ts';
import { commitOf, type JournalWorld, numberOf, readFilled } from './journal-world.ts';

const SEED = seedOr(20_261_122);
const PROCESSES = 3;
const WRITERS_EACH = 3;
const COMMITS_EACH = 40;

type Process = { journal: Journal; database: Database };

/** When a commit was begun and acknowledged, by a count of such moments. */
type Times = { begun: number; acknowledged: number };

/** Writes commits and notes their times; those that were rolled back are not noted. */
class Clockwork {
  readonly times = new Map<number, Times>();
  #moment = 0;
  #number = 0;

  next(): number {
    this.#number += 1;
    return this.#number;
  }

  tick(): number {
    this.#moment += 1;
    return this.#moment;
  }

  async append(journal: Journal): Promise<void> {
    const number = this.next();
    const begun = this.tick();
    await journal.append(commitOf(number, journal.partitions));
    this.times.set(number, { begun, acknowledged: this.tick() });
  }

  /** Some commits in one transaction, which may be rolled back. */
  async stage(
    { journal, database }: Process,
    count: number,
    fails: boolean,
    pause: () => Promise<void>,
  ): Promise<void> {
    const numbers = Array.from({ length: count }, () => this.next());
    const begun = this.tick();
    try {
      const staged = await database.transaction(async (tx) => {
        const all = [];
        for (const number of numbers) {
          all.push(await journal.stage(tx, commitOf(number, journal.partitions)));
          await tx.get('select 1 as one');
          await pause();
        }
        if (fails) throw new Error('rolled back');
        return all;
      });
      await journal.release(staged);
    } catch (error) {
      if (fails) return;
      throw error;
    }
    const acknowledged = this.tick();
    for (const number of numbers) this.times.set(number, { begun, acknowledged });
  }
}

export function registerOrderContract(open: () => Promise<JournalWorld>): void {
  describe('order', () => {
    const use = useWorld(open);
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

    it(`puts what was acknowledged before something else was begun in front of it (seed ${SEED})`, async () => {
      const { world } = use;
      const clockwork = new Clockwork();
      const processes: Process[] = [];
      for (let n = 0; n < PROCESSES; n += 1) processes.push(await world.connect());
      let isWriting = true;
      const write = async (process: Process, seed: number) => {
        const random = new Random(seed);
        for (let n = 0; n < COMMITS_EACH; n += 1) {
          if (random.chance(0.6)) await clockwork.append(process.journal);
          else {
            const pause = () => (random.chance(0.3) ? turn() : Promise.resolve());
            await clockwork.stage(process, random.between(1, 3), random.chance(0.2), pause);
          }
        }
      };
      /** A caller that asks for the head finds everything acknowledged before at or below it. */
      const asked: { head: number; moment: number }[] = [];
      const ask = async ({ journal }: Process) => {
        while (isWriting) {
          const moment = clockwork.tick();
          asked.push({ head: await journal.head(), moment });
          await turn();
        }
      };
      const asking = processes.map(ask);
      await Promise.all(
        processes.flatMap((process, index) =>
          Array.from({ length: WRITERS_EACH }, (_, n) => write(process, SEED + index * 10 + n)),
        ),
      );
      isWriting = false;
      await Promise.all(asking);
      await assertOrder(use.journal, clockwork, asked);
    });

    it('keeps that order while another process is giving positions', async () => {
      const { world } = use;
      const clockwork = new Clockwork();
      const processes = [await world.connect(), await world.connect()];
      const work = async () => {
        for (let n = 0; n < 12; n += 1) {
          const process = processes[n % 2];
          assert.ok(process);
          if (n % 3 === 2) await clockwork.stage(process, 1, n % 4 === 3, turn);
          else await clockwork.append(process.journal);
        }
      };
      const after = await use.journal.head();
      // On one connection that writes in turns no other could write in between.
      if (world.database.isShared && world.whilePositionsAreGiven) {
        await world.whilePositionsAreGiven(work);
      } else await work();
      await clockwork.append(use.journal);
      const head = await use.journal.head();
      await assertOrder(use.journal, clockwork, [{ head, moment: clockwork.tick() }], after);
    });
  });
}

async function assertOrder(
  journal: Journal,
  { times }: Clockwork,
  asked: readonly { head: number; moment: number }[],
  after = 0,
): Promise<void> {
  await journal.head();
  const all = await readFilled(journal, after);
  const numbers = all.map((commit) => numberOf(commit, journal.partitions) ?? -1);
  assert.deepEqual(new Set(numbers), new Set(times.keys()), 'nothing lost, nothing else');
  assert.equal(numbers.length, times.size, 'nothing twice');
  let earliest = Number.POSITIVE_INFINITY;
  for (const number of numbers.toReversed()) {
    const own = times.get(number);
    assert.ok(own && own.begun < earliest, `${number} stands before what was acknowledged earlier`);
    earliest = Math.min(earliest, own.acknowledged);
  }
  for (const { head, moment } of asked) {
    const missed = numbers.findIndex(
      (number, index) =>
        (all[index]?.position ?? 0) > head && (times.get(number)?.acknowledged ?? 0) < moment,
    );
    assert.equal(missed, -1, 'a head that is behind what was acknowledged before');
  }
}
