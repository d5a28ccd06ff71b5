import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './free-ports.ts';
import { postgresUser } from './postgres-process.ts';
import { until } from './until.ts';

/** PgBouncer before the server of a URL, in one of its modes. */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction') {
  const { hostname, port, username } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-pgbouncer-'));
  const own = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
`,
  );
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  if (user) await Promise.all([folder, settings].map((path) => chown(path, user.uid, user.gid)));
  const child = spawn('pgbouncer', [settings], { ...user, stdio: 'ignore' });
  endWithUs(child);
  const through = new URL(url);
  through.port = String(own);
  await until(() => answers(through.href), 'PgBouncer');
  return {
    url: through.href,
    async stop(): Promise<void> {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
