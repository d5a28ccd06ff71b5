import type { Database } from '../../src/storage/database.ts';
import { type PlimsollProcess, startPlimsoll } from '../../test/servers/plimsoll-process.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';

/** Quotas that nobody reaches. */
export const UNBOUNDED =
  'maxAccounts=1000000,maxDeployedG1Accounts=1000000,maxDeployedG2Accounts=1000000';

/** A fresh database that `seed` has filled, and the settings that lead to it. */
export type Stored = { database: Database; environment: Record<string, string> };
type Seed = (database: Database, environment: Record<string, string>) => Promise<unknown>;

export type Served = Stored & { address: string; server: PlimsollProcess };

/** It goes with the stack. */
export async function store(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  seed: Seed,
): Promise<Stored> {
  const stored = await openTestDatabase(kind);
  stack.defer(() => stored.close());
  await seed(stored.database, stored.environment);
  return stored;
}

/** Plimsoll as its users start it, in a process of its own, which ends with the stack. */
export async function start(
  stack: AsyncDisposableStack,
  { environment }: Stored,
  settings: Record<string, string> = {},
): Promise<PlimsollProcess> {
  const all = { ...environment, ...profiling(), LOG_LEVEL: 'warn', ...settings };
  const server = await startPlimsoll(all);
  stack.defer(async () => {
    await server.stop();
  });
  return server;
}

/** Both. */
export async function serve(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  seed: Seed,
  settings: Record<string, string> = {},
): Promise<Served> {
  const stored = await store(stack, kind, seed);
  const server = await start(stack, stored, settings);
  return { ...stored, address: server.address, server };
}

/** With PLIMSOLL_BENCH_PROFILE the servers leave a CPU profile there. */
function profiling(): Record<string, string> {
  const folder = process.env.PLIMSOLL_BENCH_PROFILE;
  return folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {};
}
