import { settlingDatabase } from '../../../test/servers/settling-database.ts';
import { testClaims } from '../../../test/servers/test-claims.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import type { Claims } from '../../claims/claims.ts';
import type { PlatformFixture } from '../../services/platform-accounts/platform.fixture.ts';
import { BreachWorker } from './breach-worker.ts';

/** A worker with its own time: it is paused while that stands still. */
export type BreachProcess = {
  time: TestTime;
  claims: Claims;
  worker: BreachWorker;
  /** Until nothing more happens before its time passes. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a worker beside others on the database and platforms of a fixture. */
export async function startBreachProcess(fixture: PlatformFixture): Promise<BreachProcess> {
  const { database, settle } = settlingDatabase(fixture.files.database);
  const time = new TestTime(fixture.clock.nowMs);
  const claims = testClaims(database, { time, isAlone: false });
  await claims.start();
  const own = await testContext(database, { now: () => time.now(), claims });
  const context = { ...own, gateways: fixture.context.gateways };
  const worker = new BreachWorker(context, database, time, () => {});
  worker.start();
  return {
    ...{ time, claims, worker, settle },
    async stop() {
      await worker.stop();
      await claims.stop();
    },
  };
}
