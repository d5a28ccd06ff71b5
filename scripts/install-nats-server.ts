import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * `node scripts/install-nats-server.ts`: finds a nats-server suitable for the tests, or gets the
 * one of Debian 13 from the mirror that this machine uses anyway, unpacked into the user's cache:
 * nothing is installed. It is a program without dependencies, which also runs on Debian 12, whose
 * own nats-server is too old.
 */
const SUITE = 'trixie';
/** Earlier ones can lose a stream when they are killed. */
const OLDEST = [2, 10, 23] as const;
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'plimsoll');
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const TIMEOUT_MS = 180_000;

const run = promisify(execFile);

/** Where a nats-server is, or why there is none. */
export type NatsServer = { path: string; version: string } | { missing: string };

/** Asks `NATS_SERVER`, the path and the cache, then the mirror. */
export async function findNatsServer(): Promise<NatsServer> {
  const cached = join(CACHE, 'nats-server');
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const places = [
    process.env.NATS_SERVER,
    ...folders.map((folder) => join(folder, 'nats-server')),
    cached,
  ];
  for (const path of places) {
    const version = path && existsSync(path) ? await versionOf(path) : undefined;
    if (path && version && isFit(version)) return { path, version };
  }
  try {
    await download(cached);
    const version = await versionOf(cached);
    if (!version || !isFit(version)) throw new Error(`the mirror has ${version}`);
    return { path: cached, version };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error;
    const needed = `nats-server ${OLDEST.join('.')} or newer`;
    return {
      missing: `${needed} is not here and cannot be fetched from Debian's mirror: ${reason}`,
    };
  }
}

async function versionOf(path: string): Promise<string | undefined> {
  const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
  return /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
}

function isFit(version: string): boolean {
  const numbers = version.split('.').map(Number);
  const place = OLDEST.findIndex((least, index) => numbers[index] !== least);
  return place < 0 || (numbers[place] ?? 0) > (OLDEST[place] ?? 0);
}

/** A second source list: this machine's mirror with the suite replaced. */
async function download(target: string): Promise<void> {
  if (!existsSync('/usr/bin/apt-get')) throw new Error('there is no apt-get');
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-nats-'));
  try {
    await mkdir(join(folder, 'lists', 'partial'), { recursive: true });
    await mkdir(join(folder, 'archives', 'partial'), { recursive: true });
    const signed = existsSync(KEYRING) ? ` [signed-by=${KEYRING}]` : '';
    const source = `deb${signed} ${await mirror()} ${SUITE} main\n`;
    await writeFile(join(folder, 'sources.list'), source);
    const options = [
      `Dir::Etc::sourcelist=${folder}/sources.list`,
      'Dir::Etc::sourceparts=-',
      `Dir::State::lists=${folder}/lists`,
      `Dir::Cache=${folder}`,
      'APT::Sandbox::User=',
    ].flatMap((option) => ['-o', option]);
    const apt = { cwd: folder, timeout: TIMEOUT_MS };
    await run('apt-get', [...options, '-qq', 'update'], apt);
    await run('apt-get', [...options, '-qq', 'download', 'nats-server'], apt);
    const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (!file) throw new Error('the mirror has no package nats-server');
    await run('dpkg', ['-x', join(folder, file), join(folder, 'unpacked')]);
    await mkdir(CACHE, { recursive: true });
    await run('cp', [join(folder, 'unpacked/usr/sbin/nats-server'), `${target}.${process.pid}`]);
    // In one step: tests that run side by side may look for it at this moment.
    await rename(`${target}.${process.pid}`, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Address of the Debian mirror of this machine's own sources. */
async function mirror(): Promise<string> {
  const format = '$(REPO_URI) $(LABEL) $(COMPONENT)';
  const { stdout } = await run('apt-get', ['indextargets', '--format', format]);
  const own = stdout.split('\n').find((line) => /^https?:\S+ Debian main$/.test(line));
  if (!own) throw new Error("this machine's own sources name no Debian mirror");
  return own.split(' ')[0] ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await findNatsServer();
  if ('missing' in found) {
    console.error(found.missing);
    process.exitCode = 1;
  } else console.log(`${found.path} (${found.version})`);
}
