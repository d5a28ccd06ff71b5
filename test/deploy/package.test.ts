import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it, type TestContext } from 'node:test';
import { exampleOf } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { ROOT } from './files.ts';

needs('dashboard');

const NO_REGISTRY = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|E40[34]|E5\d\d)\b/;
/** Without what `npm test` tells its scripts about this project. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(package|lifecycle|config_.*prefix)|INIT)/.test(name),
  ),
);

/** How long npm may take, however busy the machine is. */
const NPM_WITHIN_MS = 240_000;

type PackedFile = { path: string; mode: number };

const packageFolder = mkdtempSync(join(tmpdir(), 'plimsoll-package-'));
const home = join(packageFolder, 'home');
const installed = join(home, 'node_modules/plimsoll');
let files: PackedFile[] = [];

/** The result of `npm pack`; `npm ci` has built the dashboard. */
function pack(): string {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-server.ts'), '--for-package']);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packageFolder];
  const output = execFileSync('npm', args, {
    ...{ cwd: ROOT, encoding: 'utf8', env: ENVIRONMENT, timeout: NPM_WITHIN_MS },
  });
  const report: unknown = JSON.parse(output);
  const [packed] = Object.values(
    report as Record<string, { filename: string; files: PackedFile[] }>,
  );
  assert.ok(packed);
  files = packed.files;
  return join(packageFolder, packed.filename);
}

/** The two commands of README.md: what installs the package, and what runs it. */
const [INSTALL = '', RUN = ''] = exampleOf('README.md', 'npx plimsoll demo').trim().split('\n');
const NPM_OPTIONS = {
  ...{ npm_config_prefer_offline: 'true', npm_config_fetch_retries: '0' },
  ...{ npm_config_audit: 'false', npm_config_fund: 'false' },
};

/** In an empty folder; where no registry answers, beside the packages that this project has. */
function install(tarball: string): void {
  mkdirSync(home);
  const run = () =>
    spawnSync('sh', ['-c', `exec ${INSTALL.replace(/PATH\/\S+/, tarball)}`], {
      ...{ cwd: home, encoding: 'utf8', env: { ...ENVIRONMENT, ...NPM_OPTIONS } },
      ...{ timeout: NPM_WITHIN_MS, killSignal: 'SIGKILL' },
    });
  let ran = run();
  // Nothing wakes npm's thread pool: see src/app/thread-pool.ts. It was seen to wait for ever.
  if (ran.signal !== null) ran = run();
  if (ran.status === 0) return;
  assert.match(ran.stderr, NO_REGISTRY);
  console.log('package: no registry answers, so it runs beside the packages of this project');
  rmSync(home, { recursive: true });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  mkdirSync(join(home, 'node_modules/.bin'));
  symlinkSync('../plimsoll/bin/plimsoll.js', join(home, 'node_modules/.bin/plimsoll'));
}

/** A Node of this machine that is too old to run Plimsoll by itself, else the one of this test. */
function oldestNode(): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const nodes = folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path));
  const majorOf = (node: string): number =>
    Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1]);
  const ages = [process.execPath, ...nodes].map((node) => ({ node, major: majorOf(node) }));
  return ages.reduce((oldest, next) => (next.major < oldest.major ? next : oldest)).node;
}

