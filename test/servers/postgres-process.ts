import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { given } from '../needs.ts';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './free-ports.ts';

const run = promisify(execFile);

/** More than its own 100: tests and benches run many processes on one server. */
const CONNECTIONS = 300;

export type PostgresProcess = {
  url: string;
  /** Shuts it down in order; connections are closed. */
  halt(): Promise<void>;
  /** Starts it again after `halt`, with the same data under the same address. */
  resume(): Promise<void>;
  /** Shuts it down and removes its files. */
  stop(): Promise<void>;
};

/**
 * Savings for tests: none cuts the power, none lasts. Vacuuming would also keep the template
 * database busy.
 */
const BRIEF = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];

/**
 * A PostgreSQL server of its own, in a folder that goes with it. Never runs as root. Commits are on
 * disk only where `isDurable`.
 */
export async function startPostgres({
  isDurable = false,
  connections = CONNECTIONS,
} = {}): Promise<PostgresProcess> {
  given('postgres');
  const bin = findBinaries();
  const owner = process.getuid?.() === 0 ? await postgresUser() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };
  const initialise = ['-D', join(folder, 'data'), '-U', 'plimsoll', '-A', 'trust', '--no-sync'];
  await run(join(bin, 'initdb'), initialise, options);
  const port = await freePort();
  const url = `postgres://plimsoll@127.0.0.1:${port}/postgres`;
  const saved = isDurable ? [] : BRIEF;
  const chosen = [`max_connections=${connections}`, ...saved].flatMap((one) => ['-c', one]);
  const settings = ['-p', String(port), '-k', folder, ...chosen];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...settings], {
      ...options,
      stdio: 'ignore',
    });
    // At once: backends that lose their postmaster linger for a moment.
    endWithUs(started, 'SIGQUIT');
    await accepting(url, () => started.exitCode !== null);
    return started;
  };
  let server = await start();
  const halt = async (): Promise<void> => {
    const gone = once(server, 'exit');
    server.kill('SIGINT');
    await gone;
  };
  return {
    url,
    halt,
    resume: async () => {
      server = await start();
    },
    stop: async () => {
      if (server.exitCode === null) await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup'];

/** The folder of PostgreSQL's programs. */
export function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.find((folder) =>
    PROGRAMS.every((program) => existsSync(join(folder, program))),
  );
  if (!found) throw new Error('These tests need PostgreSQL: initdb is not in the path');
  return found;
}

/** Whom the packages of Debian made for it: its programs refuse to run as root. */
export async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** Once it takes connections. */
export async function accepting(url: string, dead: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (dead()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
