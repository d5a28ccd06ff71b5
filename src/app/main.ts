import { runCommandLine } from './command-line.ts';

// Databases and backups hold what customers own: their files are for who runs Plimsoll alone.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
