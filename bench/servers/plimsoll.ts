import type { Database } from '../../src/storage/database.ts';
import { type PlimsollProcess, startPlimsoll } from '../../test/servers/plimsoll-process.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';

/** Quotas that nobody reaches. */
export const UNBOUNDED =
  'maxAccounts=1000000,maxDeployedG1Accounts=1000000,maxDeployedG2Accounts=1000000';

export type Served = {
  address: string;
  server: PlimsollProcess;
  environment: Record<string, string>;
};

/**
 * Plimsoll as its users start it, in a process of its own, on a fresh database that `seed` fills.
 * Everything goes with the stack.
 */
export async function serve(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  seed: (database: Database, environment: Record<string, string>) => Promise<unknown>,
  settings: Record<string, string> = {},
): Promise<Served> {
  const stored = await openTestDatabase(kind);
  stack.defer(() => stored.close());
  await seed(stored.database, stored.environment);
  const server = await startPlimsoll({
    ...stored.environment,
    ...profiling(),
    LOG_LEVEL: 'warn',
    ...settings,
  });
  stack.defer(async () => {
    await server.stop();
  });
  return { address: server.address, server, environment: stored.environment };
}

/** With PLIMSOLL_BENCH_PROFILE the servers leave a CPU profile there. */
function profiling(): Record<string, string> {
  const folder = process.env.PLIMSOLL_BENCH_PROFILE;
  return folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {};
}
