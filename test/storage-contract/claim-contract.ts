import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { type Claims, type ClaimsOptions, HeldUp } from '../../src/claims/claims.ts';
import { type Claim, isClaimed, listProcesses } from '../../src/storage/claim-store.ts';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { testClaims } from '../servers/test-claims.ts';
import { TestTime } from '../servers/test-time.ts';
import { untilPassed } from '../servers/until.ts';
import { gate, hold, useDatabase } from './fixture.ts';

/** Much less than the patience: a process whose time outruns its database thinks it was away. */
const STEP_MS = 250;
const PATIENCE_MS = 4000;
const DAY_MS = 86_400_000;

/** A process with its own time and way to the database. */
type Process = { claims: Claims; time: TestTime; network: FaultyDatabase };

export function registerClaimContract(kind: Database['kind']): void {
  describe('claims', () => {
    const use = useDatabase(kind);
    const processes: Process[] = [];
    const end = async (): Promise<void> => {
      for (const { claims, network } of processes.splice(0)) {
        network.faults = {};
        await claims.stop();
      }
    };
    beforeEach(end);
    after(end);
    const open = async (options: Partial<ClaimsOptions> = {}): Promise<Process> => {
      const network = new FaultyDatabase(use.database);
      const time = new TestTime();
      const claims = testClaims(network, { time, isAlone: false, ...options });
      processes.push({ claims, time, network });
      await claims.start();
      return { claims, time, network };
    };
    const take = async ({ claims }: Process, key: string, lost?: () => void): Promise<Claim> => {
      const claim = await claims.take('partition', key, lost);
      assert.ok(claim);
      return claim;
    };
    const holds = ({ fence }: Claim): Promise<boolean> =>
      use.database.transaction((tx) => isClaimed(tx, fence));
    /** Time passes for all but the silent ones until something holds. */
    const passUntil = (of: readonly Process[], holds: () => Promise<boolean> | boolean) =>
      untilPassed(async () => {
        for (const { time } of of) await time.pass(STEP_MS);
        // No faster than the database answers.
        await use.database.run('update process set host = host');
      }, holds);

    it('give a job to one of those who want it at once, and to another when that lets go', async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => open()));
      const claims = await Promise.all(all.map((each) => each.claims.take('webhook', 'a')));
      const winner = claims.findIndex((claim) => claim !== undefined);
      const won = claims[winner];
      assert.ok(won);
      assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
      await all[winner]?.claims.release(won);
      const next = await all[(winner + 1) % 8]?.claims.take('webhook', 'a');
      assert.ok(next);
      assert.notEqual(next.fence, won.fence, 'no claim is ever taken for another');
      assert.deepEqual([await holds(won), await holds(next)], [false, true]);
    });

    it('of a silent process end after the patience, those of mails and imports when it is gone', async () => {
      const [silent, other] = [await open(), await open()];
      let lost = 0;
      const partition = await take(silent, '0', () => {
        lost += 1;
      });
      const mail = await silent.claims.take('mail', 'a');
      assert.ok(mail);
      await other.time.pass(PATIENCE_MS - STEP_MS);
      assert.equal(await holds(partition), true);
      await passUntil([other], async () => !(await holds(partition)));
      assert.equal(await holds(mail), true);
      assert.ok(await other.claims.take('partition', '0'));
      await silent.time.pass(STEP_MS * 4);
      await passUntil([silent], () => lost === 1);
      assert.equal(await holds(mail), true, 'it was only paused');
      await passUntil([other], async () => !(await holds(mail)));
    });

    it('of a process that lives hold, whatever the clocks show', async () => {
      const [one, ahead] = [await open(), await open()];
      const claim = await take(one, '0');
      ahead.time.setClock(ahead.time.now() + 10 * DAY_MS);
      one.time.setClock(one.time.now() - 10 * DAY_MS);
      let steps = 0;
      await passUntil([one, ahead], () => {
        steps += 1;
        return steps > 5 * (PATIENCE_MS / STEP_MS);
      });
      assert.equal(await holds(claim), true);
    });

    it('end with a process that stops, even one that is just being taken, and none is after', async () => {
      const { claims } = await open();
      let stopped: Promise<void> | undefined;
      await claims.taking((take) =>
        use.database.transaction(async (tx) => {
          await take(tx, 'import', ['a']);
          let isStopped = false;
          stopped = claims.stop().finally(() => {
            isStopped = true;
          });
          for (let turn = 0; turn < 50 && !isStopped; turn += 1) await tx.get('select 1 as one');
        }),
      );
      await stopped;
      assert.deepEqual(await use.database.all('select * from claim'), []);
      await assert.rejects(claims.take('import', 'b'), HeldUp);
    });

    it('end at once with a process that stops, or is seen to have ended on its machine', async () => {
      const ended = new Set<string>();
      const local = (own: string) => ({
        localProcesses: { own, hasEnded: (mark: string) => ended.has(mark) },
      });
      const [stopped, killed] = [await open(local('stopped')), await open(local('killed'))];
      const [first, second] = [await take(stopped, '0'), await take(killed, '1')];
      const mail = await killed.claims.take('mail', 'a');
      assert.ok(mail);
      await stopped.claims.stop();
      assert.equal(await holds(first), false);
      void killed.claims.abandon();
      ended.add('killed');
      const next = await open(local('next'));
      assert.deepEqual([await holds(second), await holds(mail)], [false, false]);
      const known = (await listProcesses(use.database)).map(({ id }) => id);
      assert.deepEqual(known, [next.claims.id], 'those who could not see that know it as well');
    });

    it('are not ended while their holder stores, nor once it has shown that it lives', async () => {
      const [one, other] = [await open(), await open()];
      const claim = await take(one, '0');
      const [fenced, done] = [gate(), gate()];
      const storing = use.database.transaction(async (tx) => {
        assert.equal(await isClaimed(tx, claim.fence), true);
        fenced.open();
        await hold(tx, done.opened);
        assert.equal(await isClaimed(tx, claim.fence), true);
      });
      await fenced.opened;
      if (kind === 'postgres') await other.time.pass(2 * PATIENCE_MS);
      done.open();
      await storing;
      // It shows itself after the other has seen it silent, and before that ends its claims.
      let isShown = false;
      other.network.faults.before = async ({ sql }) => {
        if (isShown || !sql.startsWith('select 1 as still')) return;
        isShown = true;
        await one.claims.unshare('partition');
      };
      const again = (await holds(claim)) ? claim : await take(one, '0');
      if (kind === 'postgres') await passUntil([other], () => isShown);
      assert.equal(await holds(again), true);
    });

    it('whose answer was lost are given back after the patience', async () => {
      const one = await open();
      one.network.faults.after = ({ sql }) => {
        if (sql !== 'commit') return;
        one.network.faults = {};
        throw new DatabaseUnavailable('the answer was lost');
      };
      await assert.rejects(take(one, '0'), DatabaseUnavailable);
      const other = await open();
      assert.equal(await other.claims.take('partition', '0'), undefined);
      let claim: Claim | undefined;
      await passUntil([one, other], async () => {
        claim ??= await other.claims.take('partition', '0');
        return claim !== undefined;
      });
    });

    it('are fresh only for a process that was not held up', async () => {
      const one = await open();
      assert.equal(await one.claims.fresh(async () => 'yes'), 'yes');
      assert.equal(one.claims.isFresh, true);
      const slow = one.claims.fresh(async () => {
        // Else a beat of that time may get through.
        one.network.faults.before = () => {
          throw new DatabaseUnavailable('cut off');
        };
        await one.time.pass(PATIENCE_MS);
      });
      await assert.rejects(slow, DatabaseUnavailable);
      assert.equal(one.claims.isFresh, false);
      await assert.rejects(
        one.claims.fresh(async () => 'yes'),
        DatabaseUnavailable,
      );
    });

    it('of earlier runs end where a server is alone, those of a command that works do not', async () => {
      const former = await open({ isAlone: true });
      const left = await take(former, '0');
      void former.claims.abandon();
      const command = await open();
      const imported = await command.claims.take('import', '1');
      assert.ok(imported);
      const server = await open({ isAlone: true });
      assert.deepEqual([await holds(left), await holds(imported)], [false, true]);
      await server.claims.share('partition');
      assert.deepEqual(server.claims.sharing('partition'), [server.claims.id]);
      await passUntil([server], async () => !(await holds(imported)));
    });
  });
}
