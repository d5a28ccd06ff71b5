import { runCommandLine } from './command-line.ts';

// Databases and backups hold customers' data: only the user that runs Plimsoll may read the files.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
