import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './free-ports.ts';
import { LossyProxy } from './lossy-proxy.ts';
import { accepting, findBinaries, postgresUser } from './postgres-process.ts';

const run = promisify(execFile);

type Node = { folder: string; port: number; process: ChildProcess };
type Owner = { uid: number; gid: number } | undefined;

/**
 * A primary and a synchronous standby behind one address, as Patroni keeps them with
 * `synchronous_mode_strict`: no commit is answered before the standby has it, and without a standby
 * commits wait.
 */
export class PostgresPair {
  readonly #owner: Owner;
  readonly #proxy: LossyProxy;
  #primary: Node;
  #standby: Node;

  private constructor(owner: Owner, proxy: LossyProxy, primary: Node, standby: Node) {
    this.#owner = owner;
    this.#proxy = proxy;
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(): Promise<PostgresPair> {
    const owner = process.getuid?.() === 0 ? await postgresUser() : undefined;
    const primary = await startNode(owner, (data) =>
      runProgram(owner, 'initdb', ['-D', data, '-U', 'plimsoll', '-A', 'trust', '--no-sync']),
    );
    const standby = await startStandby(owner, primary).catch(async (error: unknown) => {
      await stopNode(primary);
      throw error;
    });
    const pair = new PostgresPair(owner, await LossyProxy.start(primary.port), primary, standby);
    await pair.#synchronous();
    return pair;
  }

  get url(): string {
    return urlOf(this.#proxy.port);
  }

  /** The primary's machine dies, the standby replaces it, and another one becomes the standby. */
  async failOver(): Promise<void> {
    const dead = this.#primary;
    this.#proxy.cut();
    await stopNode(dead);
    this.#primary = this.#standby;
    await ask(this.#primary, 'select pg_promote()');
    this.#proxy.target = this.#primary.port;
    this.#standby = await startStandby(this.#owner, this.#primary);
    await this.#synchronous();
  }

  /** Commits wait from now on. */
  async loseStandby(): Promise<void> {
    await stopNode(this.#standby);
  }

  /** Tells the commits that wait for the standby to do so no longer; how many there were. */
  async cancelCommits(): Promise<number> {
    const waiting =
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    return (await ask(this.#primary, waiting)).length;
  }

  async stop(): Promise<void> {
    await this.#proxy.stop();
    await stopNode(this.#primary);
    await stopNode(this.#standby);
  }

  /** Once the standby confirms commits. */
  async #synchronous(): Promise<void> {
    for (;;) {
      const rows = await ask(
        this.#primary,
        "select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'",
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const urlOf = (port: number): string => `postgres://plimsoll@127.0.0.1:${port}/postgres`;

async function startStandby(owner: Owner, { port }: Node): Promise<Node> {
  return startNode(owner, (data) =>
    runProgram(owner, 'pg_basebackup', [
      ...['-D', data, '-h', '127.0.0.1', '-p', String(port), '-U', 'plimsoll'],
      ...['-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    ]),
  );
}

/** Never runs as root. No power is cut here: data accepted by the system are as good as on disk. */
async function startNode(owner: Owner, fill: (data: string) => Promise<unknown>): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  await fill(data);
  const port = await freePort();
  const settings = ['fsync=off', 'synchronous_standby_names=*'].flatMap((each) => ['-c', each]);
  const started = spawn(
    join(findBinaries(), 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings],
    {
      ...{ ...owner, cwd: folder, stdio: 'ignore' },
    },
  );
  endWithUs(started, 'SIGQUIT');
  await accepting(urlOf(port), () => started.exitCode !== null);
  return { folder, port, process: started };
}

/** At once, without an orderly end. */
async function stopNode({ folder, process: server }: Node): Promise<void> {
  if (server.exitCode === null) {
    const gone = once(server, 'exit');
    server.kill('SIGQUIT');
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
}

const runProgram = (owner: Owner, name: string, args: readonly string[]): Promise<unknown> =>
  run(join(findBinaries(), name), args, { ...owner, cwd: tmpdir() });

async function ask({ port }: Node, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: urlOf(port) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
