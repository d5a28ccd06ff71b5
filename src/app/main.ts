import { runCommandLine } from './command-line.ts';
import { keepThreadPoolAwake } from './thread-pool.ts';

const END_WITHIN_MS = 10_000;

// Databases and backups hold customers' data: only the user that runs Plimsoll may read the files.
process.umask(0o077);
keepThreadPoolAwake();
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
// Who starts it again waits for its end: nothing that a failure left running may keep it alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), END_WITHIN_MS).unref();