async function runDemo(t: TestContext, node: string): Promise<{ address: string; token: string }> {
  // Started by npx; it passes no signal on to its child.
  const command = RUN.replace('npx plimsoll', '"$NODE" node_modules/.bin/plimsoll');
  const server = spawn('sh', ['-c', `exec ${command}`], {
    cwd: home,
    env: { PATH: '/usr/bin:/bin', PORT: '0', NODE: node },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(server);
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(server, 'exit');
  t.after(async () => {
    server.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
  const lines = createInterface(server.stdout);
  const dashboard = new Promise<string>((resolve) => {
    lines.on('line', (line) => line.startsWith('Dashboard: ') && resolve(line));
  });
  const line = await Promise.race([dashboard, exited.then(() => '')]);
  const [, address = '', token = ''] = /^Dashboard: (\S+)\/#token=(\S+)$/.exec(line) ?? [];
  assert.ok(address, `the demo did not start:\n${log}`);
  return { address, token };
}

describe('the npm package', () => {
  before(() => install(pack()));
  after(() => rmSync(packageFolder, { recursive: true, force: true }));

  it('contains the code and the documents, and no tests, sources or data', () => {
    const paths = files.map(({ path }) => path);
    for (const path of ['dist/app/main.js', 'web/dist/index.html', 'README.md', 'docs/guide.md']) {
      assert.ok(paths.includes(path), path);
    }
    const odd = paths.filter((path) =>
      /\.tsx?$|\.test\.|^(src|test|bench|scripts|data)\//.test(path),
    );
    assert.deepEqual(odd, []);
  });

  it('runs the demo in an empty folder, on a Node that is too old itself', async (t) => {
    const { address, token } = await runDemo(t, oldestNode());
    const get = (path: string): Promise<Response> =>
      fetch(address + path, { headers: { 'auth-token': token } });
    const accounts = (await (await get('/users/current/accounts')).json()) as unknown[];
    assert.ok(accounts.length >= 5);
    const page = await (await get('/')).text();
    const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(page) ?? [];
    assert.equal((await get(script)).status, 200);
    for (const path of ['/openapi.json', '/docs', '/metrics', '/health/ready']) {
      assert.equal((await get(path)).status, 200, path);
    }
    assert.ok(existsSync(join(home, 'data/plimsoll.db')));
  });

  it('reads statements and large bodies in its threads', async (t) => {
    const { address, token } = await runDemo(t, oldestNode());
    const post = async (
      path: string,
      type: string,
      body: string | Uint8Array<ArrayBuffer>,
    ): Promise<unknown> => {
      const headers = { 'auth-token': token, 'content-type': type };
      const answer = await fetch(`${address}/users/current/${path}`, {
        method: 'POST',
        headers,
        body,
      });
      return [answer.status, await answer.json()];
    };
    const account = { id: 'mine', name: 'Mine', platform: 'p5', login: '1', broker: 'Example' };
    const described = JSON.stringify({ ...account, currency: 'JPY', leverage: 100 });
    assert.deepEqual(await post('accounts', 'application/json', described), [201, { id: 'mine' }]);
    const row = { accountId: 'mine', brokerTime: '2026-01-05 10:00:00.000', balance: 1, equity: 1 };
    const rows = Array.from({ length: 1000 }, () => JSON.stringify(row)).join('\n');
    assert.deepEqual(await post('snapshots', 'application/x-ndjson', rows), [
      200,
      { accepted: 1000, late: 0 },
    ]);
    const file = Uint8Array.from(
      readFileSync(join(ROOT, 'src/demo/statements/p5-netting-jpy.html')),
    );
    const [status] = (await post('accounts/mine/statements?force=true', 'text/html', file)) as [
      number,
    ];
    assert.equal(status, 201);
  });

  it('includes every thread that the server starts', () => {
    const paths = files.map(({ path }) => path);
    const starters = globSync('src/**/*.ts', { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts'))
      .filter((path) => path !== 'src/threads/thread.ts')
      .map((path) => ({ path, code: readFileSync(join(ROOT, path), 'utf8') }))
      .filter(({ code }) => /\bnew (?:Worker|Thread)\(/.test(code));
    assert.ok(starters.length >= 4);
    for (const { path, code } of starters) {
      const named = /(?:new Thread\(\s*'|`\.\/)([\w-]+)(?:',\s*|\$\{)import\.meta\.url/;
      const [, thread] = named.exec(code) ?? [];
      const packed = `${dirname(path).replace(/^src/, 'dist')}/${thread}.js`;
      assert.ok(paths.includes(packed), `${path} starts ${packed}`);
    }
  });

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const args = ['node_modules/.bin/plimsoll', '--version'];
    const told = execFileSync(oldestNode(), args, { cwd: home, encoding: 'utf8' });
    assert.equal(told.trim(), version);
  });
});
