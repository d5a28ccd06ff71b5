import { runCommandLine } from './command-line.ts';
import { keepThreadPoolAwake } from './thread-pool.ts';

const END_WITHIN_MS = 1000;

// Databases and backups hold customers' data: only the user running Plimsoll may read the files.
process.umask(0o077);
keepThreadPoolAwake();
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
// A supervisor waits for the end before a restart: nothing left, such as a check that still waits
// for a network, may keep the process alive.
setTimeout(() => process.exit(), END_WITHIN_MS).unref();
